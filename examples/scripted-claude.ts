// Stands in for Claude: a local server of the Messages API that plays a script.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** A call of a tool, or the model's text. */
export type ClaudeLine =
  { readonly call: string; readonly input: unknown } | { readonly text: string };

/** A server of the Messages API. Close it when the program is done. */
export async function startScriptedClaude(
  ...lines: readonly ClaudeLine[]
): Promise<{ readonly baseURL: string; readonly close: () => void }> {
  let turn = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const line = lines[turn] ?? { text: '' };
      turn += 1;
      const block =
        'text' in line
          ? { type: 'text', text: line.text }
          : { type: 'tool_use', id: `toolu_${turn}`, name: line.call, input: line.input };
      const message = {
        id: `msg_${turn}`,
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [block],
        stop_reason: 'text' in line ? 'end_turn' : 'tool_use',
        usage: { input_tokens: 0, output_tokens: 0 },
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(message));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { baseURL: `http://127.0.0.1:${port}`, close };
}
