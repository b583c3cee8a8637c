import { objectOf } from '../json/value.ts';
import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { type NameRule, type SchemaRules, onlyKeywords } from './provider-rules.ts';
import { providerOf } from './transform-schema.ts';

// As JSON Schema (`parametersJsonSchema`), or in a subset of OpenAPI 3.0 (`parameters`), the only form of its Live
// API. https://ai.google.dev/gemini-api/docs/function-calling
/** One entry of `functionDeclarations`. */
export interface GeminiTool {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: SchemaObject;
}

export interface GeminiOpenApiTool {
  readonly name: string;
  readonly description: string;
  /** In Google's spelling: types in capitals, counts as texts. Absent for a tool without arguments. */
  readonly parameters?: { readonly [keyword: string]: unknown };
}

const toolName: NameRule = {
  accepts: /^[A-Za-z_][A-Za-z0-9_.:-]*$/,
  forbidden: /[^A-Za-z0-9_.:-]/g,
  longest: 128,
};

const jsonSchema: SchemaRules = {
  keeps: onlyKeywords(
    'default',
    'minLength',
    'maxLength',
    'pattern',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
  ),
  root: 'plain',
  objects: 'declared',
  optional: 'absent',
  references: 'alone',
  types: 'lists',
  members: 'any',
  anything: 'kept',
  untypedItems: 'json-text',
};

const openApi: SchemaRules = {
  keeps: onlyKeywords(
    'default',
    'minLength',
    'maxLength',
    'pattern',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
  ),
  root: 'plain',
  keys: { accepts: /^[A-Za-z_][A-Za-z0-9_]*$/, forbidden: /[^A-Za-z0-9_]/g, longest: 64 },
  objects: 'listed',
  optional: 'absent',
  references: 'inlined',
  types: 'nullable',
  members: 'texts',
  anything: 'json-text',
  untypedItems: 'json-text',
};

export const gemini = providerOf(
  { toolName, schema: jsonSchema, limits: {} },
  ({ name, description, schema }): GeminiTool => ({ name, description, parametersJsonSchema: schema }),
);

export const geminiOpenApi = providerOf(
  { toolName, schema: openApi, limits: {} },
  ({ name, description, schema }): GeminiOpenApiTool => ({
    name,
    description,
    // An object without properties is refused.
    ...(Object.keys(schema.properties ?? {}).length === 0 ? {} : { parameters: inGoogleSpelling(schema) }),
  }),
);

/** Counts are 64-bit integers, which Google's JSON writes as texts. */
const counts: ReadonlySet<string> = new Set(['minItems', 'maxItems', 'minLength', 'maxLength']);

function inGoogleSpelling(schema: SchemaObject): SchemaObject {
  const entries = Object.entries(schema).map(([keyword, held]): readonly [string, unknown] => {
    if (keyword === 'type' && typeof held === 'string') return [keyword, held.toUpperCase()];
    return [keyword, counts.has(keyword) ? String(held) : held];
  });
  return mapSubschemas(objectOf(entries), inGoogleSpelling);
}
