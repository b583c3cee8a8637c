// What must become of a recorded call, if somebody has said so?
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import type { Expectation } from './recorded-call.ts';

const outcomes: ReadonlyMap<unknown, Expectation['outcome']> = new Map([
  ['unchanged', 'unchanged'],
  ['repaired', 'repaired'],
  ['rejected', 'rejected'],
]);

/** undefined: nothing is expected. Text: why the expectation can't be read. */
export function readExpectation(record: JsonObject): Expectation | undefined | string {
  const expected = ownValue(record, 'expect');
  if (expected === undefined || expected === null) return undefined;
  if (!isJsonObject(expected)) return 'has an expect that is no object';
  const outcome = outcomes.get(ownValue(expected, 'outcome'));
  if (outcome === undefined) return 'has an expect.outcome that is none of unchanged, repaired, rejected';
  const value = ownValue(expected, 'value');
  if (outcome !== 'rejected' && value === undefined) return 'has no expect.value for an accepted call';
  const meta = ownValue(expected, 'meta');
  return { outcome, value, meta: isJsonObject(meta) ? meta : undefined, parsedKeys: parsedKeysOf(expected) };
}

/** `compare-parsed:KEY` among the kinds. */
function parsedKeysOf(expected: JsonObject): ReadonlySet<string> {
  const kinds = ownValue(expected, 'kinds');
  const words = isJsonArray(kinds) ? kinds.filter((kind) => typeof kind === 'string') : [];
  return new Set(
    words.filter((kind) => kind.startsWith(comparison)).map((kind) => kind.slice(comparison.length)),
  );
}

const comparison = 'compare-parsed:';
