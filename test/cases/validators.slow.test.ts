// Runs both validators on every recorded call, in plain programs over the built package.
import { join } from 'node:path';
import type { Interpretation } from 'toolmend';
import { type CommandResult, runCommand } from '../checks/run-command.ts';
import { buildCopy, copyOfProject } from '../examples/built-copy.ts';
import { recordedCases, verdictOf } from './run-case.ts';

const here = import.meta.dirname;
const files = ['systems.jsonl', 'reported.jsonl', 'mutants.jsonl'].map((file) => join(here, file));
const flag = '--disallow-code-generation-from-strings';

const linesOf = (text: string): readonly string[] => text.trim().split('\n');
const recorded = recordedCases('systems', 'reported', 'mutants');

const built = copyOfProject();
beforeAll(() => void buildCopy(built));

const run = (program: string, ...args: readonly string[]): CommandResult =>
  runCommand(here, process.execPath, [...args.filter((arg) => arg === flag), join(here, program), built, ...args.filter((arg) => arg !== flag)]);

describe('code generation', () => {
  test('without it, every recorded call comes out right, with the same result as Ajv', () => {
    const interpreted = linesOf(run('interpret-cases.mjs', flag, 'default', ...files).output);
    const compiled = linesOf(run('interpret-cases.mjs', 'ajv', ...files).output);
    expect(interpreted).toHaveLength(recorded.length);
    const wrong = recorded.filter((one, at) => {
      const result: Interpretation = JSON.parse(interpreted[at] ?? '');
      return verdictOf(one, result) !== 'right' || interpreted[at] !== compiled[at];
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('without it, Ajv is refused with a message that says what to do instead', () => {
    const { status, output } = run('interpret-cases.mjs', flag, 'ajv', ...files);
    expect(status).not.toBe(0);
    expect(output).toContain("leave the option validator out");
  });

  test('without it, a class is a tool, and its default is validated', () => {
    const { output } = run('class-tool-without-code.mjs', flag);
    expect(JSON.parse(output)).toEqual({
      answers: ['hahaha', 'haha', 'repeat was not executed. - word is missing: expected a string.'],
      contract: 'made',
      byDefault: 'made',
      withAjv: expect.stringContaining('leave the option validator out'),
    });
  });
});
