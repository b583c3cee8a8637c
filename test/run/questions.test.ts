import {
  CallMemory,
  type CallOptions,
  DefinitionError,
  type InputRequired,
  type JsonObject,
  QuestionUnanswered,
  RecordError,
  type RegistryOptions,
  RepairStats,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  ToolFailure,
  toolMessage,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import { z } from 'zod';
import { callOf, RecordingListener, toolOf } from '../tools.ts';

const sizeSchema = {
  type: 'object',
  properties: { size: { enum: ['small', 'large'] }, count: { type: 'integer', default: 1 } },
  required: ['size'],
} as const;
const question = 'Which size?';
const accept = (content: unknown) => ({ action: 'accept', content }) as const;

const steps: string[] = [];
beforeEach(() => void steps.splice(0));

const askSize = async (_values: JsonObject, context: ToolContext): Promise<string> => {
  steps.push('before');
  const { size, count } = await context.ask({ question, schema: sizeSchema });
  steps.push(`after ${size}`);
  return `${count} ${size}`;
};

const registryOf = (
  execute: ToolDefinition['execute'] = askSize,
  options: Partial<ToolDefinition> = {},
  registry: RegistryOptions = {},
) => new ToolRegistry(registry).register(toolOf(execute, options));

function asking(outcome: ToolOutcome): InputRequired {
  if (outcome.status !== 'input_required') throw new Error(`is ${outcome.status}`);
  return outcome;
}

const ask = async (tools: ToolRegistry, call: Partial<ToolCall> = {}, options: CallOptions = {}) =>
  asking(await tools.call(callOf(call), options));

it('ends the call as input_required, and goes on with the answer from the start', async () => {
  const tools = registryOf();

  const waiting = await ask(tools);

  expect(waiting).toMatchObject({ why: 'asked', question: { question, schema: sizeSchema } });
  expect(toolMessage(waiting)).toEqual({
    text: 'work has not finished. It has asked a person: Which size?\nDo not send this call again: the result will follow.',
    notes: [],
    isError: false,
  });
  const sentBack: unknown = JSON.parse(JSON.stringify(waiting.question));
  const outcome = await tools.answerQuestion(sentBack, accept({ size: 'large', count: 3 }));
  expect(outcome).toMatchObject({ status: 'completed', result: '3 large' });
  expect(steps).toEqual(['before', 'before', 'after large']);
});

it('takes the id of the question, and keeps the repairs of the call', async () => {
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } };
  const tools = registryOf(
    async ({ n }, context) => {
      const { size } = await context.ask({ question, schema: sizeSchema });
      return [n, size];
    },
    { inputSchema },
  );

  const { question: asked } = await ask(tools, { arguments: '{"n": "5"}' });

  const outcome = await tools.answerQuestion(asked.id, accept({ size: 'small' }));
  expect(outcome).toMatchObject({
    result: [5, 'small'],
    interpretation: { repairs: [{ rule: 'text_to_integer', path: '/n' }] },
  });
});

it.each([
  ['as it is', { size: 'large', count: 2 }, '2 large'],
  ['with a default', { size: 'large' }, '1 large'],
  ['as JSON text', '{"size":"large","count":2}', '2 large'],
  ['in another spelling', { Size: 'Large', count: '2' }, '2 large'],
])('takes an answer %s', async (_how, content, result) => {
  const tools = registryOf();
  const { question: asked } = await ask(tools);

  expect(await tools.answerQuestion(asked, accept(content))).toMatchObject({ result });
});

it('refuses an answer that does not match, and leaves the question open', async () => {
  const tools = registryOf();
  const { question: asked } = await ask(tools);

  const refused = await tools.answerQuestion(asked, accept({ size: 'huge' }));

  expect(refused).toMatchObject({ status: 'input_required', why: 'refused', question: asked });
  expect(asking(refused).issues).toMatchObject([{ keyword: 'enum', path: '/size' }]);
  expect(asking(refused).problem).toMatch(/^The answer was not accepted\.\n.*size/);
  expect(steps).toEqual(['before']);
  expect(await tools.answerQuestion(asked, accept({}))).toMatchObject({ why: 'refused' });
  expect(await tools.answerQuestion(asked, accept({ size: 'small' }))).toMatchObject({
    result: '1 small',
  });
});

