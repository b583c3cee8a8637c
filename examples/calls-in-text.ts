// Reads the calls that a model wrote as text, whole and streamed.
import { CallReader, defineTool, readCalls, ToolRegistry } from 'toolmend';

const readFile = defineTool({
  name: 'read_file',
  description: 'Read a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  },
  execute: ({ path, limit }: { path: string; limit?: number }) =>
    `${limit ?? 'all'} lines of ${path}`,
});
const tools = new ToolRegistry().register(readFile);

// A server without a parser for Qwen3-Coder leaves the call in the content of the message.
const content = `I'll read the file first.

<tool_call>
<function=read_file>
<parameter=path>
a.txt
</parameter>
<parameter=limit>
20
</parameter>
</function>
</tool_call>`;

const { calls, text } = readCalls(content, tools);
console.log(text.trim());
for (const call of calls) {
  const outcome = await tools.call(call);
  console.log(call.notation, call.start, call.end, call.arguments, outcome.status);
}

// The same from a stream: text is given as soon as it can't be the beginning of a call.
const reader = new CallReader(tools);
for (let at = 0; at < content.length; at += 40) {
  const found = reader.add(content.slice(at, at + 40));
  console.log(JSON.stringify(found.text), found.calls.length);
}
console.log(reader.end().calls.length);
