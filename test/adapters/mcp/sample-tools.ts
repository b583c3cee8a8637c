// The tools that the tests serve: one for each feature of the protocol.
import {
  type JsonSchema,
  type RegistryOptions,
  type SchemaObject,
  type ToolDefinition,
  defineTool,
  ToolFailure,
  ToolRegistry,
  ToolResult,
} from '../../../src/index.ts';

const object = (
  properties: Record<string, JsonSchema>,
  required: readonly string[] = Object.keys(properties),
): SchemaObject => ({ type: 'object', properties, required, additionalProperties: false });

const tool = <Values extends object = object>(
  name: string,
  execute: ToolDefinition<Values>['execute'],
  options: Partial<ToolDefinition<Values>> = {},
) =>
  defineTool<Values>({ name, description: 'Work.', inputSchema: object({}), ...options, execute });

const table = { inputSchema: object({ table: { type: 'string' } }) };
interface Table {
  readonly table: string;
}

const lines = {
  paths: { type: 'array', items: { type: 'string' }, 'x-toolmend': { aliases: ['file'] } },
  offset: { type: 'integer' },
  limit: { type: 'integer' },
} as const;
const relational = [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }];

const readFiles = tool<{ readonly paths: readonly string[]; readonly offset?: number }>(
  'read_files',
  ({ paths, offset }) => `${paths.join(' and ')} from ${offset ?? 'the start'}`,
  {
    description: 'Read text files.',
    effects: 'read',
    inputSchema: { ...object(lines, ['paths']), 'x-toolmend': { relational } },
  },
);

const countRows = tool<Table>('count_rows', (sent) => ({ rows: sent.table.length }), {
  ...table,
  effects: 'read',
  outputSchema: object({ rows: { type: 'integer' } }),
});

const point = ToolResult.of([1, 2]).text('A point.').image('iVA=', 'image/png');
const draw = tool('draw', () => point, { annotations: { openWorldHint: false } });

const drop = tool<Table>(
  'drop_table',
  (sent) => {
    if (sent.table === 'secret') throw new Error('the password is hunter2');
    throw new ToolFailure(`${sent.table} is in use.`);
  },
  { ...table, effects: 'destructive', annotations: { idempotentHint: true } },
);

const slow = tool('wait_for_abort', async function* (_values, { signal }) {
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
});

const grow = (tools: ToolRegistry) =>
  tool('learn', () => tools.register(tool('learned', () => 'new')).names().length);

/** A registry of all of them; `learn` adds another one to it. */
export function sampleTools(options: RegistryOptions = {}): ToolRegistry {
  const tools = new ToolRegistry(options);
  return tools.register(readFiles, countRows, draw, drop, slow, grow(tools));
}
