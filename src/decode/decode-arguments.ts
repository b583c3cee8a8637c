// Which value do the arguments of a call hold? Text is parsed, a value is looked at; both within their limits.
import type { Issue } from '../issues/issue.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { NumberTexts } from '../json/reader/number-texts.ts';
import { parseJson } from '../json/reader/parse-json.ts';
import { readPlainValue } from '../json/plain-value.ts';
import type { Unreadable } from '../json/reader/reading.ts';
import { excerptOf } from '../issues/excerpt.ts';

export interface DecodeLimits {
  /** Characters of argument text. */
  readonly size: number;
  /** Nesting of containers, the outermost counted. */
  readonly depth: number;
}

export const defaultDecodeLimits: DecodeLimits = Object.freeze({ size: 4 * 1024 * 1024, depth: 64 });

export type Decoded = DecodedArguments | { readonly kind: 'refused'; readonly issue: Issue };

export interface DecodedArguments {
  readonly kind: 'decoded';
  readonly value: JsonObject;
  readonly numbers: NumberTexts;
  /** Characters of what was sent. */
  readonly size: number;
  /** Keys that came twice with equal values. */
  readonly repeatedKeys: readonly string[];
}

/** Text, or a value that a provider has parsed already. Never throws. */
export function decodeArguments(
  sent: unknown,
  finishReason: string | undefined,
  limits: DecodeLimits,
): Decoded {
  return typeof sent === 'string' ? decodeText(sent, finishReason, limits) : decodeValue(sent, limits);
}

function decodeText(text: string, finishReason: string | undefined, limits: DecodeLimits): Decoded {
  if (text.length > limits.size)
    return refuse('too_large', { expected: `at most ${limits.size} characters` });
  const reading = parseJson(text, limits.depth);
  if (reading.kind === 'unreadable')
    return { kind: 'refused', issue: issueOf(reading, finishReason, limits) };
  const { value, numbers, repeatedKeys } = reading;
  return isJsonObject(value)
    ? { kind: 'decoded', value, numbers, size: text.length, repeatedKeys }
    : refuse('type', { expected: 'an object', received: excerptOf(value) });
}

function decodeValue(sent: unknown, limits: DecodeLimits): Decoded {
  const reading = readPlainValue(sent, limits.depth);
  if (reading.kind !== 'plain') return refuse(reading.kind, { path: reading.path });
  if (reading.size > limits.size)
    return refuse('too_large', { expected: `at most ${limits.size} characters` });
  const value: JsonValue = reading.value;
  return isJsonObject(value)
    ? { kind: 'decoded', value, numbers: new NumberTexts(false), size: reading.size, repeatedKeys: [] }
    : refuse('type', { expected: 'an object', received: excerptOf(value) });
}

const refuse = (keyword: string, facts: Partial<Issue>): Decoded => ({
  kind: 'refused',
  issue: { keyword, path: '', ...facts },
});

function issueOf({ reason, key }: Unreadable, finishReason: string | undefined, limits: DecodeLimits): Issue {
  if (reason === 'too_deep')
    return { keyword: 'too_deep', path: '', expected: `at most ${limits.depth} levels` };
  if (reason === 'duplicate_key')
    return { keyword: 'duplicate_key', path: '', ...(key === undefined ? {} : { key }) };
  const isCut = reason === 'cut' || finishReason === 'length' || finishReason === 'max_tokens';
  return { keyword: isCut ? 'truncated' : 'not_json', path: '' };
}
