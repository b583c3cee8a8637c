// The tools that the tests serve: one for each feature of the protocol.
import {
  defineTool,
  type JsonSchema,
  type RegistryOptions,
  type SchemaObject,
  ToolFailure,
  ToolRegistry,
  ToolResult,
} from '../../../src/index.ts';

const object = (
  properties: Record<string, JsonSchema>,
  required: readonly string[] = Object.keys(properties),
): SchemaObject => ({ type: 'object', properties, required, additionalProperties: false });

const readFiles = defineTool<{
  readonly paths: readonly string[];
  readonly offset?: number;
  readonly limit?: number;
}>({
  name: 'read_files',
  description: 'Read text files.',
  effects: 'read',
  inputSchema: {
    ...object(
      {
        paths: { type: 'array', items: { type: 'string' }, 'x-toolmend': { aliases: ['file'] } },
        offset: { type: 'integer' },
        limit: { type: 'integer' },
      },
      ['paths'],
    ),
    'x-toolmend': { relational: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }] },
  },
  execute: ({ paths, offset }) => `${paths.join(' and ')} from ${offset ?? 'the start'}`,
});

const countRows = defineTool<{ readonly table: string }>({
  name: 'count_rows',
  description: 'Count the rows of a table.',
  effects: 'read',
  inputSchema: object({ table: { type: 'string' } }),
  outputSchema: object({ rows: { type: 'integer' } }),
  execute: ({ table }) => ({ rows: table.length }),
});

const draw = defineTool({
  name: 'draw',
  description: 'Draw a point.',
  inputSchema: object({}),
  annotations: { openWorldHint: false },
  execute: () => ToolResult.of([1, 2]).text('A point.').image('iVA=', 'image/png'),
});

const drop = defineTool<{ readonly table: string }>({
  name: 'drop_table',
  description: 'Drop a table.',
  effects: 'destructive',
  annotations: { idempotentHint: true },
  inputSchema: object({ table: { type: 'string' } }),
  execute: ({ table }) => {
    if (table === 'secret') throw new Error('the password is hunter2');
    throw new ToolFailure(`${table} is in use.`);
  },
});

const slow = defineTool({
  name: 'wait_for_abort',
  description: 'Wait until it is cancelled.',
  inputSchema: object({}),
  async *execute(_values, { signal }) {
    yield 'started';
    yield { progress: 5, total: 10, message: 'half' };
    const { promise, reject } = Promise.withResolvers<never>();
    const end = (): void => {
      process.stderr.write('it was aborted\n');
      reject(new Error('aborted'));
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    // Keeps the process running.
    const timer = setInterval(() => undefined, 1000);
    return promise.finally(() => clearInterval(timer));
  },
});

const grow = (tools: ToolRegistry) =>
  defineTool({
    name: 'learn',
    description: 'Learn one more tool.',
    inputSchema: object({}),
    execute: () => {
      const learned = { name: 'learned', description: 'New.', inputSchema: object({}), execute: () => 'new' };
      tools.register(defineTool(learned));
      return tools.names().length;
    },
  });

/** A registry of all of them; `learn` adds another one to it. */
export function sampleTools(options: RegistryOptions = {}): ToolRegistry {
  const tools = new ToolRegistry(options);
  return tools.register(readFiles, countRows, draw, drop, slow, grow(tools));
}
