// MCP servers in processes of their own.
import { ToolRegistry } from 'toolmend';
import { registerRemoteTools } from 'toolmend/mcp';
import { callTo } from '../../tools.ts';
import { overStdio } from './connections.ts';
import { describeServedTools } from './served-tools.ts';

describeServedTools('stdio', 'legacy', () => overStdio('stdio-program.ts', 'legacy'));
describeServedTools('stdio', 'modern', () => overStdio('stdio-program.ts', 'modern'));

test('a message that is too large for the transport ends the connection, as the model reads', async () => {
  const { client, close } = await overStdio('plain-program.ts', 'legacy');
  const tools = new ToolRegistry();
  await registerRemoteTools(tools, client);
  const outcome = await tools.call(callTo('flood'));
  await close();
  const message = expect.stringContaining('flood has no result');
  expect(outcome).toMatchObject({ status: 'failed', message });
});
