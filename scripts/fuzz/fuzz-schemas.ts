// Is there a schema that crashes its reader, leaves something behind, or ends in anything but a tool, a warning or a refusal?
import { readFileSync } from 'node:fs';
import type * as toolmend from 'toolmend';
import type { SchemaObject, ToolContract } from 'toolmend';
import { deepFrozen } from '../../test/repair/deep-frozen.ts';
import { mutateSchema, oddValue } from './mutate-schema.ts';
import { Random } from './random.ts';

/** What is done with a schema; each may throw a DefinitionError, and nothing else. */
export interface SchemaReader {
  define(inputSchema: unknown, onUnusableSchema: 'warn' | 'refuse'): ToolContract;
  /** What became of arguments. */
  interpret(contract: ToolContract, value: unknown): { readonly status: string; readonly unvalidated?: true };
  show(contract: ToolContract): unknown;
}

/** What of toolmend reads schemas. */
export type SchemaReading = Pick<typeof toolmend, 'defineTool' | 'interpret' | 'ToolRegistry'>;

export function schemaReader({ defineTool, interpret, ToolRegistry }: SchemaReading): SchemaReader {
  const said = { name: 'odd_tool', description: 'Is odd.', execute: () => 'done' };
  const quiet = { listeners: [{ onWarning: () => undefined }] };
  return {
    define: (schema, onUnusableSchema) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whether it is one is what is asked
      const inputSchema = schema as SchemaObject;
      return defineTool({ ...said, inputSchema, onUnusableSchema });
    },
    interpret: (contract, value) => interpret(contract, { arguments: value }),
    show: (contract) => {
      const tools = new ToolRegistry(quiet).register(contract);
      return [tools.schemas('openai'), tools.schemas('gemini'), tools.schemas('mcp')];
    },
  };
}

export interface SchemaFuzzRequest {
  readonly reader: SchemaReader;
  readonly seed: number;
  /** Asked after each run. */
  readonly isOver: (runs: number) => boolean;
}

export interface SchemaFuzzOutcome {
  readonly runs: number;
  /** How schemas ended, by a word for it. */
  readonly ends: ReadonlyMap<string, number>;
  readonly found: { readonly schema: unknown; readonly message: string } | undefined;
}

/** Stops at the first breach. */
export function fuzzSchemas({ reader, seed, isOver }: SchemaFuzzRequest): SchemaFuzzOutcome {
  const schemas = recordedSchemas();
  const random = new Random(seed);
  const ends = new Map<string, number>();
  const prototype = prototypeKeys();
  for (let runs = 1; ; runs += 1) {
    const schema = deepFrozen(mutateSchema(random.one(schemas), random, random.one(schemas)));
    const values = [{}, oddValue(schema, random), oddValue(schema, random)];
    try {
      const end = endOf(reader, schema, values);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (prototypeKeys() !== prototype) throw new Error('a prototype was polluted');
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { runs, ends, found: { schema, message } };
    }
    if (isOver(runs)) return { runs, ends, found: undefined };
  }
}

const prototypeKeys = (): string => Reflect.ownKeys(Object.prototype).map(String).join();

function recordedSchemas(): readonly SchemaObject[] {
  const file = new URL('../../test/cases/mcp-tools.jsonl', import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines
    .filter((line) => line.length < 4000)
    .map((line) => JSON.parse(line))
    .map(({ schema }: { schema: SchemaObject }) => schema);
}

const outcomes = ['unchanged', 'repaired', 'rejected'];

/** `judged`, `unjudged` or `refused`; what else happens is thrown. */
function endOf(reader: SchemaReader, schema: unknown, values: readonly unknown[]): string {
  const strictly = endWith(reader, schema, { values, onUnusableSchema: 'refuse' });
  const kindly = endWith(reader, schema, { values, onUnusableSchema: 'warn' });
  if (strictly === 'unjudged') throw new Error('a schema that can be refused was used unjudged');
  if (strictly === 'judged' && kindly !== 'judged') throw new Error(`judged, or ${kindly}`);
  return kindly;
}

function endWith(
  reader: SchemaReader,
  schema: unknown,
  { values, onUnusableSchema }: { values: readonly unknown[]; onUnusableSchema: 'warn' | 'refuse' },
): string {
  try {
    const contract = reader.define(schema, onUnusableSchema);
    const results = values.map((value) => reader.interpret(contract, deepFrozen(value)));
    for (const { status } of results) if (!outcomes.includes(status)) throw new Error(`the status ${status}`);
    reader.show(contract);
    return results.some(({ unvalidated }) => unvalidated === true) ? 'unjudged' : 'judged';
  } catch (error) {
    if (error instanceof Error && error.name === 'DefinitionError') return 'refused';
    throw error;
  }
}
