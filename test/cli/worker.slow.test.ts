import { join } from 'node:path';
import { ToolRegistry } from 'toolmend';
import { openJournal, openQueue } from 'toolmend/journal';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { pgliteFolder } from '../journal/pglite-folder.ts';
import { callOf, callTo, toolOf } from '../tools.ts';
import { runToolmend } from './run-toolmend.ts';
import { signalTo } from './signal-to.ts';

const appOf = (source: string): string => join(temporaryFolder({ 'app.mjs': source }), 'app.mjs');

test('toolmend worker runs the queued calls of a module’s registry until SIGTERM', async () => {
  const journal = await openJournal({ folder: await pgliteFolder() });
  const queue = await openQueue(journal, { pollMs: 500 });
  const ran = Promise.withResolvers<unknown>();
  const tools = new ToolRegistry({
    journal,
    background: { queue, onEnd: ({ outcome }) => ran.resolve(outcome.status) },
  });
  tools.register(toolOf(() => 'built', { name: 'build', background: 'always' }));
  Reflect.set(globalThis, 'toolsOfWorker', tools);
  const handle = await tools.call(callTo('build'));
  const app = appOf('export default () => globalThis.toolsOfWorker;');
  const signal = signalTo('SIGTERM');
  const worker = runToolmend('worker', app, '--concurrency', '2');
  expect(await ran.promise).toBe('completed');
  signal.send();
  expect(await worker).toEqual({ status: 0, stdout: '', stderr: 'toolmend: working\n' });
  expect(handle.status).toBe('in_background');
  const late = await tools.call(callOf({ id: 'call_2', name: 'build' }));
  expect(late).toMatchObject({ status: 'limit_exceeded', reason: 'closed' });
  await queue.close();
  await journal.close();
});

test.each<[string, readonly string[], string | RegExp]>([
  ['no file', [], 'toolmend: worker needs one file, as in: toolmend worker app.js\n'],
  ['a file that is not there', ['gone.js'], 'toolmend: there is no file gone.js\n'],
  [
    'a module without a registry',
    [appOf('export const a = 1;')],
    /exports no registry, and its default export is not/,
  ],
  [
    'a module that throws',
    [appOf('throw new Error("no database");')],
    /can't be loaded: no database/,
  ],
  [
    'a number that is none',
    ['app.js', '--concurrency', 'many'],
    'toolmend: many is not a number\n',
  ],
  ['an unknown option', ['app.js', '--speed', '2'], /Unknown option/],
])('%s ends with code 2', async (_title, args, stderr) => {
  const result = await runToolmend('worker', ...args);
  expect(result.status).toBe(2);
  if (typeof stderr === 'string') expect(result.stderr).toBe(stderr);
  else expect(result.stderr).toMatch(stderr);
});

test('a registry without a queue is refused with what to write', async () => {
  Reflect.set(globalThis, 'toolsOfWorker', new ToolRegistry());
  const app = appOf('export const tools = globalThis.toolsOfWorker;');
  const { status, stderr } = await runToolmend('worker', app);
  expect([status, stderr]).toEqual([
    2,
    'toolmend: ToolRegistry has no queue: construct it with a journal in a database, and background: { queue: await openQueue(journal) }.\n',
  ]);
});
