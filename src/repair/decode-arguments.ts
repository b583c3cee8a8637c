import {
  type NumberTexts,
  type RepeatedKey,
  type UnreadableReason,
  noNumberTexts,
} from '../json/exact-numbers.ts';
import { parseJson } from '../json/parse.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { preview } from '../json/preview.ts';
import { type TextStep, mendText } from './repair-text.ts';
import {
  type Refused,
  type TextEnd,
  type TextQuestion,
  decodeBytes,
  isBytes,
  refuse,
  refuseCut,
  refuseReading,
  refuseRepeated,
} from './text-rule.ts';

// Text is parsed, a value is looked at; both within their limits.
export interface DecodeLimits {
  /** Characters of argument text. */
  readonly size: number;
  /** Nesting of containers, the outermost counted. */
  readonly depth: number;
}

export const defaultDecodeLimits: DecodeLimits = Object.freeze({ size: 4 * 1024 * 1024, depth: 64 });

export type Decoded = DecodedArguments | Refused;

export interface DecodedArguments {
  readonly kind: 'decoded';
  readonly value: JsonObject;
  readonly numbers: NumberTexts;
  /** Characters of what was sent. */
  readonly size: number;
  /** Keys that came twice with equal values. */
  readonly repeatedKeys: readonly RepeatedKey[];
  /** The text rules that acted; none where the text was JSON of an object, or a value came. */
  readonly steps: readonly TextStep[];
}

/** What decoding must know beside what was sent. */
export interface DecodeFacts {
  readonly end: TextEnd;
  readonly declared: TextQuestion['declared'];
  readonly limits: DecodeLimits;
  readonly toolName: string | undefined;
  /** `hidden`: the text may hold a secret, so nothing of it is shown. */
  readonly excerpts: 'shown' | 'hidden';
}

const noSteps: readonly TextStep[] = Object.freeze([]);

/** Text, its bytes, or a value that a provider has parsed already. Never throws. */
export function decodeArguments(sent: unknown, facts: DecodeFacts): Decoded {
  const decoded = typeof sent === 'string' ? decodeText(sent, facts) : decodeOther(sent, facts);
  // Providers start a call with `{}` and send its arguments after that.
  const isStart =
    facts.end === 'cut' && decoded.kind === 'decoded' && Object.keys(decoded.value).length === 0;
  return isStart ? refuseCut() : decoded;
}

function decodeOther(sent: unknown, facts: DecodeFacts): Decoded {
  if (sent === undefined) return decodeNothing(facts);
  if (!isBytes(sent)) return decodeValue(sent, facts);
  const { size } = facts.limits;
  // No character has more than three bytes a UTF-16 unit.
  if (sent.byteLength > size * 3) return refuse('too_large', { expected: `at most ${size} characters` });
  const reading = decodeBytes(sent);
  if (reading.kind === 'text') return decodeText(reading.text, facts);
  return refuse(reading.kind === 'cut' ? 'truncated' : reading.kind, {});
}

/** What a provider leaves out is what empty text is. */
function decodeNothing(facts: DecodeFacts): Decoded {
  const decoded = decodeText('', facts);
  return decoded.kind === 'decoded' || facts.end === 'cut' ? decoded : refuse('not_sent', {});
}

function decodeText(text: string, facts: DecodeFacts): Decoded {
  const { size, depth } = facts.limits;
  if (text.length > size) return refuse('too_large', { expected: `at most ${size} characters` });
  const reading = parseJson(text, depth);
  if (reading.kind === 'read' && isJsonObject(reading.value)) {
    const { value, numbers, repeatedKeys } = reading;
    return { kind: 'decoded', value, numbers, size: text.length, repeatedKeys, steps: noSteps };
  }
  if (reading.kind === 'unreadable' && unmendable.has(reading.reason))
    return refuseReading(text, reading, facts);
  const mended = mendText(text, reading, { ...facts, maxDepth: depth });
  if (mended?.kind === 'repeated') return refuseRepeated(mended.repeated);
  if (mended !== undefined) return { ...mended, kind: 'decoded', size: text.length };
  if (reading.kind === 'unreadable') return refuseReading(text, reading, facts);
  return facts.end === 'cut'
    ? refuseCut()
    : refuse('type', { expected: 'an object', received: preview(reading.value, 'hidden') });
}

function decodeValue(sent: unknown, facts: DecodeFacts): Decoded {
  const reading = readPlainValue(sent, facts.limits.depth);
  if (reading.kind !== 'plain') return refuse(reading.kind, { path: reading.path });
  const { value, size } = reading;
  if (size > facts.limits.size)
    return refuse('too_large', { expected: `at most ${facts.limits.size} characters` });
  // A root of another type is what text of it would be: the rules for text know it.
  if (!isJsonObject(value)) return decodeText(JSON.stringify(value), facts);
  // Providers and their SDKs complete what was cut off: unlike text, a value doesn't show whether it is whole.
  if (facts.end === 'cut') return refuseCut();
  return {
    kind: 'decoded',
    value,
    numbers: noNumberTexts,
    size,
    repeatedKeys: [],
    steps: [],
  };
}

/** JSON as it should be, but for what no rule may mend. */
const unmendable: ReadonlySet<UnreadableReason> = new Set(['duplicate_key', 'too_deep']);
