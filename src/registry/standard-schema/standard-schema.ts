// How does a tool get into a program that takes any Standard Schema? As one whose `validate` repairs.
import type { Constructor, ToolContract } from '../../contract/tool-contract.ts';
import type { DialectName } from '../../dialects/dialect-table.ts';
import { describeTool } from '../../hints/describe-tool.ts';
import { tell } from '../../telemetry/tell.ts';
import { contractOf } from '../contract-of.ts';
import { argumentValidator, type TellInterpretation } from './argument-validator.ts';
import { schemaFor } from './schema-target.ts';
import { schemaIn } from './shown-schema.ts';
import type { ArgumentsOf, SchemaTarget, ToolSchema } from './tool-schema.ts';

export interface StandardSchemaOptions {
  /** In which form the JSON Schema is; what comes back is read in the same. Default: `neutral`. */
  readonly dialect?: DialectName;
  /**
   * Told of each call that is validated: what was repaired, notes for the model, meta arguments, the whole message. What it
   * throws is dropped.
   */
  readonly onInterpretation?: TellInterpretation;
}

/**
 * A tool's arguments as a Standard Schema: `validate` is synchronous, repairs, and gives a copy of the arguments with the
 * defaults of what is absent. Throws a DefinitionError for a class that is no tool or has its tools on methods, for a
 * schema that nobody can judge by, and for a dialect that there is not.
 */
export function standardSchema<Tool extends Constructor | ToolContract>(
  tool: Tool,
  options?: StandardSchemaOptions,
): ToolSchema<ArgumentsOf<Tool>>;
export function standardSchema(
  tool: Constructor | ToolContract,
  { dialect = 'neutral', onInterpretation }: StandardSchemaOptions = {},
): ToolSchema {
  const contract = typeof tool === 'function' ? contractOf(tool) : tool;
  const shown = schemaIn(contract, dialect);
  const own = dialect === 'neutral' ? shown : schemaIn(contract, 'neutral');
  return Object.freeze({
    name: contract.name,
    description: describeTool(contract),
    '~standard': Object.freeze({
      version: 1,
      vendor: 'toolmend',
      validate: argumentValidator(contract, dialect, (interpretation) =>
        tell(() => onInterpretation?.(interpretation)),
      ),
      jsonSchema: Object.freeze({
        input: ({ target }: SchemaTarget) => schemaFor(target, shown),
        output: ({ target }: SchemaTarget) => schemaFor(target, own),
      }),
    }),
  } satisfies ToolSchema);
}
