// An MCP server over stdio without a library, of the handshake era: it answers calls with the text
// that reached it.
import { createInterface } from 'node:readline';

const pathsTool = {
  name: 'read_files',
  description: 'Reads files.',
  inputSchema: {
    type: 'object',
    properties: { paths: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
    required: ['paths'],
    additionalProperties: false,
  },
};
const plain = (name: string): object => ({ name, inputSchema: { type: 'object' } });
const tools = [pathsTool, plain('die'), plain('environment'), plain('babble')];

const text = (content: string): object => ({ content: [{ type: 'text', text: content }] });
const answers: Record<string, (line: string) => object> = {
  read_files: text,
  die: () => process.exit(3),
  environment: () => text(JSON.stringify(process.env)),
  babble: () => {
    process.stdout.write('Server is listening…\n');
    process.stderr.write('a word on standard error\n');
    return text('done');
  },
};

const results: Record<
  string,
  (params: Record<string, string>, line: string) => object | undefined
> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'scripted', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name = '' }, line) => answers[name]?.(line),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = results[method]?.(params, line);
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
