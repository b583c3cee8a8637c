import { DefinitionError } from '../errors/definition-error.ts';
import type { ProviderName } from '../providers/providers.ts';

// Its name and its arguments would be lost without a word.
const flatCall = 'pass { id, name, arguments }';

/** Throws a DefinitionError for a call whose name is no text. `where`: what it was passed to. */
export function requireFlatCall(call: unknown, where: string): void {
  if (typeof call !== 'object' || call === null) throw notFlat(where, 'was given no call', flatCall);
  if (typeof Reflect.get(call, 'name') === 'string') return;
  const holder = nestedMember(call);
  const what =
    holder === undefined ? 'was given a call whose name is no text' : `was given ${hidden('a call', holder)}`;
  throw notFlat(where, what, holder === undefined ? flatCall : spreading(holder, 'call', 'id'));
}

/** Throws a DefinitionError for a part that says neither a name nor arguments, but holds an object that may. */
export function requireFlatDelta(delta: unknown, where: string): void {
  if (typeof delta !== 'object' || delta === null) {
    throw notFlat(where, 'was given no part of a call', 'pass { index, id, name, arguments }');
  }
  if (isSaid(delta, 'name') || isSaid(delta, 'arguments')) return;
  const holder = nestedMember(delta);
  if (holder === undefined) return;
  throw notFlat(where, `was given ${hidden('a part', holder)}`, spreading(holder, 'part', 'index, id'));
}

const isSaid = (part: object, key: string): boolean => {
  const value: unknown = Reflect.get(part, key);
  return value !== undefined && value !== null;
};

/** The first member that holds an object of its own. */
const nestedMember = (call: object): string | undefined =>
  Object.entries(call).find(
    ([, value]: readonly [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  )?.[0];

const hidden = (kind: string, holder: string): string =>
  `${kind} that has its name and arguments inside ${JSON.stringify(holder)}`;

/** OpenAI's is the one whose members have our names. */
function spreading(holder: string, variable: string, others: string): string {
  if (holder !== 'function') return `pass { ${others}, name, arguments }, read from ${variable}.${holder}`;
  const kept = others
    .split(', ')
    .map((key) => `${key}: ${variable}.${key}`)
    .join(', ');
  return `pass { ${kept}, ...${variable}.function }`;
}

const notFlat = (where: string, what: string, instead: string): DefinitionError =>
  new DefinitionError([{ where, what, instead }]);

/** A tool call as it came; `arguments` is text, its bytes (UTF-8), or whatever value a provider has already parsed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** The model that sent it; only counted, never decided by. */
  readonly model?: string;
  /** What the provider said about the end: `stop`, `tool_calls`, `length`, … Absent: unknown. */
  readonly finishReason?: string;
  /** How the tools were shown to the model: the provider of `schemas(provider)`. Absent: as they are. */
  readonly provider?: ProviderName;
}

/** What of a call decides its meaning. */
export type SentArguments = Pick<ToolCall, 'arguments' | 'finishReason'>;
