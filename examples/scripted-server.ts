// Stands in for a model: a local OpenAI-compatible server that plays a script.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** A call of a tool with its arguments as text, or the model's text. */
export type Line =
  { readonly call: string; readonly arguments: string } | { readonly text: string };

/** An OpenAI-compatible server. Close it when the program is done. */
export async function startScriptedServer(
  ...lines: readonly Line[]
): Promise<{ readonly baseURL: string; readonly close: () => void }> {
  let turn = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const line = lines[turn] ?? { text: '' };
      turn += 1;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: `answer_${turn}`,
          created: 0,
          model: 'scripted',
          ...said(line, turn),
        }),
      );
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
  return { baseURL: `http://127.0.0.1:${port}/v1`, close };
}

function said(line: Line, turn: number): object {
  const message = (content: string | null, rest: object, finish_reason: string): object => ({
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason, message: { role: 'assistant', content, ...rest } }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  });
  if ('text' in line) return message(line.text, {}, 'stop');
  const { call: name, arguments: sent } = line;
  const call = { id: `call_${turn}`, type: 'function', function: { name, arguments: sent } };
  return message(null, { tool_calls: [call] }, 'tool_calls');
}
