import { objectOf } from '../collections/objects.ts';
import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { type Provider, type RestrictedRules, keepsOnly, nameRule } from './provider-rules.ts';

// https://ai.google.dev/gemini-api/docs/function-calling
/** One entry of `functionDeclarations`, with JSON Schema. */
export interface GeminiTool {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: SchemaObject;
}

/** The same with a subset of OpenAPI 3.0, the only form that the Live API accepts. */
export interface GeminiOpenApiTool {
  readonly name: string;
  readonly description: string;
  /**
   * In Google's notation: types in capitals, counts as strings. Absent for a tool without
   * arguments.
   */
  readonly parameters?: { readonly [keyword: string]: unknown };
}

const toolName = nameRule('A-Za-z0-9_.:-', 128, 'A-Za-z_');

const keywords = [
  'default',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
];

const jsonSchema: RestrictedRules = {
  kind: 'plain',
  keeps: keepsOnly(['$ref', 'additionalProperties', ...keywords]),
  optionalCycles: true,
  typedItems: true,
};

const openApi: RestrictedRules = {
  kind: 'openapi',
  keeps: keepsOnly(keywords),
  propertyNames: nameRule('A-Za-z0-9_', 64, 'A-Za-z_'),
};

export const gemini: Provider<GeminiTool> = {
  rules: { toolName, schema: jsonSchema },
  toTool: ({ name, description, schema }) => ({ name, description, parametersJsonSchema: schema }),
};

export const geminiOpenApi: Provider<GeminiOpenApiTool> = {
  rules: { toolName, schema: openApi },
  toTool: ({ name, description, schema }) => ({
    name,
    description,
    // The API refuses an object without properties.
    ...(Object.keys(schema.properties ?? {}).length === 0
      ? {}
      : { parameters: inGoogleNotation(schema) }),
  }),
};

/** Counts are 64-bit integers, which Protocol Buffers write as strings in JSON. */
const counts: ReadonlySet<string> = new Set(['minItems', 'maxItems', 'minLength', 'maxLength']);

function inGoogleNotation(schema: SchemaObject): SchemaObject {
  const entries = Object.entries(schema).map(([keyword, value]): readonly [string, unknown] => {
    if (keyword === 'type' && typeof value === 'string') return [keyword, value.toUpperCase()];
    return [keyword, counts.has(keyword) ? String(value) : value];
  });
  return mapSubschemas(objectOf(entries), inGoogleNotation);
}
