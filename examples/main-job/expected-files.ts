// The files at the end of the job, byte for byte.
import { startingFiles } from './starting-files.ts';
import type { WorkspaceFiles } from './workspace.ts';

export const expectedFiles: WorkspaceFiles = {
  ...startingFiles,
  'notes.md':
    '# Notes\n\n- A greeting has a comma before the name and an exclamation mark after it.\n- status: done\n',
  'src/greeting.js': 'export function greeting(name) {\n  return `Hello, ${name}!`;\n}\n',
  'src/farewell.js': 'export function farewell(name) {\n  return `Bye, ${name}!`;\n}\n',
  'manifest.json': '{\n  "manifest_version": 3,\n  "name": "greeter"\n}',
  'docs/calls.md': 'A tool call block ends with </tool_call> on its own.',
};