it('counts one of two answers, and tells the other what became of the call', async () => {
  const tools = registryOf();
  const { question: asked } = await ask(tools);

  const outcomes = await Promise.all([
    tools.answerQuestion(asked, accept({ size: 'small' })),
    tools.answerQuestion(asked, accept({ size: 'large' })),
  ]);
  const late = await tools.answerQuestion(asked, accept({ size: 'large' }));

  expect(outcomes).toMatchObject([
    { status: 'completed', result: '1 small' },
    {
      status: 'denied',
      by: 'used',
      message:
        'work has its answer already, and has not ended yet. Do not send it again: the result will follow.',
    },
  ]);
  expect(late).toMatchObject({ by: 'used', message: 'work was executed before: 1 small' });
  expect(steps.filter((step) => step.startsWith('after'))).toEqual(['after small']);
});

describe('several questions', () => {
  const askTwice: ToolDefinition['execute'] = async (_values, context) => {
    const { size } = await context.ask({ question, schema: sizeSchema });
    const { sure } = await context.ask({
      question: `Sure about ${size}?`,
      schema: z.object({ sure: z.boolean() }),
    });
    return `${size} ${sure}`;
  };

  it('are asked one after the other', async () => {
    const tools = registryOf(askTwice);
    const { question: first } = await ask(tools);
    const second = asking(await tools.answerQuestion(first, accept({ size: 'small' })));

    expect(second.question).toMatchObject({ question: 'Sure about small?' });
    expect(await tools.answerQuestion(first, accept({ size: 'large' }))).toMatchObject({
      status: 'denied',
      by: 'used',
    });
    const outcome = await tools.answerQuestion(second.question, accept({ sure: 'true' }));
    expect(outcome).toMatchObject({ result: 'small true' });
  });

  it('that are asked at once are asked one after the other, too', async () => {
    const tools = registryOf(async (_values, context) => {
      const answers = await Promise.all(
        ['A?', 'B?'].map((text) =>
          context.ask<{ text: string }>({
            question: text,
            schema: { type: 'object', properties: { text: { type: 'string' } } },
          }),
        ),
      );
      return answers.map(({ text }) => text);
    });
    const first = await ask(tools);
    const second = asking(await tools.answerQuestion(first.question, accept({ text: 'a' })));

    expect([first.question.question, second.question.question]).toEqual(['A?', 'B?']);
    expect(await tools.answerQuestion(second.question, accept({ text: 'b' }))).toMatchObject({
      result: ['a', 'b'],
    });
  });

  it('asks again what is asked otherwise on the second run', async () => {
    let price = 20;
    const tools = registryOf(async (_values, context) => {
      const { buy } = await context.ask<{ buy: boolean }>({
        question: `Buy for ${price}?`,
        schema: { type: 'object', properties: { buy: { type: 'boolean' } } },
      });
      return `${price} ${buy}`;
    });
    const { question: first } = await ask(tools);
    price = 21;

    const again = asking(await tools.answerQuestion(first, accept({ buy: true })));

    expect(again).toMatchObject({ why: 'asked', question: { question: 'Buy for 21?' } });
    expect(await tools.answerQuestion(again.question, accept({ buy: false }))).toMatchObject({
      result: '21 false',
    });
  });
});

it('asks again if the schema of a library refuses the answer by more than JSON Schema', async () => {
  const even = z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') });
  const tools = registryOf(async (_values, context) => {
    const { n } = await context.ask({ question: 'Which number?', schema: even });
    return n / 2;
  });
  const { question: first } = await ask(tools);

  const refused = asking(await tools.answerQuestion(first, accept({ n: 3 })));

  expect(refused).toMatchObject({ why: 'refused', issues: [{ keyword: 'check', path: '/n' }] });
  expect(refused.problem).toContain('must be even');
  expect(await tools.answerQuestion(refused.question, accept({ n: 4 }))).toMatchObject({
    result: 2,
  });
});

describe('without an answer', () => {
  it.each([
    ['decline', 'The person did not want to answer: Which size?'],
    ['cancel', 'The person closed this question without an answer: Which size?'],
  ] as const)('the call fails (%s)', async (action, message) => {
    const tools = registryOf();
    const { question: asked } = await ask(tools);

    const outcome = await tools.answerQuestion(asked, { action });

    expect(outcome).toMatchObject({ status: 'failed', reason: 'declared', message });
  });

  it('a tool may go on', async () => {
    const tools = registryOf(async (_values, context) => {
      try {
        return (await context.ask({ question, schema: sizeSchema })).size;
      } catch (error) {
        if (error instanceof QuestionUnanswered) return `no size: ${error.action}`;
        throw error;
      }
    });
    const { question: asked } = await ask(tools);

    const outcome = await tools.answerQuestion(asked, { action: 'decline' });

    expect(outcome).toMatchObject({ status: 'completed', result: 'no size: decline' });
  });

  it('an answer that comes too late is not taken', async () => {
    const expiresAfter = 60_000;
    const tools = registryOf(async (_values, context) => {
      const { size } = await context.ask({ question, schema: sizeSchema, expiresAfter });
      return size;
    });
    const { question: asked } = await ask(tools);
    const { now } = Date;
    Date.now = () => now() + expiresAfter + 1;

    const outcome = await tools
      .answerQuestion(asked, accept({ size: 'small' }))
      .finally(() => (Date.now = now));

    const message = 'Nobody answered in time: Which size?';
    expect(outcome).toMatchObject({ status: 'failed', reason: 'declared', message });
  });
});

