// How are arguments interpreted for a tool that is only a JSON Schema?
import { contractFromSchema, type SchemaDefinition } from '../contract/contract-from-schema.ts';
import { standardMetaArguments } from '../contract/meta/meta-arguments.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import type { SchemaObject } from '../json/json-schema.ts';
import { interpret, type InterpretOptions, type SentArguments } from './interpret.ts';
import type { Interpretation } from './interpretation.ts';

/** `text`: the argument text as it came. `value`: what a provider has parsed. */
export type ArgumentInput = { readonly text: string } | { readonly value: unknown };

export interface ArgumentOptions extends InterpretOptions {
  /** Switches the standard meta arguments on. Default: off. */
  readonly meta?: boolean;
  /** What the provider said about the end; absent: unknown. */
  readonly finishReason?: string;
  /** The tool's name in messages, and what else is known of it. Default name: `tool`. */
  readonly tool?: string | Partial<Omit<SchemaDefinition, 'inputSchema' | 'meta'>>;
}

/**
 * Interprets one call's arguments by a bare JSON Schema. A schema object is read once: change a copy,
 * not the object. Throws a DefinitionError for a schema that is no object schema or can't be
 * compiled.
 */
export function interpretArguments(
  schema: SchemaObject,
  input: ArgumentInput,
  options: ArgumentOptions = {},
): Interpretation {
  const { finishReason } = options;
  const call: SentArguments = {
    arguments: 'text' in input ? input.text : unwrapText(input.value),
    ...(finishReason === undefined ? {} : { finishReason }),
  };
  return interpret(contractFor(schema, options), call, options);
}

// A value that is text is not argument text: it is a root of the wrong type.
const unwrapText = (value: unknown): unknown => (typeof value === 'string' ? JSON.stringify(value) : value);

const contracts = new WeakMap<SchemaObject, Map<string, ToolContract>>();

function contractFor(schema: SchemaObject, { meta, tool }: ArgumentOptions): ToolContract {
  const facts = typeof tool === 'string' ? { name: tool } : tool;
  // What is known beside the name may differ from call to call; then nothing is kept.
  if (facts !== undefined && typeof tool !== 'string') return contractOfFacts(schema, facts, meta);
  const question = `${meta === true} ${facts?.name ?? ''}`;
  const known = contracts.get(schema) ?? new Map<string, ToolContract>();
  const contract = known.get(question) ?? contractOfFacts(schema, facts ?? {}, meta);
  // Only now it is known to be an object.
  contracts.set(schema, known.set(question, contract));
  return contract;
}

const contractOfFacts = (
  inputSchema: SchemaObject,
  facts: Partial<Omit<SchemaDefinition, 'inputSchema' | 'meta'>>,
  meta: boolean | undefined,
): ToolContract =>
  contractFromSchema({
    ...facts,
    inputSchema,
    meta: meta === true ? standardMetaArguments : [],
  });
