// What can a tool return beside a value, and how does a model read on in a long result?
import { deepStrictEqual, strictEqual } from 'node:assert';
import { defineTool, toolMessage, ToolRegistry, ToolResult } from 'toolmend';

const tools = new ToolRegistry({ maxResultChars: 100 }).register(
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

let outcome = await tools.call({ id: 'call_2', name: 'read_log', arguments: '{"name": "today"}' });
let read = toolMessage(outcome).text;
for (let next = continuationIn(outcome); next !== undefined; next = continuationIn(outcome)) {
  outcome = await tools.call({ id: 'call_3', name: 'read_log', arguments: { _continuation: next } });
  read += toolMessage(outcome).text;
  console.log(
    outcome.status,
    toolMessage(outcome)
      .notes.join()
      .replaceAll(/[0-9a-f]{12}/g, '…'),
  );
}
strictEqual(read.split('\n').length, 21);

/** As the model does: what the note says. */
function continuationIn(answer: Parameters<typeof toolMessage>[0]): string | undefined {
  return /"_continuation": "([^"]+)"/.exec(toolMessage(answer).notes.join())?.[1];
}
