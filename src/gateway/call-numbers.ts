// Tells the calls of one choice apart for the client: by an index and an id of their own.
import { CallIds } from '../interpret/call-ids.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { ToolCallDelta } from '../interpret/tool-call-collector.ts';
import type { JsonEdit } from '../json/json-edits.ts';
import type { PartIdentity } from './protocol.ts';

/** The rule of calls that a client could not tell apart, or not begin to read. */
export const separateRule = 'separate_calls';

/** One part of a call, and where it says which call it belongs to. */
export interface IdentifiedPart {
  readonly delta: ToolCallDelta;
  readonly identity: PartIdentity;
}

interface NumberedCall {
  readonly call: ToolCall;
  readonly parts: readonly IdentifiedPart[];
}

/** The call as the client reads it. */
export interface SeparatedCall {
  readonly call: ToolCall;
  /** undefined: the parts stay as they came. */
  readonly edits: ((part: IdentifiedPart, name: string) => readonly JsonEdit[]) | undefined;
}

/** What clients know of the calls of one choice. */
export class CallNumbers {
  readonly #ids = new CallIds();
  /** Calls by their ids, as they were sent. */
  readonly #endedCalls = new Map<string, ToolCall>();
  readonly #indexes = new Set<number>();
  #nextIndex = 0;

  /** Behind all indexes that belong to a call. */
  get nextIndex(): number {
    return this.#nextIndex;
  }

  /** The index belongs to a call: an earlier one, or one that is not read. */
  reserve(index: number): void {
    this.#indexes.add(index);
    this.#nextIndex = Math.max(this.#nextIndex, index + 1);
  }

  /** Takes the calls that ended together, in their order. */
  separate(calls: readonly NumberedCall[]): readonly SeparatedCall[] {
    const isRepeated = calls.map(({ call }) => isSameCall(this.#endedCalls.get(call.id), call));
    const indexes = this.#newIndexes(calls.filter((_call, at) => isRepeated[at] === false));
    const separatedCalls = calls.map((numberedCall, at): SeparatedCall => {
      const { call } = numberedCall;
      // Some servers say a call once more behind the end of its choice.
      if (isRepeated[at] === true) return { call, edits: undefined };
      return separatedCall(numberedCall, this.#ids.take(call.id), indexes.get(numberedCall));
    });
    for (const { call } of calls) this.#endedCalls.set(call.id, call);
    return separatedCalls;
  }

  /** New indexes for all calls if one of them has none of its own. */
  #newIndexes(calls: readonly NumberedCall[]): ReadonlyMap<NumberedCall, number> {
    const numberedCalls = calls.filter(({ parts }) => parts[0]?.identity.setIndex !== undefined);
    const indexes = numberedCalls.map(({ parts }) => indexOf(parts));
    const free = new Set(
      indexes.flatMap((index) => (index === undefined || this.#indexes.has(index) ? [] : [index])),
    );
    const first = this.#nextIndex;
    const isNumbered = free.size === numberedCalls.length;
    for (const index of isNumbered ? free : numberedCalls.map((_call, at) => first + at))
      this.reserve(index);
    return new Map(isNumbered ? [] : numberedCalls.map((call, at) => [call, first + at]));
  }
}

/** Another call may have the id and the name of an earlier one, but other arguments. */
const isSameCall = (earlier: ToolCall | undefined, call: ToolCall): boolean =>
  earlier?.name === call.name &&
  JSON.stringify(earlier.arguments) === JSON.stringify(call.arguments);

/** The index that all parts of a call have. */
function indexOf(parts: readonly IdentifiedPart[]): number | undefined {
  const [first, ...others] = new Set(parts.map(({ delta }) => delta.index ?? undefined));
  return others.length === 0 ? first : undefined;
}

/** A client takes the index from each part, and the id and the name from the first one. */
function separatedCall(
  { call, parts }: NumberedCall,
  id: string,
  index: number | undefined,
): SeparatedCall {
  const [first] = parts;
  if (first === undefined) return { call, edits: undefined };
  const isBegun = first.delta.id === id && (call.name === '' || isGiven(first.delta.name));
  if (isBegun && index === undefined) return { call, edits: undefined };
  return {
    call: { ...call, id },
    edits: ({ delta, identity }, name) => [
      ...(index === undefined ? [] : [identity.setIndex?.(index) ?? []].flat()),
      ...(delta === first.delta || isPresent(delta.id) ? [identity.setId(id)] : []),
      ...(delta === first.delta ? [identity.setName(name)] : []),
      // Some clients take an empty name as the name.
      ...(delta !== first.delta && isPresent(delta.name) ? [identity.setName(null)] : []),
    ],
  };
}

const isPresent = (text: string | null | undefined): boolean => text !== undefined && text !== null;

const isGiven = (text: string | null | undefined): boolean => isPresent(text) && text !== '';