describe('code that does not let the question end it', () => {
  it.each<readonly [string, ToolDefinition['execute']]>([
    [
      'catches the error',
      async (_values, context) => {
        try {
          return (await context.ask({ question, schema: sizeSchema })).size;
        } catch {
          return 'none';
        }
      },
    ],
    [
      'throws another one',
      async (_values, context) => {
        try {
          return (await context.ask({ question, schema: sizeSchema })).size;
        } catch {
          throw new ToolFailure('no size');
        }
      },
    ],
    [
      'reports progress',
      async function* (_values, context) {
        yield 'asking';
        const { size } = await context.ask({ question, schema: sizeSchema });
        return size;
      },
    ],
  ])('%s, and the call waits all the same', async (_what, execute) => {
    const tools = registryOf(execute);
    const { question: asked } = await ask(tools);

    expect(await tools.answerQuestion(asked, accept({ size: 'small' }))).toMatchObject({
      status: 'completed',
      result: 'small',
    });
  });

  it('runs what stands in finally', async () => {
    const tools = registryOf(async (_values, context) => {
      try {
        await context.ask({ question, schema: sizeSchema });
      } finally {
        steps.push('released');
      }
    });

    await ask(tools);

    expect(steps).toEqual(['released']);
  });
});

it('names the work by one key in all runs', async () => {
  const keys: string[] = [];
  const tools = registryOf(async (_values, context) => {
    keys.push(context.idempotencyKey);
    await context.ask({ question, schema: sizeSchema });
  });
  const { question: asked } = await ask(tools);
  await tools.answerQuestion(asked, accept({ size: 'small' }));

  expect(keys).toEqual([keys[0], keys[0]]);
});

it('answers while the caller waits, with elicit', async () => {
  const tools = registryOf();
  const asked: string[] = [];
  const answers = [accept({ size: 'huge' }), accept({ size: 'large' })];

  const outcome = await tools.call(callOf(), {
    elicit: async ({ question: text }) => {
      asked.push(text);
      return answers.shift();
    },
  });

  expect(outcome).toMatchObject({ status: 'completed', result: '1 large' });
  expect(asked).toEqual([question, question]);
});

it.each([
  ['has no answer', () => undefined],
  [
    'throws',
    () => {
      throw new Error('closed');
    },
  ],
])('leaves the question open if elicit %s', async (_what, elicit) => {
  const tools = registryOf();

  const { question: asked } = await ask(tools, {}, { elicit });

  expect(await tools.answerQuestion(asked, accept({ size: 'small' }))).toMatchObject({
    status: 'completed',
  });
});

it('is asked by the calling tool too, which waits and goes on with the answer', async () => {
  const listener = new RecordingListener();
  const tools = registryOf(askSize, { name: 'inner' }, { listeners: [listener] });
  const outer = async (_values: JsonObject, context: ToolContext): Promise<string> => {
    const inner = await tools.call(callOf({ id: 'inner_1', name: 'inner' }), {
      parent: context,
      elicit: async ({ question: text, schema }) =>
        accept(await context.ask({ question: text, schema })),
    });
    return toolMessage(inner).text;
  };
  tools.register(toolOf(outer, { name: 'outer' }));

  const { question: asked, tool } = await ask(tools, { name: 'outer' });
  expect({ tool, text: asked.question }).toEqual({ tool: 'outer', text: question });
  expect(await tools.answerQuestion(asked, accept({ size: 'Large' }))).toMatchObject({
    status: 'completed',
    result: '1 large',
  });
  expect(steps.filter((step) => step.startsWith('after'))).toEqual(['after large']);
  expect(listener.errors).toEqual([]);
});

it('passes interceptors, approvals and the slot again', async () => {
  const seen: unknown[] = [];
  const tools = registryOf(
    async ({ n }, context) => {
      const { size } = await context.ask({ question, schema: sizeSchema });
      return [n, size];
    },
    { effects: 'destructive', concurrency: 'exclusive' },
    {
      approval: {},
      interceptors: [
        async (call, next) => {
          seen.push(call.approval);
          return next({ ...call.arguments, n: 2 });
        },
      ],
    },
  );
  const waiting = await tools.call(callOf({ arguments: { n: 1 } }));
  if (waiting.status !== 'approval_required') throw new Error(waiting.status);
  const { question: asked } = asking(
    await tools.resolveApproval(waiting.approval, { decision: 'approve' }),
  );

  const outcome = await tools.answerQuestion(asked, accept({ size: 'small' }));

  expect(outcome).toMatchObject({ status: 'completed', result: [2, 'small'] });
  expect(seen).toEqual(['none', 'given', 'given']);
});

