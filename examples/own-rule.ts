// Switches a rule off, and adds a rule of one's own.
import { defineRule, defineTool, ToolRegistry } from 'toolmend';

/** "3-5" becomes { from: 3, to: 5 }. */
const textToSpan = defineRule({
  id: 'text_to_span',
  answers: 'type',
  sentTypes: ['string'],
  declaredTypes: ['object'],
  keeps: 'lossless',
  propose({ value }) {
    const [, from, to] = /^(\d+)-(\d+)$/.exec(typeof value === 'string' ? value : '') ?? [];
    return from === undefined || to === undefined
      ? { kind: 'skip' }
      : { kind: 'replace', value: { from: Number(from), to: Number(to) } };
  },
});

const readLines = defineTool({
  name: 'read_lines',
  description: 'Read lines of files.',
  inputSchema: {
    type: 'object',
    properties: {
      files: { type: 'array', items: { type: 'string' } },
      lines: {
        type: 'object',
        properties: { from: { type: 'integer' }, to: { type: 'integer' } },
        required: ['from', 'to'],
      },
    },
    required: ['files'],
  },
  rules: { wrap_in_array: false },
  ownRules: [textToSpan],
  execute: (values) => values,
});
const tools = new ToolRegistry().register(readLines);

for (const text of ['{"files":["a.txt"],"lines":"3-5"}', '{"files":"a.txt"}']) {
  const outcome = await tools.call({ id: 'call_1', name: 'read_lines', arguments: text });
  if (outcome.status === 'completed') {
    const [repair] = outcome.interpretation.repairs;
    console.log(repair?.rule, repair?.path, outcome.result);
  } else console.log(outcome.message);
}
