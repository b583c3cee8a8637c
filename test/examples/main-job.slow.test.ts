import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Body, startBodyServer } from '../adapters/scripted-server.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { buildCopy, copyOfProject } from './built-copy.ts';
import { runMainJob, runNpmStart } from './run-main-job.ts';

const folder = copyOfProject();
beforeAll(() => {
  expect(buildCopy(folder).compilerOutput).toBe('');
});

const answerOf = (message: object, finish_reason: string): Body => ({
  json: { choices: [{ finish_reason, message: { role: 'assistant', content: null, ...message } }] },
});
const callReply = (name: string, sent: unknown, finishReason = 'tool_calls'): Body => {
  const call = { id: 'call_7', type: 'function', function: { name, arguments: sent } };
  return answerOf({ tool_calls: [call] }, finishReason);
};
const textReply = (content: string): Body => answerOf({ content }, 'stop');

const workspacesIn = (temporary: string): string[] =>
  readdirSync(temporary).filter((name) => name.startsWith('toolmend-workspace-'));

describe('npm start', () => {
  it('shows each call and the table, and leaves nothing behind', async () => {
    const temporary = temporaryFolder();
    const { status, output } = await runNpmStart({ folder: copyOfProject(), temporary });
    expect(output).toContain('Building the package …\nCompiling the examples …\n');
    expect(output).toMatch(/^All 24 calls and all files came out as expected\.$/m);
    expect(status).toBe(0);
    expect(workspacesIn(temporary)).toEqual([]);
    expect(output).toContain(
      [
        'z-ai/glm-5.2',
        '  edit_file  earendil-works/pi#7835',
        `    sent      {"path":"src/greeting.js","edits":{"replace":"'Hello, ' + name","find":"'Hello ' + name"}}`,
        '    repaired  wrap_in_array at /edits, was an object with "replace", "find"',
        '    result    src/greeting.js: 1 place changed.',
      ].join('\n'),
    );
    expect(output).toContain('    rejected  run_command was not executed.');
    expect(output).toMatch(/^ {2}model +valid +repaired +rejected +rules$/m);
    expect(output).toMatch(/^ {2}DeepSeek +0 +2 +0 +drop_null 1, json_text_to_array 1$/m);
    expect(output).toMatch(/^ {2}GLM-5\.1 +1 +0 +1$/m);
    expect(output).toContain('  docs/\n    calls.md  52 bytes\n');
    expect(output).not.toContain('\u001b');
  });

  it('fails with a sentence for a call that came out other than expected', async () => {
    const planted = copyOfProject();
    const path = join(planted, 'examples/main-job/recorded-calls.json');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('drop_null /limit', 'drop_null /offset/limit'),
    );
    buildCopy(planted);
    const { status, output } = await runMainJob({ folder: planted, temporary: temporaryFolder() });
    expect(output).toContain(
      'DeepSeek, call 1 (read_files): the repairs should be drop_null /offset, drop_null /offset/limit, ' +
        'and came out as drop_null /offset, drop_null /limit.\nWhat came out is not what was expected.\n',
    );
    expect(status).toBe(1);
  });
});

