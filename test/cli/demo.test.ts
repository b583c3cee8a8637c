import { main } from '../../src/cli/main.ts';
import { runToolmend } from './run-toolmend.ts';

const onTerminal = async (columns: number): Promise<string> => {
  let shown = '';
  const stdout = { isTTY: true, columns, write: (text: string) => (shown += text) };
  await main(['demo'], { stdout, stderr: { write: () => undefined } });
  return shown;
};

// eslint-disable-next-line no-control-regex -- a terminal's colours
const colours = /\u001b\[\d+m/g;

// The variables of whoever runs the tests.
beforeEach(() => {
  vi.stubEnv('NO_COLOR', '');
  vi.stubEnv('FORCE_COLOR', '');
});
afterEach(() => void vi.unstubAllEnvs());

test('shows ten calls of models, each with its thread, and what to do next', async () => {
  const { status, stdout, stderr } = await runToolmend('demo');

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/^\d+\/10 /gm)).toHaveLength(10);
  expect(stdout.match(/^ +https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/issues\/\d+$/gm)).toHaveLength(
    10,
  );
  expect(stdout).toContain(
    [
      '2/10    DeepSeek calls read',
      '        https://github.com/anomalyco/opencode/issues/29412',
      '        Optional arguments are null instead of absent.',
      'sent    {"filePath": "src/a.ts", "offset": null, "limit": null}',
      'used    {"filePath":"src/a.ts"}',
      'why     drop_null ×2',
    ].join('\n'),
  );
  expect(stdout).toContain('npx toolmend gateway --upstream URL');
});

test('--json has a line for each call', async () => {
  const { status, stdout } = await runToolmend('demo', '--json');
  const results: readonly unknown[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

  expect(status).toBe(0);
  expect(results).toHaveLength(10);
  expect(results[0]).toEqual({
    model: 'GLM 4.7',
    thread: 'vllm-project/vllm#54971',
    tool: 'list_dir',
    text: '{"path</arg_key>": "/Users/user/Desktop/project"}',
    fault: 'A tag of the chat template sticks to the key.',
    status: 'repaired',
    value: { path: '/Users/user/Desktop/project' },
    repairs: ['rename_key /path<~1arg_key>'],
  });
  expect(results.map((result) => Object(result).status)).toEqual([
    ...Array(9).fill('repaired'),
    'rejected',
  ]);
  expect(results[9]).toMatchObject({
    message: expect.stringContaining('- offset: expected an integer greater than 0, got -1'),
  });
});

test.each([
  { columns: 60, longest: 60 },
  { columns: 10, longest: 40 },
  { columns: 400, longest: 100 },
])('fits into a terminal of $columns columns', async ({ columns, longest }) => {
  const calls = await onTerminal(columns);
  const widths = calls.split('\n').map((line) => line.replaceAll(colours, '').length);

  expect(calls).toMatch(colours);
  expect(calls).toContain('npx toolmend gateway --upstream URL');
  expect(Math.max(...widths)).toBeLessThanOrEqual(longest);
  expect(Math.max(...widths)).toBeGreaterThan(longest - 15);
});

test.each([60, 72, 80, 90, 100])('shows every blank in %d columns', async (columns) => {
  const calls = (await onTerminal(columns)).replaceAll(colours, '');
  const joinedLines = calls.replaceAll(/\n {8}/g, ' ');

  expect(joinedLines.split('hello     world')).toHaveLength(3);
});

describe.each([
  { variable: 'NO_COLOR', value: '1', terminal: false, file: false },
  { variable: 'NO_COLOR', value: '', terminal: true, file: false },
  { variable: 'FORCE_COLOR', value: '1', terminal: true, file: true },
  { variable: 'FORCE_COLOR', value: '0', terminal: true, file: false },
])('with $variable="$value"', ({ variable, value, terminal, file }) => {
  beforeEach(() => void vi.stubEnv(variable, value));

  test(`a terminal has ${terminal ? 'colours' : 'no colours'}`, async () => {
    expect((await onTerminal(80)).match(colours) !== null).toBe(terminal);
  });

  test(`a file has ${file ? 'colours' : 'no colours'}`, async () => {
    expect((await runToolmend('demo')).stdout.match(colours) !== null).toBe(file);
  });
});

test.each([
  ['demo', 'calls.jsonl'],
  ['demo', '--jsn'],
])('toolmend %s %s is refused', async (...args) => {
  expect(await runToolmend(...args)).toMatchObject({ status: 2, stdout: '' });
});
