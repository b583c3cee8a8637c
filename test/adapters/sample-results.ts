// Tools whose results have what a text can't hold, for the tests of adapters.
import { defineTool, ToolRegistry, ToolResult } from 'toolmend';

export const resultTools = () =>
  new ToolRegistry({ hints: 'off' }).register(
    defineTool({
      name: 'chart',
      description: 'Draws.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      execute: () => ToolResult.of({ rows: 3 }).text('A chart.').image('aGk=', 'image/png'),
    }),
    defineTool({
      name: 'search',
      description: 'Searches.',
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string' }, limit: { type: 'integer' } },
        required: ['query'],
        additionalProperties: false,
      },
      execute: ({ query }) => `found ${JSON.stringify(query).slice(1, -1)}`,
    }),
    defineTool({
      name: 'empty',
      description: 'Says nothing.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      execute: () => '',
    }),
  );
