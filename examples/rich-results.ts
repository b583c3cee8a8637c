// Returns results with an image, an artifact and structured data, and a long result in parts.
import { deepStrictEqual, strictEqual } from 'node:assert';
import { defineTool, resultPages, toolMessage, ToolRegistry, ToolResult } from 'toolmend';

const pages = resultPages({ maxResultChars: 100 });
const tools = new ToolRegistry({ interceptors: [pages.interceptor] }).register(
  pages.tool,
  defineTool({
    name: 'chart',
    description: 'Draw a chart.',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: { type: 'object', properties: { rows: { type: 'integer' } }, required: ['rows'] },
    async *execute() {
      yield 'drawing'; // progress
      return ToolResult.of({ rows: 3 }) // structured content, checked against outputSchema
        .text('A chart of 3 rows.') // what the model reads
        .image(new Uint8Array([137, 80]), 'image/png')
        .artifact({ table: [1, 2, 3] }); // for the application alone
    },
  }),
  defineTool({
    name: 'read_log',
    description: 'Read the log.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    execute: () => Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join(''),
  }),
);

const updates: unknown[] = [];
const chart = await tools.call(
  { id: 'call_1', name: 'chart', arguments: '{}' },
  { progress: (update) => updates.push(update) },
);
const { text, structured, images } = toolMessage(chart);
console.log(text, structured, images);
deepStrictEqual(updates, ['drawing']);
deepStrictEqual(chart.status === 'completed' && chart.artifact, { table: [1, 2, 3] });

// The model reads a long result in parts. A note beside each part says how to get the next one.
let outcome = await tools.call({ id: 'call_2', name: 'read_log', arguments: '{"name": "today"}' });
let read = toolMessage(outcome).text;
for (let next = pageIn(outcome); next !== undefined; next = pageIn(outcome)) {
  outcome = await tools.call({ id: 'call_3', name: 'read_result', arguments: { page: next } });
  read += toolMessage(outcome).text;
  console.log(
    toolMessage(outcome)
      .notes.join()
      .replaceAll(/[0-9a-f]{12}/g, '…'),
  );
}
strictEqual(read.split('\n').length, 21);

function pageIn(answer: Parameters<typeof toolMessage>[0]): string | undefined {
  return /"page":"([^"]+)"/.exec(toolMessage(answer).notes.join())?.[1];
}
