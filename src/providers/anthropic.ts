import type { SchemaObject } from '../schema/json-schema.ts';
import { type ProviderRules, type NameRule, type SchemaRules, everyKeywordBut } from './provider-rules.ts';
import { providerOf } from './transform-schema.ts';

// https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
/** One entry of a request's `tools`. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: SchemaObject;
}

export interface AnthropicStrictTool extends AnthropicTool {
  readonly strict: true;
}

const toolName: NameRule = { accepts: /^[a-zA-Z0-9_-]+$/, forbidden: /[^a-zA-Z0-9_-]/g, longest: 128 };
const keys: NameRule = { accepts: /^[a-zA-Z0-9_.-]+$/, forbidden: /[^a-zA-Z0-9_.-]/g, longest: 64 };

const freeSchema: SchemaRules = {
  keeps: everyKeywordBut('title', 'examples', 'example', 'discriminator', '$comment', 'externalDocs', 'xml'),
  root: 'plain',
  keys,
  objects: 'declared',
  optional: 'absent',
  references: 'kept',
  types: 'lists',
  members: 'any',
  anything: 'kept',
  untypedItems: 'kept',
};

const formats = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

const strictSchema: SchemaRules = {
  keeps: (keyword, value) =>
    keyword === 'title' ||
    (keyword === 'format' && formats.has(String(value))) ||
    keyword === 'minItems' ||
    (keyword === 'const' && (typeof value !== 'object' || value === null)),
  root: 'plain',
  keys,
  objects: 'closed',
  optional: 'absent',
  references: 'inlined',
  types: 'lists',
  members: 'primitives',
  anything: 'json-text',
  untypedItems: 'json-text',
  mostMinItems: 1,
};

const free: ProviderRules = { toolName, schema: freeSchema, limits: {} };
const strict: ProviderRules = {
  toolName,
  schema: strictSchema,
  limits: { strictTools: 20, optionalParameters: 24, unionParameters: 16 },
};

export const anthropic = providerOf(free, ({ name, description, schema }): AnthropicTool => ({
  name,
  description,
  input_schema: schema,
}));

export const anthropicStrict = providerOf(strict, ({ name, description, schema }): AnthropicStrictTool => ({
  name,
  description,
  input_schema: schema,
  strict: true,
}));
