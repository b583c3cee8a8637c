// Tools in strict mode, with members of one provider, and what they cost in each request.

// #region strict
import { defineTool, ToolRegistry } from 'toolmend';

const text = { type: 'string' } as const;
const search = defineTool({
  name: 'search',
  description: 'Search the notes.',
  inputSchema: {
    type: 'object',
    properties: { query: text, limit: { type: 'integer' } },
    required: ['query'],
    additionalProperties: false,
  },
  providerOptions: { anthropic: { cache_control: { type: 'ephemeral' } } },
  execute: ({ query }) => query,
});
const label = defineTool({
  name: 'label',
  description: 'Label a note.',
  inputSchema: { type: 'object', additionalProperties: text },
  execute: (labels) => labels,
});

const tools = new ToolRegistry({ hints: 'off' }).register(search, label);
const [strict, loose] = tools.schemas('openai-strict'); // or `grammar`, for vLLM and llama.cpp
const reasons = tools.check('openai-strict');
// #endregion
console.log(strict?.function.strict, loose?.function.strict, strict?.function.parameters.required);
for (const { level, tool, what } of reasons) if (level === 'not-strict') console.log(tool, what);
// #region cost
const { tokens, tools: costs } = tools.cost('openai');
// #endregion
console.log(
  tokens > 0,
  costs.map(({ tool }) => tool),
);
