// A server over stdio without a library, which shows the text that reaches it, and dies on request.
import { createInterface } from 'node:readline';

const tools = [
  {
    name: 'echo',
    description: 'Say what came.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'integer' }, ids: { type: 'array', items: { type: 'integer' } } },
      additionalProperties: false,
    },
  },
  { name: 'die', inputSchema: { type: 'object' } },
  { name: 'flood', inputSchema: { type: 'object' } },
  { name: 'broken', inputSchema: 'none' },
];

const answers: Record<string, (line: string) => object> = {
  echo: (line) => ({ content: [{ type: 'text', text: line }] }),
  die: () => process.exit(3),
  flood: () => ({ content: [{ type: 'text', text: 'x'.repeat(11_000_000) }] }),
};

const results: Record<
  string,
  (params: Record<string, string>, line: string) => object | undefined
> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'plain', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name = '' }, line) => answers[name]?.(line),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = results[method]?.(params, line);
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
