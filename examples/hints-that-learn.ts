// What a model often gets wrong, and the sentence that would tell it.
import { defineTool, ToolRegistry } from 'toolmend';

const readFiles = defineTool<{ readonly paths: readonly string[] }>({
  name: 'read_files',
  description: 'Read text files.',
  effects: 'read',
  inputSchema: {
    type: 'object',
    properties: { paths: { type: 'array', items: { type: 'string' } } },
    required: ['paths'],
  },
  execute: ({ paths }) => paths.join('\n'),
});

const tools = new ToolRegistry({ hints: { learn: 'on' } }).register(readFiles);

/** A model that sends a text instead of an array in one of ten calls. */
for (let at = 0; at < 200; at += 1)
  await tools.call({
    id: `call_${at}`,
    name: 'read_files',
    arguments: at % 10 === 0 ? '{"paths": "a.txt"}' : '{"paths": ["a.txt"]}',
    model: 'qwen3',
  });

const [hint] = await tools.learnedHints();
console.log(hint?.state, hint?.sentence);
console.log(hint?.without.misses, 'of', hint?.without.calls);

// A new conversation with the same model sees the sentence; one of five does not, for comparison.
const selection = tools.select({ model: 'qwen3', conversation: 'conversation 1' });
console.log(selection.schemas()[0]?.description);
