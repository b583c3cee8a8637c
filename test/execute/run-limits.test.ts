// What may one run of an agent do? So many calls and failures in a row, of which the model is told once.
import {
  CallMemory,
  defineTool,
  toolMessage,
  ToolRegistry,
  ToolRetry,
  ToolRun,
  type CallOptions,
} from 'toolmend';
import { RecordingListener } from './recording-listener.ts';

const listener = new RecordingListener();
let mood: 'well' | 'badly' = 'well';
const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const toolOf = (name: string, limits: { callLimit?: number; retryLimit?: number } = {}) =>
  defineTool({
    name,
    description: 'Works.',
    inputSchema,
    ...limits,
    execute: ({ n }) => {
      if (mood === 'badly') throw new ToolRetry('Not like this.');
      return n;
    },
  });
const tools = new ToolRegistry({ listeners: [listener] }).register(
  toolOf('work'),
  toolOf('rare', { callLimit: 1 }),
  toolOf('frail', { retryLimit: 0 }),
);
beforeEach(() => void (mood = 'well'));

async function send(options: CallOptions, name = 'work', sent: unknown = {}): Promise<readonly unknown[]> {
  const outcome = await tools.call({ id: 'c', name, arguments: sent }, options);
  const { text, notes } = toolMessage(outcome);
  return [outcome.status, 'reason' in outcome ? outcome.reason : text, ...notes];
}

it('nothing is counted where no run is given', async () => {
  for (let count = 0; count < 50; count += 1)
    expect(await send({}, 'rare', { n: 1 })).toEqual(['completed', '1']);
});

it('calls of a tool: the last one says so, and the next ones are refused in short', async () => {
  const run = new ToolRun({ callLimitPerTool: 2 });
  expect(await send({ run }, 'work', { n: 1 })).toEqual(['completed', '1']);
  expect(await send({ run }, 'work', { n: 2 })).toEqual([
    'completed',
    '2',
    'This was the last call of work that this run may make (2 in all).',
  ]);
  expect(await send({ run })).toEqual(['limit_exceeded', 'call_limit']);
  expect(listener.events.at(-1)).toEqual({
    type: 'tool_call_refused',
    tool: 'work',
    callId: 'c',
    reason: 'call_limit',
  });
  expect(await send({ run }, 'rare', { n: 1 })).toContain(
    'This was the last call of rare that this run may make (1 in all).',
  );
  expect(await send({ run: new ToolRun() })).toHaveLength(2);
});

it('calls of a run, side by side too: no more are let in than the limit says', async () => {
  const run = new ToolRun({ callLimit: 3 });
  const outcomes = await Promise.all(Array.from({ length: 5 }, (_, n) => send({ run }, 'work', { n })));
  expect(outcomes.map(([outcome]) => outcome)).toEqual([
    'completed',
    'completed',
    'completed',
    'limit_exceeded',
    'limit_exceeded',
  ]);
  expect(outcomes[2]?.[2]).toBe(
    'This was the last call that this run may make (3 in all): finish with what you have.',
  );
});

it('a call that never started doesn’t count', async () => {
  const run = new ToolRun({ callLimitPerTool: 1 });
  expect(await send({ run, signal: AbortSignal.abort() })).toContain('cancelled');
  expect((await send({ run }))[0]).toBe('completed');
});

it('failures in a row: rejected calls and ToolRetry; a result ends the row', async () => {
  const run = new ToolRun();
  mood = 'badly';
  expect((await send({ run }, 'work', { n: 'x' }))[0]).toBe('invalid_arguments');
  expect((await send({ run }, 'work', { n: 1 }))[0]).toBe('retry');
  mood = 'well';
  expect((await send({ run }, 'work', { n: 1 }))[0]).toBe('completed');
  mood = 'badly';
  for (const n of [1, 2, 3]) expect((await send({ run }, 'work', { n }))[0]).toBe('retry');
  expect(await send({ run }, 'work', { n: 4 })).toEqual(['limit_exceeded', 'retry_limit']);
  expect(await send({ run }, 'work', { n: 'x' })).toEqual(['limit_exceeded', 'retry_limit']);
  expect((await send({ run }, 'frail'))[0]).toBe('retry');
  expect(await send({ run }, 'frail')).toEqual(['limit_exceeded', 'retry_limit']);
});

it('calls that were sent side by side fail as one: the model could learn nothing between them', async () => {
  const run = new ToolRun({ retryLimit: 1 });
  const allOf = async (...sent: readonly unknown[]) =>
    (await Promise.all(sent.map((values) => send({ run }, 'work', values)))).map(([outcome]) => outcome);
  expect(await allOf({ n: 'x' }, { n: 'y' }, { n: 'z' })).toEqual([
    'invalid_arguments',
    'invalid_arguments',
    'invalid_arguments',
  ]);
  mood = 'badly';
  expect(await allOf({ n: 1 }, { n: 2 }, { n: 'x' })).toEqual(['retry', 'retry', 'invalid_arguments']);
  expect(await allOf({ n: 1 }, { n: 'x' })).toEqual(['limit_exceeded', 'limit_exceeded']);
});

it('the same call that fails in the same way: said the second time, stopped after the limit', async () => {
  const memory = new CallMemory();
  mood = 'badly';
  const again = 'This same call has now failed in the same way';
  expect(await send({ memory }, 'work', { n: 1 })).toEqual(['retry', 'Not like this.']);
  expect(await send({ memory }, 'work', '{"n": 1}')).toEqual([
    'retry',
    'Not like this.',
    `${again} 2 times in a row. Do not send the same arguments again: change them, or find another way.`,
  ]);
  expect((await send({ memory }, 'work', { n: 1 }))[2]).toContain('3 times in a row. Stop trying');
  expect(await send({ memory }, 'work', { n: 1 })).toEqual(['limit_exceeded', 'repeated']);
  expect(await send({ memory }, 'work', { n: 2 })).toEqual(['retry', 'Not like this.']);
  expect(await send({ memory }, 'work', { n: 1 })).toEqual(['retry', 'Not like this.']);
});
