import * as jsonSchemas from '@langchain/core/utils/json_schema';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { inputSchemaOf } from '../../schema/input-schema.ts';
import { requireExport } from '../sdk-driven-loop.ts';

requireExport(jsonSchemas, ['toJsonSchema'], { name: '@langchain/core', versions: '^0.3.80 || ^1.2.0' });

/** As the tool takes it, else as LangChain shows it, where arguments with defaults are required. Undefined if neither can be written. */
export function jsonSchemaOf(schema: StructuredToolInterface['schema']): object | undefined {
  const read = inputSchemaOf(schema);
  if (read.kind !== 'none') return read.schema;
  try {
    return jsonSchemas.toJsonSchema(schema);
  } catch {
    return undefined;
  }
}
