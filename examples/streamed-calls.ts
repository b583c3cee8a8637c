// Collects the parts of a streamed answer into calls.
import { defineTool, ToolCallCollector, ToolRegistry } from 'toolmend';

const readFile = defineTool({
  name: 'read_file',
  description: 'Read a file, or the whole workspace.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    additionalProperties: false,
  },
  execute: () => 'text',
});
const tools = new ToolRegistry().register(readFile);

// What OpenAI-compatible servers send as `choices[0].delta.tool_calls`.
const parts = [
  { index: 0, id: 'call_1', function: { name: 'read_file', arguments: '' } },
  { index: 1, id: 'call_2', function: { name: 'read_file', arguments: '' } },
  { index: 0, function: { arguments: '{"path": ' } },
  { index: 0, function: { arguments: '"a.txt"}' } },
];

for (const finishReason of ['tool_calls', undefined]) {
  const collector = new ToolCallCollector({ model: 'qwen3' });
  for (const { index, id, function: part } of parts) collector.add({ index, id, ...part });
  for (const call of collector.end(finishReason)) {
    const interpreted = tools.interpret(call);
    const issues =
      interpreted.status === 'invalid_arguments' ? interpreted.interpretation.issues : [];
    console.log(
      call.id,
      call.finishReason,
      interpreted.status,
      ...issues.map(({ keyword }) => keyword),
    );
  }
}
