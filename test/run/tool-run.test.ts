import {
  CallMemory,
  toolMessage,
  ToolRegistry,
  ToolRetry,
  ToolRun,
  type CallOptions,
} from 'toolmend';
import { RecordingListener, toolOf } from '../tools.ts';

const listener = new RecordingListener();
let mood: 'well' | 'badly' = 'well';
const limited = (name: string, limits: { callLimit?: number; retryLimit?: number } = {}) =>
  toolOf(
    ({ n }) => {
      if (mood === 'badly') throw new ToolRetry('Not like this.');
      return n;
    },
    { name, inputSchema: { type: 'object', properties: { n: { type: 'integer' } } }, ...limits },
  );
const tools = new ToolRegistry({ listeners: [listener] }).register(
  limited('work'),
  limited('rare', { callLimit: 1 }),
  limited('frail', { retryLimit: 0 }),
);
beforeEach(() => void (mood = 'well'));

/** The status, the reason or text, and the notes. */
async function send(
  options: CallOptions,
  name = 'work',
  sent: unknown = {},
): Promise<readonly unknown[]> {
  const outcome = await tools.call({ id: 'c', name, arguments: sent }, options);
  const { text, notes } = toolMessage(outcome);
  return [outcome.status, 'reason' in outcome ? outcome.reason : text, ...notes];
}

const statuses = async (options: CallOptions, ...sent: readonly unknown[]) =>
  (await Promise.all(sent.map((values) => send(options, 'work', values)))).map(
    ([status]) => status,
  );

it('without a run, calls are not counted', async () => {
  for (let count = 0; count < 50; count += 1)
    expect(await send({}, 'rare', { n: 1 })).toEqual(['completed', '1']);
});

it('the last call of a tool in a run says so, and later ones are refused', async () => {
  const run = new ToolRun({ callLimitPerTool: 2 });
  const last = (name: string, limit: number) =>
    `This was the last call of ${name} that this run may make (${limit} in all).`;
  expect(await send({ run }, 'work', { n: 1 })).toEqual(['completed', '1']);
  expect(await send({ run }, 'work', { n: 2 })).toEqual(['completed', '2', last('work', 2)]);
  expect(await send({ run })).toEqual(['limit_exceeded', 'call_limit']);
  const refused = { type: 'tool_call_refused', tool: 'work', callId: 'c', reason: 'call_limit' };
  expect(listener.events.at(-1)).toEqual(refused);
  expect(await statuses({ run }, { n: 'x' })).toEqual(['invalid_arguments']);
  expect(await send({ run }, 'rare', { n: 1 })).toContain(last('rare', 1));
  expect(await send({ run: new ToolRun() })).toHaveLength(2);
});

it('calls side by side never exceed the limit of the run', async () => {
  const run = new ToolRun({ callLimit: 3 });
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, (_, n) => send({ run }, 'work', { n })),
  );
  const [completed, refused] = ['completed', 'limit_exceeded'];
  expect(outcomes.map(([status]) => status)).toEqual([
    completed,
    completed,
    completed,
    refused,
    refused,
  ]);
  expect(outcomes[4]).toEqual([refused, 'run_limit']);
  const note =
    'This was the last call that this run may make (3 in all): finish with what you have.';
  expect(outcomes[2]?.[2]).toBe(note);
});

it('a call that never started doesn’t count', async () => {
  const run = new ToolRun({ callLimitPerTool: 1, callLimit: 1 });
  expect(await send({ run, signal: AbortSignal.abort() })).toContain('cancelled');
  expect((await send({ run }))[0]).toBe('completed');
});

it('invalid calls and ToolRetry count as failures in a row until a call completes', async () => {
  const run = new ToolRun();
  mood = 'badly';
  expect(await statuses({ run }, { n: 'x' })).toEqual(['invalid_arguments']);
  expect(await statuses({ run }, { n: 1 })).toEqual(['retry']);
  mood = 'well';
  expect(await statuses({ run }, { n: 1 })).toEqual(['completed']);
  mood = 'badly';
  for (const n of [1, 2, 3]) expect(await statuses({ run }, { n })).toEqual(['retry']);
  expect(await send({ run }, 'work', { n: 4 })).toEqual(['limit_exceeded', 'retry_limit']);
  expect(await send({ run }, 'work', { n: 'x' })).toEqual(['limit_exceeded', 'retry_limit']);
  expect((await send({ run }, 'frail'))[0]).toBe('retry');
  expect(await send({ run }, 'frail')).toEqual(['limit_exceeded', 'retry_limit']);
});

it('calls side by side fail as one, because the model could learn nothing between them', async () => {
  const run = new ToolRun({ retryLimit: 1 });
  const invalid = 'invalid_arguments';
  expect(await statuses({ run }, { n: 'x' }, { n: 'y' }, { n: 'z' })).toEqual([
    invalid,
    invalid,
    invalid,
  ]);
  mood = 'badly';
  expect(await statuses({ run }, { n: 1 }, { n: 2 }, { n: 'x' })).toEqual([
    'retry',
    'retry',
    invalid,
  ]);
  expect(await statuses({ run }, { n: 1 }, { n: 'x' })).toEqual([
    'limit_exceeded',
    'limit_exceeded',
  ]);
});

it('the same failing call gets a note the second time, and is stopped after the limit', async () => {
  const memory = new CallMemory();
  mood = 'badly';
  const once = ['retry', 'Not like this.'];
  const again = 'This same call has now failed in the same way';
  expect(await send({ memory }, 'work', { n: 1 })).toEqual(once);
  expect(await send({ memory }, 'work', '{"n": 1}')).toEqual([
    ...once,
    `${again} 2 times in a row. Do not send the same arguments again: change them, or find another way.`,
  ]);
  expect((await send({ memory }, 'work', { n: 1 }))[2]).toContain('3 times in a row. Stop trying');
  expect(await send({ memory }, 'work', { n: 1 })).toEqual(['limit_exceeded', 'repeated']);
  expect(await send({ memory }, 'work', { n: 2 })).toEqual(once);
  expect(await send({ memory }, 'work', { n: 1 })).toEqual(once);
});
