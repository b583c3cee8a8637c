// What does a model read of a tool's result? Text as it is, everything else as JSON; well-formed Unicode in any case.
import { defineKey } from '../json/own-key.ts';
import type { JsonValue } from '../json/json-value.ts';

/** A result as a provider can take it. */
export interface ResultContent {
  readonly text: string;
  /** A plain copy of a result that was no text; the same data as `text`. */
  readonly structured?: JsonValue;
}

const nothingReturned = 'Done. There is no output.';

/**
 * The content of what a tool returned. Throws what `JSON.stringify` throws (cycles, BigInt, a getter or
 * `toJSON` of the result's own), and a TypeError for a function or symbol.
 */
export function resultContent(result: unknown): ResultContent {
  if (result === undefined) return { text: nothingReturned };
  if (typeof result === 'string') return { text: result.toWellFormed() };
  const written: string | undefined = JSON.stringify(result);
  if (written === undefined) throw new TypeError(`a ${typeof result} has no JSON form`);
  const structured = wellFormedCopy(JSON.parse(written));
  // JSON.stringify writes half of a character as an escape, which no provider's reader takes.
  return { text: escapedSurrogate.test(written) ? JSON.stringify(structured) : written, structured };
}

const escapedSurrogate = /\\ud[89a-f]/i;

/** A copy in which no text and no key has half of a character; keys that become equal stay apart. */
function wellFormedCopy(value: unknown): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(wellFormedCopy);
  if (typeof value !== 'object' || value === null) return null;
  const copy: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    let name = key.toWellFormed();
    while (name !== key && (Object.hasOwn(copy, name) || Object.hasOwn(value, name))) name += '\uFFFD';
    defineKey(copy, name, wellFormedCopy(member));
  }
  return copy;
}
