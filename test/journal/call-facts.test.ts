// What a journal says of the calls of a registry: models, runs, releases, rules and issues.
import { ToolFailure, ToolRegistry, ToolRun } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { callTo, closedTool, toolOf } from '../tools.ts';

const text = { type: 'string' } as const;
const secret = {
  type: 'object',
  additionalProperties: { type: 'integer' },
  writeOnly: true,
} as const;

const read = closedTool(
  'read_file',
  () => 'text',
  { path: text, limit: { type: 'integer' } },
  {
    required: ['path'],
  },
);
const login = closedTool('login', () => 'in', {
  user: text,
  tokens: secret,
  tries: { type: 'integer' },
});
const fail = toolOf(
  () => {
    throw new ToolFailure('is down');
  },
  { name: 'fail' },
);

const openTools = async () => {
  const journal = await openJournal();
  const tools = new ToolRegistry({ journal, release: '1.8.0' }).register(read, login, fail);
  return { journal, tools };
};

it('has the model, the run, the release and the provider of every call, also of rejected ones', async () => {
  const { journal, tools } = await openTools();
  const run = new ToolRun({ id: 'run-1' });
  const sent = [
    callTo('read_file', { path: 'a' }),
    callTo('readFile', { path: 'a', limit: '5' }),
    callTo('read_file', { limit: 5 }),
    callTo('no_such_tool', {}),
    callTo('fail', {}),
  ].map((call, at) => ({ ...call, id: `call_${at}`, model: 'small', provider: 'openai' as const }));
  for (const call of sent) await tools.call(call, { run });

  const entries = await journal.list({ run: 'run-1' });
  expect(
    entries.map(({ callId, tool, status, rules, issues }) => [callId, tool, status, rules, issues]),
  ).toEqual([
    ['call_4', 'fail', 'failed', [], []],
    ['call_3', 'no_such_tool', 'rejected', [], [{ keyword: 'unknown_tool', path: '' }]],
    ['call_2', 'read_file', 'rejected', [], [{ keyword: 'required', path: '', key: 'path' }]],
    ['call_1', 'read_file', 'repaired', ['tool_name', 'text_to_integer'], []],
    ['call_0', 'read_file', 'valid', [], []],
  ]);
  for (const entry of entries)
    expect(entry).toMatchObject({
      model: 'small',
      release: '1.8.0',
      run: 'run-1',
      provider: 'openai',
    });
  expect(await journal.stats({ by: 'release' })).toEqual([
    { release: '1.8.0', calls: 5, valid: 1, repaired: 1, rejected: 2, failed: 1 },
  ]);
});

it('has what was sent, what ran, and what the model read', async () => {
  const { journal, tools } = await openTools();
  await tools.call(callTo('read_file', '{"path": "a", "limit": "5"}'));
  await tools.call(callTo('read_file', '{"limit": 5}', { id: 'call_2' }));

  const [rejected, repaired] = await journal.list({});
  expect(repaired).toMatchObject({
    sent: '{"path": "a", "limit": "5"}',
    call: {
      arguments: '{"path":"a","limit":5}',
      repairs: [{ rule: 'text_to_integer', path: '/limit' }],
    },
    outcome: { status: 'completed', content: { text: 'text' } },
    attempts: 1,
  });
  expect(rejected).toMatchObject({
    sent: '{"limit": 5}',
    outcome: {
      status: 'invalid_arguments',
      message: expect.stringContaining('path is missing') as unknown,
    },
  });
});

it('has no secret, not even as a key', async () => {
  const { journal, tools } = await openTools();
  await tools.call(callTo('login', { user: 'ada', tokens: { hunter2: '5' }, tries: '1' }));
  await tools.call(
    callTo('login', { user: 'ada', tokens: { hunter2: 'x' }, tries: 'x' }, { id: 'b' }),
  );
  await tools.call(callTo('login', { user: 'ada', tokens: ['hunter2'], tries: 'x' }, { id: 'c' }));

  const entries = await journal.list({});
  expect(entries.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'repaired']);
  expect(JSON.stringify(entries)).not.toContain('hunter2');
  expect(JSON.stringify(await journal.stats({ by: 'issue' }))).not.toContain('hunter2');
});

it('shortens names that a model made up', async () => {
  const { journal, tools } = await openTools();
  await tools.call(callTo('x'.repeat(5000), {}, { model: 'm'.repeat(5000) }));

  const [entry] = await journal.list({});
  expect(entry?.tool).toBe('x'.repeat(200));
  expect(entry?.model).toBe('m'.repeat(200));
});

it('refuses a release that is no text', () => {
  expect(() => new ToolRegistry({ release: Object(1.8) })).toThrow(
    "write the version of the application, '1.8.0'",
  );
});
