// Questions of tools whose answers come to another replica, or after a restart.
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CallOptions,
  type InputRequired,
  type JsonObject,
  type PendingQuestion,
  QuestionUnanswered,
  type ToolDefinition,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import type { Journal } from 'toolmend/journal';
import { callOf, toolOf } from '../tools.ts';

const size = {
  type: 'object',
  properties: { size: { enum: ['small', 'large'] } },
  required: ['size'],
} as const;
const large = { action: 'accept', content: { size: 'Large' }, by: 'mara' } as const;

function asking(outcome: ToolOutcome): InputRequired {
  if (outcome.status !== 'input_required') throw new Error(`is ${outcome.status}`);
  return outcome;
}

/** The question as a web page sends it back. */
const sentBack = (outcome: ToolOutcome): PendingQuestion =>
  JSON.parse(JSON.stringify(asking(outcome).question));

/** `open`: the journals of two replicas. */
export function testQuestions(open: () => readonly [Journal, Journal]): void {
  let ran: { readonly values: JsonObject; readonly key: string }[] = [];
  let conversation = '';
  beforeEach(() => {
    ran = [];
    conversation = crypto.randomUUID();
  });

  const order: ToolDefinition['execute'] = async (values, context) => {
    const answer = await context.ask({ question: 'Which size?', schema: size });
    ran.push({ values, key: context.idempotencyKey });
    return `ordered ${answer.size}`;
  };
  const replica = (
    journal: Journal,
    { execute = order, ...tool }: Partial<ToolDefinition> = {},
  ): ToolRegistry => new ToolRegistry({ journal }).register(toolOf(execute, tool));
  const replicas = (tool: Partial<ToolDefinition> = {}) =>
    [replica(open()[0], tool), replica(open()[1], tool)] as const;
  const call = (tools: ToolRegistry, values: JsonObject = { n: 1 }, more: CallOptions = {}) =>
    tools.call(callOf({ arguments: values }), { conversation, ...more });

  it('goes on in another replica, once, and delivers the outcome to the conversation', async () => {
    const [one, two] = replicas();
    const question = sentBack(await call(one));
    const [waiting] = await open()[1].list({ state: 'waiting', conversation });
    await one.close();

    const outcomes = await Promise.all([
      two.answerQuestion(question, large),
      two.answerQuestion(question, large),
    ]);

    expect(waiting).toMatchObject({ tool: 'work', question, answers: [] });
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['completed', 'denied']);
    expect(ran).toEqual([{ values: { n: 1 }, key: waiting?.id }]);
    const [ended] = await open()[1].list({ conversation });
    expect(ended).toMatchObject({
      state: 'ended',
      attempts: 2,
      decidedBy: 'mara',
      answers: [{ action: 'accept', content: { size: 'large' } }],
      outcome: { status: 'completed', content: { text: 'ordered large' } },
    });
    const [late] = await two.background.takeResults({ conversation });
    expect(late?.text).toBe(
      'work (call "call_1"), which had asked a person, has ended (completed):\nordered large',
    );
  });

  it('asks the same question if the call is sent again', async () => {
    const [one, two] = replicas();
    const question = sentBack(await call(one));

    expect(await call(two)).toMatchObject({ status: 'input_required', question });
    await two.answerQuestion(question.id, large);
    expect(await call(one)).toMatchObject({ status: 'completed', result: 'ordered large' });
    expect(ran).toHaveLength(1);
  });

  it('has no late result of a call that was answered while its caller waited', async () => {
    const [one] = replicas();

    const outcome = await call(one, { n: 1 }, { elicit: () => large });

    expect(outcome).toMatchObject({ status: 'completed', result: 'ordered large' });
    expect(outcome).not.toHaveProperty('notes');
    expect(await one.background.takeResults({ conversation })).toEqual([]);
  });

  it('runs again with its answers if the process dies after the answer', async () => {
    const [one] = replicas({ effects: 'read' });
    const question = sentBack(await call(one));
    const [entry] = await open()[0].list({ conversation });
    if (entry === undefined) throw new Error('has no entry');
    const stored = { question: 'sha256:0', action: 'decline' } as const;
    await open()[0].useApproval(question.id, '', { kind: 'answer', answers: [stored] });
    await open()[0].doubt(entry.id);
    const [other] = replicas({ effects: 'read' });

    const outcome = await other.settle(entry.id, { decision: 'run' });

    // The stored answer is to another question.
    const again = sentBack(outcome);
    expect(await other.answerQuestion(again, large)).toMatchObject({ result: 'ordered large' });
    const [ended] = await open()[0].list({ conversation });
    expect(ended?.answers).toMatchObject([{ action: 'accept', content: { size: 'large' } }]);
  });

  describe('when the question has expired', () => {
    const asksBriefly = (more: Partial<ToolDefinition> = {}): Partial<ToolDefinition> => ({
      execute: async (values, context) => {
        try {
          await context.ask({ question: 'Which size?', schema: size, expiresAfter: 1 });
        } catch (error) {
          if (!(error instanceof QuestionUnanswered)) throw error;
          ran.push({ values, key: context.idempotencyKey });
          return `ordered none: ${error.action}`;
        }
        return undefined;
      },
      ...more,
    });
    const expired = async (tools: ToolRegistry): Promise<PendingQuestion> => {
      const question = sentBack(await call(tools));
      await delay(5);
      return question;
    };

    it('the call goes on by itself, once, and its outcome goes to the conversation', async () => {
      const [one, two] = replicas(asksBriefly());
      const question = await expired(one);
      await one.close();
      const three = replica(open()[0], asksBriefly());

      const reports = await Promise.all([two.resume(), three.resume()]);

      expect(reports.flatMap(({ outcomes }) => outcomes)).toMatchObject([
        { status: 'completed', result: 'ordered none: expire' },
      ]);
      expect(ran).toMatchObject([{ values: { n: 1 } }]);
      const [ended] = await open()[1].list({ conversation });
      expect(ended).toMatchObject({ state: 'ended', answers: [{ action: 'expire' }] });
      expect(await two.background.takeResults({ conversation })).toHaveLength(1);
      expect(await two.answerQuestion(question.id, large)).toMatchObject({
        status: 'denied',
        by: 'used',
        message: expect.stringContaining('ordered none: expire'),
      });
      expect(await two.resume()).toEqual({ outcomes: [], inDoubt: [] });
    });

    it('the call fails if its tool needs the answer', async () => {
      const [one, two] = replicas({
        execute: (_values, context) =>
          context.ask({ question: 'Which size?', schema: size, expiresAfter: 1 }),
      });
      await expired(one);

      const { outcomes } = await two.resume();

      const message = 'Nobody answered in time: Which size?';
      expect(outcomes).toMatchObject([{ status: 'failed', reason: 'declared', message }]);
    });

    it('runs with the application values of its call', async () => {
      const [one, two] = replicas({
        execute: async (_values, context) => {
          const asked = context.ask({ question: 'Which size?', schema: size, expiresAfter: 1 });
          return asked.catch((error: unknown) => {
            if (!(error instanceof QuestionUnanswered)) throw error;
            return context.values['shop'];
          });
        },
      });
      await expired(one);

      const { outcomes } = await two.resume({
        context: (entry) => ({ shop: `shop of ${entry.conversation === conversation}` }),
      });

      expect(outcomes).toMatchObject([{ status: 'completed', result: 'shop of true' }]);
    });

    it('an answer and the end of the time are one decision', async () => {
      const [one, two] = replicas(asksBriefly());
      const question = await expired(one);

      const [answered, resumed] = await Promise.all([
        one.answerQuestion(question.id, large),
        two.resume(),
      ]);

      expect(ran).toHaveLength(1);
      const ends = [answered, ...resumed.outcomes].filter(({ status }) => status === 'completed');
      expect(ends).toHaveLength(1);
    });

    it('a call that its tool does not take any more is denied, and says so', async () => {
      const [one] = replicas(asksBriefly());
      await expired(one);
      const inputSchema = { type: 'object', required: ['colour'] } as const;
      const changed = replica(open()[1], { inputSchema });

      expect(await changed.resume()).toEqual({ outcomes: [], inDoubt: [] });
      const [ended] = await open()[0].list({ conversation });
      expect(ended).toMatchObject({ state: 'ended', outcome: { status: 'denied', by: 'journal' } });
      expect(ran).toEqual([]);
    });

    it('questions that are open stay open, and so do those of tools that a process lacks', async () => {
      const [one, two] = replicas();
      await call(one);
      expect(await two.resume()).toEqual({ outcomes: [], inDoubt: [] });
      const other = replica(open()[1], asksBriefly({ name: 'briefly' }));
      await other.call(callOf({ id: 'call_2', name: 'briefly' }), { conversation });
      await delay(5);

      expect(await two.resume()).toEqual({ outcomes: [], inDoubt: [] });
      expect(await open()[0].list({ conversation })).toMatchObject([
        { state: 'waiting' },
        { state: 'waiting' },
      ]);
      expect((await other.resume()).outcomes).toHaveLength(1);
    });
  });

  it('writes no declared secret, and goes on with the whole question', async () => {
    const inputSchema = {
      type: 'object',
      properties: { pin: { type: 'string', 'x-toolmend': { secret: true } } },
    } as const;
    const [one, two] = replicas({ inputSchema });
    const question = sentBack(await call(one, { pin: 's3cret' }));
    const written = JSON.stringify(await open()[0].list({ conversation }));

    expect(written).not.toContain('s3cret');
    await expect(two.answerQuestion(question.id, large)).rejects.toThrow(
      'pass the whole question of the outcome',
    );
    await expect(two.answerQuestion({ ...question, question: 'Other?' }, large)).rejects.toThrow(
      'pass the question of the outcome as it was',
    );
    expect(await two.answerQuestion(question, large)).toMatchObject({ status: 'completed' });
    expect(ran.map(({ values }) => values)).toEqual([{ pin: 's3cret' }]);
  });

  it('runs nothing by the answer of another tenant, or by an approval', async () => {
    const [one, two] = replicas();
    const question = sentBack(await call(one, { n: 1 }, { tenant: 'acme' }));

    for (const options of [{ tenant: 'other' }, {}])
      await expect(two.answerQuestion(question.id, large, options)).rejects.toThrow(
        'The question is of a call of another tenant',
      );
    const approving = new ToolRegistry({ journal: open()[1], approval: {} });
    await expect(
      approving.resolveApproval(question.id, { decision: 'approve' }, { tenant: 'acme' }),
    ).rejects.toThrow('This is the id of a question: pass it to answerQuestion.');
    expect(ran).toEqual([]);
  });
}
