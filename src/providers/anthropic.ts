import type { SchemaObject } from '../schema/json-schema.ts';
import type { AnthropicToolOptions } from '../tool/provider-options.ts';
import {
  type Provider,
  type ProviderRules,
  type RestrictedRules,
  type StrictLimits,
  type ToolParts,
  nameRule,
} from './provider-rules.ts';

// https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
/** One entry of a request's `tools`. */
export interface AnthropicTool extends Omit<AnthropicToolOptions, 'strict'> {
  readonly name: string;
  readonly description: string;
  readonly input_schema: SchemaObject;
  /** Absent, or true for a tool that says so itself. */
  readonly strict?: boolean;
}

/** The same with strict mode. */
export interface AnthropicStrictTool extends AnthropicTool {
  /** False for a tool that strict mode can't express, or that says so itself. */
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

const strictRules = (isDefault: boolean): ProviderRules => ({
  ...rules,
  strict: {
    schema: strictSchema,
    limits: strictLimits,
    choice: { option: 'anthropic', isDefault },
  },
});

const anthropicTool = ({ name, description, schema, contract }: ToolParts): AnthropicTool => {
  const { strict: _strict, ...options } = contract.providerOptions?.anthropic ?? {};
  return { name, description, input_schema: schema, ...options };
};

export const anthropic: Provider<AnthropicTool> = {
  rules: strictRules(false),
  toTool: (parts) => ({ ...anthropicTool(parts), ...(parts.strict ? { strict: true } : {}) }),
};

export const anthropicStrict: Provider<AnthropicStrictTool> = {
  rules: strictRules(true),
  toTool: (parts) => ({ ...anthropicTool(parts), strict: parts.strict }),
};
