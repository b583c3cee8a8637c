// How does a model get at tools that it isn't shown from the start? By a tool that finds them, and loads what it has found.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { defineTool } from '../define-tool.ts';
import { rankTools } from './rank-tools.ts';

/** Tools that one search loads, at most. */
const mostFound = 5;

/** `load` is told of every tool that was found, the best one first. */
export const searchTool = (
  name: string,
  deferred: readonly ToolContract[],
  load: (name: string) => void,
): ToolContract =>
  defineTool<{ readonly query: string }>({
    name,
    description: `Find more tools by what they do. There are ${deferred.length} more; those that are found can be called from then on.`,
    effects: 'read',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words for what is to be done.' } },
      required: ['query'],
      additionalProperties: false,
    },
    execute: ({ query }) => {
      const found = rankTools(deferred, query).slice(0, mostFound);
      for (const tool of found) load(tool.name);
      return found.length === 0
        ? 'No tool fits. Try other words.'
        : found.map((tool) => ({ name: tool.name, description: tool.description }));
    },
  });
