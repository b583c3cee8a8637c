// Options that contradict each other, and files of the wrong kind.
import { projectFolder } from '../checks/project-folder.ts';
import { join } from 'node:path';
import { runToolmend } from './run-toolmend.ts';

const manifest = join(projectFolder, 'package.json');

test.each([
  [
    ['ui', '--demo', '--log', 'x'],
    'ui shows the calls of one place: pass only one of --log and --demo',
  ],
  [['ui'], 'ui needs one of --folder, --url, --log and --demo'],
  [
    ['report', manifest, '--markdown', '--json'],
    'report writes one form: pass --markdown or --json',
  ],
  [['report', manifest, '--schema', 'x'], '--schema needs --folder or --url'],
  [['worker', manifest], 'Name the compiled module that exports the registry, as in: toolmend'],
])('%j is refused with what to write', async (args, message) => {
  const { status, stdout, stderr } = await runToolmend(...args);

  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});
