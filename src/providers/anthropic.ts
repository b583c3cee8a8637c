import type { SchemaObject } from '../schema/json-schema.ts';
import {
  type NameRule,
  type Provider,
  type ProviderRules,
  type RestrictedRules,
  setOf,
} from './provider-rules.ts';

// https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
/** One entry of a request's `tools`. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: SchemaObject;
}

export interface AnthropicStrictTool extends AnthropicTool {
  /** False for a tool that strict mode can't express. */
  readonly strict: boolean;
}

const toolName: NameRule = { pattern: /^[a-zA-Z0-9_-]+$/, forbidden: /[^a-zA-Z0-9_-]/g, maxLength: 128 };

/** Names of properties that models of Anthropic accept. */
export const propertyNames: NameRule = {
  pattern: /^[a-zA-Z0-9_.-]+$/,
  forbidden: /[^a-zA-Z0-9_.-]/g,
  maxLength: 64,
};

const formats = setOf('date-time time date duration email hostname uri ipv4 ipv6 uuid');

const strictSchema: RestrictedRules = {
  kind: 'strict',
  keeps: (keyword, value) =>
    keyword === 'title' ||
    (keyword === 'minItems' && Number(value) <= 1) ||
    (keyword === 'format' && formats.has(value)) ||
    (keyword === 'const' && (typeof value !== 'object' || value === null)),
  propertyNames,
};

const rules: ProviderRules = { toolName, schema: { kind: 'guidance', propertyNames } };

export const anthropic: Provider<AnthropicTool> = {
  rules,
  toTool: ({ name, description, schema }) => ({ name, description, input_schema: schema }),
};

export const anthropicStrict: Provider<AnthropicStrictTool> = {
  rules: {
    ...rules,
    strict: {
      schema: strictSchema,
      limits: { strictTools: 20, optionalParameters: 24, unionParameters: 16 },
    },
  },
  toTool: ({ name, description, schema, strict }) => ({ name, description, input_schema: schema, strict }),
};
