import type { SchemaObject } from '../schema/json-schema.ts';
import { type ProviderRules, type NameRule, type SchemaRules, everyKeywordBut } from './provider-rules.ts';
import { providerOf } from './transform-schema.ts';

// https://platform.openai.com/docs/guides/function-calling,
// https://platform.openai.com/docs/guides/structured-outputs
/** One entry of a request's `tools`; OpenAI-compatible servers (vLLM, llama.cpp) take the same. */
export interface OpenAiChatTool<Strict extends boolean = false> {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: SchemaObject;
    /** Said even where it is false: the Responses API takes a tool that says nothing as strict. */
    readonly strict: Strict;
  };
}

export interface OpenAiResponsesTool<Strict extends boolean = false> {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: SchemaObject;
  readonly strict: Strict;
}

const toolName: NameRule = { accepts: /^[a-zA-Z0-9_-]+$/, forbidden: /[^a-zA-Z0-9_-]/g, longest: 64 };

/** The rest of the schema is guidance: nothing forces a model to keep to it. */
const freeSchema: SchemaRules = {
  keeps: everyKeywordBut('title', 'examples', 'example', 'discriminator', '$comment', 'externalDocs', 'xml'),
  root: 'plain',
  objects: 'declared',
  optional: 'absent',
  references: 'kept',
  types: 'lists',
  members: 'any',
  anything: 'kept',
  untypedItems: 'kept',
};

const strictFormats = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);
const strictKeywords = new Set([
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
]);

const strictSchema: SchemaRules = {
  keeps: (keyword, value) =>
    strictKeywords.has(keyword) &&
    (keyword !== 'format' || strictFormats.has(String(value))) &&
    (keyword !== 'pattern' || !/\(\?<?[=!]/.test(String(value))),
  root: 'plain',
  objects: 'closed',
  optional: 'null',
  references: 'alone',
  types: 'lists',
  members: 'primitives',
  anything: 'json-text',
  untypedItems: 'json-text',
};

const free: ProviderRules = { toolName, schema: freeSchema, limits: {} };
const strict: ProviderRules = {
  toolName,
  schema: strictSchema,
  limits: { depth: 10, properties: 5_000, characters: 120_000, enumMembers: 1_000, enumCharacters: 15_000 },
};

const chat = <Strict extends boolean>(rules: ProviderRules, isStrict: Strict) =>
  providerOf(rules, ({ name, description, schema: parameters }): OpenAiChatTool<Strict> => ({
    type: 'function',
    function: { name, description, parameters, strict: isStrict },
  }));

const responses = <Strict extends boolean>(rules: ProviderRules, isStrict: Strict) =>
  providerOf(rules, ({ name, description, schema: parameters }): OpenAiResponsesTool<Strict> => ({
    type: 'function',
    name,
    description,
    parameters,
    strict: isStrict,
  }));

export const openAiChat = chat(free, false);
export const openAiChatStrict = chat(strict, true);
export const openAiResponses = responses(free, false);
export const openAiResponsesStrict = responses(strict, true);