describe('with a real server', () => {
  const key = 'key-that-nobody-may-see';
  const run = async (baseURL: string, model = 'qwen3') => {
    const temporary = temporaryFolder();
    const environment = { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: key, MODEL: model };
    const { status, output } = await runMainJob({ folder, temporary, environment });
    expect(output).not.toContain(key);
    return { status, output, temporary };
  };

  it('gives the model the task and the tools, runs its calls, and keeps the workspace', async () => {
    const server = await startBodyServer(
      callReply('write_file', '{"file_path": "[done.md](http://done.md)", "content": "done"}'),
      // Some servers have parsed the arguments already.
      callReply('read_files', { paths: 'done.md', limit: 1 }),
      textReply('I wrote a file.'),
    );
    const { status, output, temporary } = await run(server.baseURL);
    expect(output).toContain('    repaired  rename_key at /file_path');
    expect(output).toContain('    repaired  md_link_to_path at /path');
    expect(output).toContain('  I wrote a file.');
    const rules = 'dependent_default 1, md_link_to_path 1, rename_key 1, wrap_in_array 1';
    expect(output).toMatch(new RegExp(`^ {2}qwen3 +0 +2 +0 +${rules}$`, 'm'));
    expect(status).toBe(0);
    const [workspace = ''] = workspacesIn(temporary);
    expect(readFileSync(join(temporary, workspace, 'done.md'), 'utf8')).toBe('done');
    expect(server.authorizations).toEqual(Array.from({ length: 3 }, () => `Bearer ${key}`));
  });

  it('shows the model its calls as they were executed, and notes beside the result', async () => {
    const server = await startBodyServer(
      callReply('read_files', '{"file": "notes.md", "limit": 1}'),
      callReply('read_files', '{"paths": ["notes.md"', 'length'),
      textReply('Read.'),
    );

    await run(server.baseURL);
    const [first, second, third] = server.requests;
    expect(first.model).toBe('qwen3');
    expect(first.messages.at(-1).content).toContain('The tests of this small project fail.');
    expect(first.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual(
      'read_files list_directory search_text edit_file write_file run_command'.split(' '),
    );
    const [assistant, tool] = second.messages.slice(-2);
    const argumentsIn = (message: typeof assistant) =>
      JSON.parse(message.tool_calls[0].function.arguments);
    expect(argumentsIn(assistant)).toEqual({ paths: ['notes.md'], limit: 1, offset: 0 });
    expect(tool.tool_call_id).toBe('call_7');
    expect(tool.content).toEqual([
      { type: 'text', text: expect.stringContaining('offset was not sent') },
      { type: 'text', text: '== notes.md\n# Notes' },
    ]);
    const [cut, rejection] = third.messages.slice(-2);
    expect(argumentsIn(cut)).toEqual({ unreadable_arguments: '{"paths": ["notes.md"' });
    expect(rejection.content).toContain('read_files was not executed.');
  });

  it('goes on after unknown tools and calls without anything in them', async () => {
    const server = await startBodyServer(
      callReply('remove_everything', '{}'),
      { json: { choices: [{ message: { tool_calls: [{}, null, { function: 7 }] } }] } },
      textReply('I give up.'),
    );
    const { status, output } = await run(server.baseURL);
    expect(output).toContain('unknown_tool remove_everything was not executed.');
    expect(output).toContain('  I give up.');
    expect(status).toBe(0);
  });

  it('ends after its turns with a model that never stops', async () => {
    const server = await startBodyServer(callReply('list_directory', '{}'));
    const { status, output } = await run(server.baseURL);
    expect(server.requests).toHaveLength(20);
    expect(output).toContain('  no end after 20 turns');
    expect(status).toBe(0);
  });

  it.each([{ hello: 'there' }, '<html>hello</html>'])(
    'ends with a sentence if the answer is %j',
    async (json) => {
      const { baseURL } = await startBodyServer({ json });
      const { status, output } = await run(baseURL);
      expect(output).toMatch(/^The job did not end: .+$/m);
      expect(output).not.toMatch(/^ +at /m);
      expect(status).toBe(1);
    },
  );

  it('ends with the server’s reason, and without the key that the server repeats', async () => {
    const message = `Incorrect API key provided: ${key}`;
    const server = await startBodyServer({ status: 401, json: { error: { message } } });
    const { status, output } = await run(server.baseURL);
    expect(output).toContain('The job did not end: 401 Incorrect API key provided: [secret]');
    expect(status).toBe(1);
  });

  it('replays the recorded calls unless all three variables are set', async () => {
    const server = await startBodyServer(textReply('Nobody asked me.'));
    const environment = { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: key };
    const { status, output } = await runMainJob({
      folder,
      temporary: temporaryFolder(),
      environment,
    });
    expect(output).toContain('Replaying the calls of 17 models');
    expect(server.requests).toEqual([]);
    expect(status).toBe(0);
  });
});
