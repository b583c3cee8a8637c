import { differencesFrom } from '../../examples/main-job/expectations.ts';
import { expectedFiles } from '../../examples/main-job/expected-files.ts';
import type { JobReport } from '../../examples/main-job/job-report.ts';
import { readRecordedCalls } from '../../examples/main-job/recorded-calls.ts';
import { playRecordedJob } from '../../examples/main-job/recorded-job.ts';
import { nextStep } from '../../examples/main-job/scripted-model.ts';
import { startingFiles } from '../../examples/main-job/starting-files.ts';
import { createTerminal, excerpt } from '../../examples/main-job/terminal.ts';
import { Workspace } from '../../examples/main-job/workspace.ts';
import { recordedCases } from '../cases/run-case.ts';

const scripts = readRecordedCalls();

describe('the report of the job', () => {
  let report: JobReport;

  beforeAll(async () => {
    const workspace = await Workspace.create(startingFiles);
    const terminal = createTerminal({ write: () => true }, {});
    const { signal } = new AbortController();
    report = await playRecordedJob({ scripts, workspace, terminal, signal });
    await workspace.remove();
  });

  it('reports another answer', () => {
    const changed = scripts.map((script) => {
      const [first, ...rest] = script.calls;
      if (script.model !== 'xai/grok-4.5' || first === undefined) return script;
      return {
        ...script,
        calls: [{ ...first, expect: { ...first.expect, answer: ['43'] } }, ...rest],
      };
    });
    expect(differencesFrom(changed, expectedFiles, report)).toEqual([
      'xai/grok-4.5, call 1 (run_command): the model should read “43”, and reads “{"exit_code":0,"output":"42\\n"}”.',
    ]);
  });

  it('reports a call that was not played', () => {
    const calls = report.calls.filter(({ call }) => call.model !== 'llama3.1');
    expect(differencesFrom(scripts, expectedFiles, { ...report, calls })).toEqual([
      'llama3.1: 1 calls were expected, 0 were played.',
    ]);
  });

  it('reports files that are missing, different or unexpected', () => {
    const { 'manifest.json': _manifest, ...others } = expectedFiles;
    const files = { ...others, 'notes.md': '# Notes\n', 'spare.md': '' };
    expect(differencesFrom(scripts, expectedFiles, { ...report, files })).toEqual([
      'manifest.json is missing.',
      'notes.md has another content than expected.',
      'spare.md should not be there.',
    ]);
  });
});

describe('the recorded calls', () => {
  const asked = { role: 'assistant', tool_calls: [{}] };
  const cases = recordedCases('reported', 'systems');
  const calls = scripts.flatMap((script) =>
    script.calls.map((call) => ({ ...call, model: script.model })),
  );

  it.each(calls.filter(({ afterReading }) => afterReading === undefined))(
    'of $model are of the shape that $source reports',
    ({ model, source = '?', reported }) => {
      const found = cases.filter((one) => one.source?.startsWith(source));
      const shapes = found.map((one) => [
        one.model ?? '(model not reported)',
        one.inputText ?? one.input,
      ]);
      expect(shapes).toContainEqual([model, reported]);
    },
  );

  it('that correct another one come only after its rejection', () => {
    const script = scripts.find(({ model }) => model === 'GLM-5.1');
    const after = (content: string) =>
      script && nextStep(script, [asked, { role: 'tool', content }]).kind;
    const rejection = 'run_command was not executed.';
    expect(after(`${rejection}\n- The arguments were cut off before their end.`)).toBe('call');
    expect(after(rejection)).toBe('text');
    expect(after('Done. There is no output.')).toBe('text');
  });

  it('stop after an unexpected rejection', () => {
    const script = scripts.find(({ model }) => model === 'DeepSeek');
    const content = [{ type: 'text', text: 'read_files was not executed.' }];
    const text = "I can't see how to correct my call from this: read_files was not executed.";
    expect(script && nextStep(script, [asked, { role: 'tool', content }])).toEqual({
      kind: 'text',
      text,
    });
  });
});

describe('the terminal', () => {
  const written = (stream: { isTTY?: boolean }, environment: Record<string, string>): string => {
    let text = '';
    const write = (part: string) => (text += part);
    const terminal = createTerminal({ ...stream, write }, environment, ['key-1']);
    terminal.line(terminal.paint('red', 'the key key-1 is wrong'));
    return text;
  };

  it('has colours only on a terminal and without NO_COLOR', () => {
    const plain = 'the key [secret] is wrong';
    expect(written({}, {})).toBe(`${plain}\n`);
    expect(written({ isTTY: true }, { NO_COLOR: '1' })).toBe(`${plain}\n`);
    expect(written({ isTTY: true }, { NO_COLOR: '' })).toBe(`\u001b[31m${plain}\u001b[39m\n`);
  });

  it('removes control characters of models and tools', () => {
    expect(excerpt('\u001b[31mred\u001b[0m\u0007 \u009b2J\u202Eback\r\nnext\n')).toBe(
      'red   back ⏎ next',
    );
    expect(excerpt('😀😀😀😀', 3)).toBe('😀😀…');
  });
});
