import { type JsonObject, isJsonObject } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';

interface InputExamples {
  /** The shown schema without its examples if there are others. */
  readonly schema: SchemaObject;
  readonly examples: readonly JsonObject[];
}

/** The tool's examples of all arguments that the shown schema accepts: APIs refuse requests with others. */
export function inputExamplesOf(contract: ToolContract | undefined, shown: SchemaObject): InputExamples {
  const declared = (contract?.inputSchema.examples ?? []).filter(isJsonObject);
  if (declared.length === 0) return { schema: shown, examples: [] };
  const { examples: _shown, ...schema } = shown;
  const validator = validatorOf(contractFromSchema({ inputSchema: schema, onUnusableSchema: 'warn' }));
  const examples = validator.isUnvalidated ? [] : declared.filter((example) => validator.accepts(example));
  return examples.length === 0
    ? { schema: shown, examples }
    : { schema, examples: structuredClone(examples) };
}
