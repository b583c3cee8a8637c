import * as jsonSchemas from '@langchain/core/utils/json_schema';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { inputSchemaOf } from '../../schema/input-schema.ts';
import { requireExport } from '../sdk-driven-loop.ts';

requireExport(jsonSchemas, ['toJsonSchema'], { name: '@langchain/core', versions: '^0.3.80 || ^1.2.0' });

/**
 * The schema itself, else as LangChain shows it, where arguments with defaults are required. Undefined if neither can be written as
 * JSON Schema.
 */
export function readableSchema(schema: StructuredToolInterface['schema']): object | undefined {
  if (inputSchemaOf(schema).kind !== 'none') return schema;
  try {
    return jsonSchemas.toJsonSchema(schema);
  } catch {
    return undefined;
  }
}
