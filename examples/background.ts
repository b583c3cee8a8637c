// Starts a long call in the background, and brings its result into the conversation.
import { strictEqual } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { defineTool, toolMessage, ToolRegistry } from 'toolmend';

const build = defineTool<{ target: string }>({
  name: 'build',
  description: 'Build the project.',
  inputSchema: {
    type: 'object',
    properties: { target: { type: 'string' } },
    additionalProperties: false,
  },
  background: 'allowed', // the schema has _background; 'always': every call
  async execute({ target }, { progress }) {
    progress('compiling');
    await delay(20);
    return `${target}: 3 files built`;
  },
});
const tools = new ToolRegistry({
  background: {
    onProgress: ({ tool }, update) => console.log(`progress of ${tool}: ${String(update)}`),
    onEnd: ({ tool, outcome }) => console.log(`${tool} has ended: ${outcome.status}`),
  },
}).register(build);
console.log(tools.names().join(', '));

const conversation = 'c1'; // whose results belong together
const text = '{"target": "app", "_background": true}';
const started = await tools.call(
  { id: 'call_1', name: 'build', arguments: text },
  { conversation },
);
strictEqual(started.status, 'in_background');
strictEqual(
  toolMessage(started).text.startsWith(`build runs in the background as ${started.handle}.`),
  true,
);

// The model may ask,
const asked = { handle: started.handle };
const checked = await tools.call({ id: 'call_2', name: 'check_background', arguments: asked });
console.log(toolMessage(checked).text.replace(/\d+ s/, '… s'));

// or the result is a note of the next result of the conversation. Before a turn without calls, take
// it:
await tools.background.wait(started.handle, 5_000);
for (const { text: late } of await tools.background.takeResults({ conversation })) {
  console.log(late.replace(started.handle, 'bg_…')); // as a message to the model
}
