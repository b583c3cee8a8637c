import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import type { ProviderName } from '../providers/providers.ts';

/**
 * A tool call as the model sent it. `arguments` is text, its bytes (UTF-8), or a value that a
 * provider has parsed.
 */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** The model that sent the call, for statistics only. */
  readonly model?: string;
  /**
   * The provider's word for the end of the answer: `stop`, `tool_calls`, `length`, … Absent:
   * unknown.
   */
  readonly finishReason?: string;
  /**
   * The provider whose schemas the model was shown, as in `schemas(provider)`. Absent: the tools'
   * own schemas.
   */
  readonly provider?: ProviderName;
}

/** The parts of a call that its interpretation depends on. */
export type SentArguments = Pick<ToolCall, 'arguments' | 'finishReason'>;

const flatCall = 'pass { id, name, arguments }';

/**
 * The error about a call without a string as its name, such as a call in a provider's nested shape.
 * `where`: the function it was passed to.
 */
export function notFlatCall(call: unknown, where: string): DefinitionError {
  if (typeof call !== 'object' || call === null)
    return definitionError(where, 'was given no call', flatCall);
  if (Array.isArray(call))
    return definitionError(where, 'was given an array', 'write tools.callAll(calls)');
  if (isPresent(call, 'toolName')) {
    const what = 'was given a call that has its name as toolName and its id as toolCallId';
    return definitionError(
      where,
      what,
      passing('toolCallId', 'toolName', otherArguments(call) ?? 'input'),
    );
  }
  const member = nestedMember(call);
  if (member === undefined)
    return definitionError(where, 'was given a call whose name is not a string', flatCall);
  return definitionError(where, nestedIn('a call', member), spreading(member, 'call', 'id'));
}

/**
 * Throws a DefinitionError for a call without `arguments` that has them under another SDK's name,
 * such as Anthropic's `input`.
 */
export function requireArguments(call: object, where: string): void {
  const other = otherArguments(call);
  if (other === undefined) return;
  const what = `was given a call that has its arguments as ${JSON.stringify(other)}`;
  throw definitionError(where, what, passing('id', 'name', other));
}

/**
 * Throws a DefinitionError for a call without a string as its id, and for an item of OpenAI's
 * Responses, whose `id` is that of the item
 * (https://platform.openai.com/docs/guides/function-calling). Results refer to its `call_id`.
 */
export function requireCallId(call: object, where: string): void {
  const id: unknown = Reflect.get(call, 'id');
  const callId: unknown = Reflect.get(call, 'call_id');
  if (typeof callId === 'string' && callId !== id) {
    const what = 'was given a call that has its id as call_id';
    throw definitionError(where, what, passing('call_id', 'name', 'arguments'));
  }
  if (typeof id !== 'string')
    throw definitionError(where, 'was given a call whose id is not a string', flatCall);
}

const otherArguments = (call: object): string | undefined =>
  ['input', 'args', 'parameters'].find((name) => isPresent(call, name));

const passing = (id: string, name: string, argumentsKey: string): string =>
  `pass { id: call.${id}, name: call.${name}, arguments: call.${argumentsKey} }`;

/** Throws a DefinitionError for a part that has its name and arguments inside another object. */
export function requireFlatDelta(delta: unknown, where: string): void {
  if (typeof delta !== 'object' || delta === null) {
    throw definitionError(
      where,
      'was given no part of a call',
      'pass { index, id, name, arguments }',
    );
  }
  if (isPresent(delta, 'name') || isPresent(delta, 'arguments')) return;
  const member = nestedMember(delta);
  if (member !== undefined)
    throw definitionError(
      where,
      nestedIn('a part', member),
      spreading(member, 'part', 'index, id'),
    );
}

function isPresent(part: object, key: string): boolean {
  const value: unknown = Reflect.get(part, key);
  return value !== undefined && value !== null;
}

/** The first member that holds an object. */
const nestedMember = (call: object): string | undefined =>
  Object.entries(call).find(
    ([, value]: readonly [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  )?.[0];

const nestedIn = (kind: string, member: string): string =>
  `was given ${kind} that has its name and arguments inside ${JSON.stringify(member)}`;

/** In `function`, as OpenAI nests them, the members have our names. */
function spreading(member: string, variable: string, others: string): string {
  if (member !== 'function')
    return `pass { ${others}, name, arguments }, read from ${variable}.${member}`;
  const members = others
    .split(', ')
    .map((key) => `${key}: ${variable}.${key}`)
    .join(', ');
  return `pass { ${members}, ...${variable}.function }`;
}