it('tells listeners of the question, and counts the call once', async () => {
  const [listener, stats] = [new RecordingListener(), new RepairStats()];
  const tools = registryOf(askSize, {}, { listeners: [listener, stats] });
  const { question: asked } = await ask(tools);
  await tools.answerQuestion(asked, accept({ size: 'huge' }));
  await tools.answerQuestion(asked, accept({ size: 'small' }));

  expect(listener.events).toMatchObject([
    { type: 'tool_question_asked', tool: 'work', callId: 'call_1', reason: 'asked' },
    { type: 'tool_question_asked', reason: 'refused' },
    { type: 'tool_executed', status: 'completed' },
  ]);
  expect(stats.snapshot()).toMatchObject({ '(unknown model)': { work: { unchanged: 1 } } });
});

it('does not hold a call that asks against the model', async () => {
  const memory = new CallMemory();
  const tools = registryOf();
  await ask(tools, {}, { memory });

  expect((await ask(tools, {}, { memory })).notes).toBeUndefined();
});

it('goes on in the background under the same handle', async () => {
  const tools = registryOf(askSize, { background: 'always' });
  const started = await tools.call(callOf());
  if (started.status !== 'in_background') throw new Error(started.status);
  const { handle } = started;

  const waiting = await tools.background.wait(handle, 60_000);
  expect(waiting).toMatchObject({ state: 'waiting', waitsFor: 'answer', question: { question } });
  const asked: unknown = Reflect.get(Object(waiting), 'question');
  const goesOn = await tools.answerQuestion(asked, accept({ size: 'small' }));
  expect(goesOn).toMatchObject({ status: 'in_background', handle });
  expect(await tools.background.wait(handle, 60_000)).toMatchObject({
    state: 'ended',
    outcome: { result: '1 small' },
  });
});

describe('refuses', () => {
  it.each([
    ['an unknown id', '7f3b0e0e-0000-4000-8000-000000000000', 'There is no question with this id'],
    ['anything else', { format: 'toolmend.approval' }, 'The data is not a question'],
  ])('%s', async (_what, data, message) => {
    const answer = registryOf().answerQuestion(data, accept({}));

    await expect(answer).rejects.toThrow(RecordError);
    await expect(answer).rejects.toThrow(message);
  });

  it('an answer of another form', async () => {
    const tools = registryOf();
    const { question: asked } = await ask(tools);

    const answer = Reflect.apply(tools.answerQuestion, tools, [asked, { action: 'acept' }]);

    await expect(answer).rejects.toThrow(DefinitionError);
  });

  it('the question of another tenant', async () => {
    const tools = registryOf();
    const { question: asked } = await ask(tools, {}, { tenant: 'acme' });

    await expect(tools.answerQuestion(asked, accept({ size: 'small' }))).rejects.toThrow(
      'The question is of a call of another tenant: pass the tenant of that call, answerQuestion(question, answer, { tenant }).',
    );
  });

  it('a question whose members differ, and returns the true one', async () => {
    const tools = registryOf();
    const { question: asked } = await ask(tools);

    const outcome = await tools.answerQuestion({ ...asked, schema: {} }, accept({ size: 'x' }));

    expect(outcome).toMatchObject({ status: 'input_required', why: 'changed', question: asked });
    expect(steps).toEqual(['before']);
  });

  it.each([
    [{ type: 'string' }, 'has an input schema that'],
    [
      { type: 'object', properties: { pin: { type: 'string', 'x-toolmend': { secret: true } } } },
      'asks for a secret',
    ],
  ])('the schema %j', async (schema, message) => {
    const listener = new RecordingListener();
    const tools = registryOf(
      (_values, context) => context.ask({ question, schema }),
      {},
      {
        listeners: [listener],
      },
    );

    expect(await tools.call(callOf())).toMatchObject({ status: 'failed', reason: 'exception' });
    expect(listener.errors.map(({ error }) => String(error))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it('answers after the registry was closed', async () => {
    const tools = registryOf();
    const { question: asked } = await ask(tools);
    await tools.close();

    await expect(tools.answerQuestion(asked, accept({ size: 'small' }))).rejects.toThrow(
      'the question is still open: answer it in another process',
    );
  });
});
