// Tasks that outlive their server.
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { openJournal } from 'toolmend/journal';
import { pgliteFolder } from '../../journal/pglite-folder.ts';
import { builder, closeAll, closing, serve, startTask } from './task-tools.ts';

afterEach(closeAll);

test('with a journal, a task and its result survive a restart of the server', async () => {
  const folder = await pgliteFolder();
  const journal = await openJournal({ folder });
  const tools = builder({ journal });
  const client = await serve(tools, { callOptions: () => ({ tenant: 'ann' }) });
  const task = await startTask(client, { target: 'app' });
  const rest = await startTask(client, { target: 'broken' });
  await tools.close();
  await journal.close();

  const again = await openJournal({ folder });
  closing.push(() => again.close());
  const next = await serve(builder({ journal: again }), { callOptions: () => ({ tenant: 'ann' }) });
  const state = await next.experimental.tasks.getTask(task);
  const result = await next.experimental.tasks.getTaskResult(task, CallToolResultSchema);
  const { tasks } = await next.experimental.tasks.listTasks();

  expect(state).toMatchObject({ status: 'completed', ttl: null });
  expect(result).toMatchObject({ structuredContent: { target: 'app', files: 3 } });
  expect(tasks.map(({ taskId, status }) => [taskId, status])).toEqual([
    [rest, 'failed'],
    [task, 'completed'],
  ]);
});
