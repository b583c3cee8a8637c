// Did a call come out as it must? Right, missed or wrong, and where it differs first.
import type { Interpretation } from '../../interpret/interpretation.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import { firstDifference } from './first-difference.ts';
import type { Expectation } from '../records/recorded-call.ts';

/**
 * `right`: as expected. `missed`: rejected, though there is one reading. `wrong`: accepted with another value or
 * another outcome, or accepted at all; `path` is the JSON Pointer of the first difference.
 */
export type Verdict =
  { readonly kind: 'right' | 'missed' } | { readonly kind: 'wrong'; readonly path: string };

/** Holds an interpretation against what is expected of it. */
export function judgeRecord(expected: Expectation, result: Interpretation): Verdict {
  if (result.outcome === 'rejected') return { kind: expected.outcome === 'rejected' ? 'right' : 'missed' };
  if (expected.outcome === 'rejected') return { kind: 'wrong', path: '' };
  const path =
    firstDifference(comparable(expected.value ?? null, expected), comparable(result.value, expected)) ??
    (expected.meta === undefined ? undefined : firstDifference(expected.meta, result.meta)) ??
    (expected.outcome === result.outcome ? undefined : '');
  return path === undefined ? { kind: 'right' } : { kind: 'wrong', path };
}

/** Text that holds JSON is compared as what it says where the expectation asks for that. */
function comparable(value: JsonValue, { parsedKeys }: Expectation): JsonValue {
  if (parsedKeys.size === 0 || !isJsonObject(value)) return value;
  return objectOf(
    Object.entries(value).map(
      ([key, member]) => [key, parsedKeys.has(key) ? parsedText(member) : member] as const,
    ),
  );
}

function parsedText(member: JsonValue): JsonValue {
  if (typeof member !== 'string') return member;
  const reading = parseJson(member, 64, 'approximate');
  return reading.kind === 'read' ? reading.value : member;
}
