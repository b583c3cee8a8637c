// One process of the crash test: runs calls on a journal and kills itself at a point that its
// arguments name.
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JsonObject,
  QuestionUnanswered,
  type ToolContext,
  type ToolOutcome,
  ToolRegistry,
  defineTool,
} from '../../src/index.ts';
import type { Journal } from '../../src/store/call-store.ts';
import { openJournal } from '../../src/journal/index.ts';
import { conversation, isAnswered, leaseMs, toolOfCall } from './crash-plan.ts';

const { values: args } = parseArgs({
  options: {
    folder: { type: 'string' },
    url: { type: 'string' },
    log: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    calls: { type: 'string', default: '0' },
    point: { type: 'string', default: '' },
    nth: { type: 'string', default: '1' },
  },
});

let left = Number(args.nth);
/** Dies at the wanted point, without any chance to clean up. */
function reach(point: string): void {
  if (point === args.point && --left === 0) process.kill(process.pid, 'SIGKILL');
}

const log = (...words: readonly string[]): void => appendFileSync(args.log, `${words.join(' ')}\n`);

/** The journal, with points before, during and after each of its methods. */
function crashing(journal: Journal): Journal {
  return new Proxy(journal, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...parameters: readonly unknown[]) => {
        reach(`before ${String(name)}`);
        const result: unknown = Reflect.apply(member, target, parameters);
        // The statement is on its way.
        setImmediate(() => reach(`during ${String(name)}`));
        const value = await result;
        reach(`after ${String(name)}`);
        return value;
      };
    },
  });
}

const execute = async (
  _values: JsonObject,
  { call, idempotencyKey }: ToolContext,
): Promise<string> => {
  const result = crypto.randomUUID();
  reach('before effect');
  log('effect', call.id, idempotencyKey, result);
  reach('after effect');
  await sleep(Math.random() * 4);
  return result;
};

/** Its effect is a row that is committed with the outcome. */
const book = async (
  _values: JsonObject,
  { call, idempotencyKey, transaction }: ToolContext,
): Promise<string> => {
  const result = crypto.randomUUID();
  reach('before effect');
  await transaction.query('insert into booked (call_id, key, result) values ($1, $2, $3)', [
    call.id,
    idempotencyKey,
    result,
  ]);
  reach('after effect');
  await sleep(Math.random() * 4);
  return result;
};

const schema = {
  type: 'object',
  properties: { index: { type: 'integer' } },
  required: ['index'],
} as const;

/** Asks which call it is, and then works. The answer to another call is a failure. */
const asking =
  (work: typeof execute, expiresAfter: number): typeof execute =>
  async (values, context) => {
    try {
      const question = `Which index has ${context.call.id}?`;
      const { index } = await context.ask({ question, schema, expiresAfter });
      if (index !== values['index']) throw new Error(`${context.call.id} got ${index}`);
    } catch (error) {
      if (!(error instanceof QuestionUnanswered)) throw error;
    }
    return work(values, context);
  };

const tool = (name: string, options: object, code = execute) =>
  defineTool({
    name,
    description: 'Works.',
    inputSchema: { type: 'object' },
    ...options,
    execute: code,
  });

const { folder, url } = args;
const store = folder === undefined ? { connectionString: url ?? '' } : { folder };
const journal = await openJournal({ ...store, leaseMs });
const tools = new ToolRegistry({ journal: crashing(journal), approval: {} }).register(
  tool('read', { effects: 'read' }),
  tool('charge', { effects: 'write' }),
  tool('put', { effects: 'write', idempotent: true }),
  tool('refund', { effects: 'destructive' }),
  tool('book', { effects: 'write', transactional: true }, book),
  tool('order', { effects: 'write' }, asking(execute, 60_000)),
  tool('lapse', { effects: 'write' }, asking(execute, 20)),
  tool('seat', { effects: 'write', transactional: true }, asking(book, 60_000)),
);

/** Decides and answers as a person does, by what came over the network. */
async function decide(outcome: ToolOutcome, index: number): Promise<ToolOutcome> {
  if (outcome.status === 'approval_required') {
    const approval: unknown = JSON.parse(JSON.stringify(outcome.approval));
    return tools.resolveApproval(approval, { decision: 'approve' });
  }
  if (outcome.status !== 'input_required' || !isAnswered(outcome.tool)) return outcome;
  const question: unknown = JSON.parse(JSON.stringify(outcome.question));
  return tools.answerQuestion(question, { action: 'accept', content: { index } });
}

async function runCall(index: number): Promise<void> {
  const id = `call_${index}`;
  const asked = await tools.call(
    { id, name: toolOfCall(index), arguments: JSON.stringify({ index }) },
    { conversation },
  );
  const outcome = await decide(asked, index);
  if (outcome.status === 'completed') log('returned', id, outcome.content.text);
}

await tools.resume();
const from = Number(args.from);
const indexes = Array.from({ length: Number(args.calls) }, (_, offset) => from + offset);
const lanes = [0, 1, 2, 3].map(async (lane) => {
  for (const index of indexes.filter((number) => number % 4 === lane)) await runCall(index);
});
await Promise.all(lanes);
await tools.resume();
await tools.close();
await journal.close();
