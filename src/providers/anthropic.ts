import type { SchemaObject } from '../schema/json-schema.ts';
import {
  type Provider,
  type ProviderRules,
  type RestrictedRules,
  type StrictLimits,
  nameRule,
} from './provider-rules.ts';

// https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
/** One entry of a request's `tools`. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: SchemaObject;
}

/** The same with strict mode. */
export interface AnthropicStrictTool extends AnthropicTool {
  /** False for a tool that strict mode can't express. */
  readonly strict: boolean;
}

/** Names of properties that Anthropic's models accept. */
export const anthropicNameRule = nameRule('a-zA-Z0-9_.-', 64);

const formats = new Set<unknown>([
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

/** Claude's strict mode, which Bedrock has too. */
export const strictSchema: RestrictedRules = {
  kind: 'strict',
  keeps: (keyword, value) =>
    keyword === 'title' ||
    (keyword === 'minItems' && Number(value) <= 1) ||
    (keyword === 'format' && formats.has(value)) ||
    (keyword === 'const' && (typeof value !== 'object' || value === null)),
  propertyNames: anthropicNameRule,
};

export const strictLimits: StrictLimits = {
  strictTools: 20,
  optionalParameters: 24,
  unionParameters: 16,
};

const rules: ProviderRules = {
  toolName: nameRule('a-zA-Z0-9_-', 128),
  schema: { kind: 'guidance', propertyNames: anthropicNameRule },
};

export const anthropic: Provider<AnthropicTool> = {
  rules,
  toTool: ({ name, description, schema }) => ({ name, description, input_schema: schema }),
};

export const anthropicStrict: Provider<AnthropicStrictTool> = {
  rules: { ...rules, strict: { schema: strictSchema, limits: strictLimits } },
  toTool: ({ name, description, schema, strict }) => ({
    name,
    description,
    input_schema: schema,
    strict,
  }),
};
