import {
  defineTool,
  interpret,
  type SchemaObject,
  type ToolContract,
  ToolRegistry,
} from 'toolmend';
import { deepFrozen } from '../repair/deep-frozen.ts';
import { fc } from '../seeded-fast-check.ts';
import { recordedSchemas } from './recorded-calls.ts';
import { hostileSchemas, oddArguments } from './schema-edits.ts';

export interface SchemaPropertyOptions {
  /** Default: Ajv. */
  readonly validator?: ToolContract['validator'];
  /** Writes the tool for providers. */
  readonly show?: (contract: ToolContract) => void;
}

/**
 * A schema ends in a DefinitionError (`refused`), a tool whose calls are validated, or one whose
 * calls can't be.
 */
export type SchemaEnd = 'refused' | 'validated' | 'unvalidated';

/**
 * Every schema ends in a SchemaEnd, without any other exception, and no prototype changes; counts
 * the ends.
 */
export function schemaProperty(ends: Map<SchemaEnd, number>, options: SchemaPropertyOptions = {}) {
  const schemas = hostileSchemas(recordedSchemas());
  const trials = schemas.chain((schema) =>
    fc.tuple(fc.constant(schema), fc.array(oddArguments(schema), { maxLength: 2 })),
  );
  const before = prototypeKeys();
  return fc.property(trials, ([schema, values]) => {
    const strictly = endOf(schema, { ...options, values, onUnusableSchema: 'refuse' });
    const leniently = endOf(schema, { ...options, values, onUnusableSchema: 'warn' });
    if (strictly === 'unvalidated')
      throw new Error('the tool is used without validation, and was to be refused');
    if (strictly === 'validated' && leniently !== 'validated')
      throw new Error(`validated, or ${leniently}`);
    if (prototypeKeys() !== before) throw new Error('a prototype was polluted');
    ends.set(leniently, (ends.get(leniently) ?? 0) + 1);
  });
}

const prototypeKeys = (): string => Reflect.ownKeys(Object.prototype).map(String).join();

interface Trial extends SchemaPropertyOptions {
  readonly values: readonly object[];
  readonly onUnusableSchema: 'warn' | 'refuse';
}

function endOf(
  schema: unknown,
  { values, onUnusableSchema, validator, show = showEverywhere }: Trial,
): SchemaEnd {
  try {
    const contract = defineTool({
      name: 'odd_tool',
      description: 'Is odd.',
      inputSchema: deepFrozen(schema) as SchemaObject,
      onUnusableSchema,
      execute: () => 'done',
      ...(validator === undefined ? {} : { validator }),
    });
    const results = [{}, ...values].map((value) =>
      interpret(contract, { arguments: deepFrozen(value) }),
    );
    show(contract);
    return results.some((result) => 'unvalidated' in result) ? 'unvalidated' : 'validated';
  } catch (error) {
    if (error instanceof Error && error.name === 'DefinitionError') return 'refused';
    throw error;
  }
}

function showEverywhere(contract: ToolContract): void {
  const tools = new ToolRegistry({ listeners: [{ onWarning: () => undefined }] }).register(
    contract,
  );
  for (const provider of ['openai', 'gemini', 'mcp'] as const) tools.schemas(provider);
}
