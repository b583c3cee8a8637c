// The files that the models find in the workspace: a small project whose tests fail.
import type { WorkspaceFiles } from './workspace.ts';

export const startingFiles: WorkspaceFiles = {
  'package.json':
    '{\n  "name": "greeter",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  'notes.md':
    '# Notes\n\n- A greeting has a comma before the name and an exclamation mark after it.\n- status: open\n',
  'src/greeting.js': "export function greeting(name) {\n  return 'Hello ' + name;\n}\n",
  'src/farewell.js': "export function farewell(name) {\n  return 'Bye ' + name;\n}\n",
  'test/greeter.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { farewell } from '../src/farewell.js';
import { greeting } from '../src/greeting.js';

test('greeting', () => assert.equal(greeting('Ada'), 'Hello, Ada!'));
test('farewell', () => assert.equal(farewell('Ada'), 'Bye, Ada!'));
`,
};

/** The task of the agent. */
export const task =
  'The tests of this small project fail. Read notes.md, find out why, mend the sources with edit_file, run ' +
  '`node --test` with run_command, and say in one sentence what you changed.';
