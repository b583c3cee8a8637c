import { recordedCases } from '../cases/run-case.ts';
import { defineTool, type SchemaObject } from 'toolmend';
import { independentValidator } from '../laws/independent-validator.ts';
import { fc } from '../seeded-fast-check.ts';

const longestText = 2000;

/**
 * Calls of the recorded tools that both validators can read; which tools depends on the seed.
 * Compiling a schema takes as long as hundreds of calls, so that a run has only some tools.
 */
export function recordedCalls(seed: number, tools: number) {
  const lines = recordedCases('systems', 'reported', 'mutants');
  const byTool = [...Map.groupBy(lines, ({ schema }) => JSON.stringify(schema)).values()];
  const order = fc.shuffledSubarray(byTool, { minLength: byTool.length });
  const [chosen = []] = fc.sample(order, { seed, numRuns: 1 });
  return chosen.slice(0, tools).flatMap((calls) => {
    const [{ schema } = { schema: {} }] = calls;
    const tool = readTool(schema);
    return calls.flatMap(({ input = {}, inputText, options }) => {
      const text = inputText ?? JSON.stringify(input);
      const isUsed = tool !== undefined && text.length <= longestText;
      return isUsed ? [{ ...tool, text, finishReason: options?.finishReason }] : [];
    });
  });
}

function readTool(inputSchema: SchemaObject) {
  const definition = {
    name: 'fuzzed_tool',
    description: 'Is fuzzed.',
    inputSchema,
    execute: () => 'done',
  };
  try {
    return { validator: independentValidator(inputSchema), contract: defineTool(definition) };
  } catch {
    // The independent validator reads neither older drafts nor broken references.
    return undefined;
  }
}

/** Schemas of published MCP tools. */
export const recordedSchemas = (): readonly SchemaObject[] =>
  recordedCases('mcp-tools')
    .map(({ schema }) => schema)
    .filter((schema) => JSON.stringify(schema).length < 4000);
