// A background call of a tool that an MCP server serves.
import { McpServer } from '@modelcontextprotocol/server';
import { ToolRegistry } from 'toolmend';
import { serveTools } from 'toolmend/mcp';
import { inMemory } from '../adapters/mcp/in-memory.ts';
import { toolOf } from '../tools.ts';

const identity = { name: 'samples', version: '1.0.0' };

test('a background call is answered with its handle, reports no progress after that, and is read with check_background', async () => {
  const goOn = Promise.withResolvers<void>();
  const build = toolOf(
    async (_values, { progress }) => {
      progress('before');
      await goOn.promise;
      progress('after');
      return { files: 3 };
    },
    { name: 'build', outputSchema: { type: 'object' }, background: 'always' },
  );
  const tools = new ToolRegistry().register(build);
  const client = await inMemory(serveTools(new McpServer(identity), tools));
  const updates: unknown[] = [];
  await client.listTools();

  const onprogress = ({ message }: { message?: string | undefined }) => updates.push(message);
  const started = await client.callTool({ name: 'build' }, { onprogress });
  const text = JSON.stringify(started.content);
  const handle = /bg_[-\w]+/.exec(text)?.[0];
  const running = await client.callTool({ name: 'check_background', arguments: { handle } });
  goOn.resolve();
  const ended = await client.callTool({
    name: 'check_background',
    arguments: { handle, wait_seconds: 5 },
  });
  await client.close();

  expect(started.isError).toBeUndefined();
  expect(JSON.stringify(running.content)).toContain('build is still running');
  const end = `build, which ran in the background as ${handle}, has ended (completed):\n{"files":3}`;
  expect(ended.content).toEqual([{ type: 'text', text: end }]);
  expect(updates).toEqual(['before']);
});
