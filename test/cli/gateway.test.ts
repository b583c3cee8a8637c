// What the command refuses before it listens.
import { runToolmend } from './run-toolmend.ts';

const url = 'http://127.0.0.1:9/v1';

test.each([
  [['--upstream', url, '--port', 'abc'], 'has "abc" for port: write a number from 0 to 65535'],
  [['--upstream', url, '--port', ''], 'has "" for port'],
  [['--upstream', url, '--retry', 'x'], 'has "x" for retries: write an integer, at least 0'],
  [['--upstream', url, '--retry', '-1'], 'retry'],
  [
    ['--upstream', url, '--calls-in-text=some'],
    "has \"some\" for callsInText: write 'all', or 'marked'",
  ],
  [['--upstream', url, '--calls-in-text', '--drain', 'x'], 'has "x" for drain'],
  [['--upstream', url, '--log-contents'], 'has logContents without a log'],
  [['--upstream', 'http://me:s3cret@h/v1'], '--upstream has a user name or a password'],
  [
    ['--upstream', 'localhost:11434'],
    '--upstream is not a URL of http or https: write a URL that begins with http://',
  ],
  [
    ['--upstream', url, '--hints', 'foo'],
    '--hints foo is not known: write --hints, or --hints learn',
  ],
  [['--upstream', url, '--calls-in-text', 'some'], 'has "some" for callsInText'],
  [
    ['--upstream', url, '--log', '/no-such-folder/calls.jsonl'],
    '--log /no-such-folder/calls.jsonl is in a folder that does not exist: make the folder first',
  ],
  [['--upstream', url, '--log', import.meta.dirname], 'is a folder: name a file in it'],
  [[], 'or write upstreams in toolmend.config.json'],
  [['--key-env', 'KEY', '--config', 'none.json'], 'there is no file none.json'],
  [['--config', import.meta.dirname], `${import.meta.dirname} is a folder, not a file`],
  [
    ['--upstream', url, '--hints-file', '/no-such-folder/hints.json'],
    'the folder /no-such-folder is not there: make it, or name another file.',
  ],
])('gateway %j', async (args, message) => {
  const { status, stderr } = await runToolmend('gateway', ...args);

  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/NaN|s3cret/);
});

test.each([
  [['--host', '0.0.0.0', '--', 'node'], '--host has an effect only with --port'],
  [
    ['--allow-origin', 'https://a.example', '--', 'node'],
    '--allow-origin has an effect only with --port',
  ],
  [['--drain', '1s', '--', 'node'], '--drain has an effect only with --port'],
  [['--port', '0', '--drain', 'x', '--', 'node'], '--drain x: write a number with ms, s or m'],
  [['--log-contents', '--', 'node'], '--log-contents has an effect only with --log'],
  [['--header', 'A: b', '--', 'node'], '--header has an effect only with --url'],
  [
    ['--env', 'HOME', '--url', 'http://127.0.0.1:9/mcp'],
    '--env has an effect only with a command behind --',
  ],
  [['--port', '0', '--allow-origin', 'a.example', '--', 'node'], '--allow-origin is not an origin'],
  [['--port', '0', '--allow-host', 'https://a', '--', 'node'], '--allow-host is not a name'],
  [['--url', 'http://me:s3cret@h/mcp'], '--url has a user name or a password'],
  [['node', 'x.mjs', '--stdio'], 'Write the command of a server behind --'],
  [
    ['--url', url, '--header', 'A: ${NO_SUCH}'],
    '--header A needs the environment variable NO_SUCH: set it',
  ],
])('mcp %j', async (args, message) => {
  const { status, stderr } = await runToolmend('mcp', ...args);

  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('s3cret');
});
