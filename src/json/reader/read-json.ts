// What does a text say, read strictly or loosely? Wrong closers are tried both ways; two different values are none.
import type { CloserChoice } from './json-reader.ts';
import { JsonReader } from './json-reader.ts';
import type { ReadSettings, ReadValue, Reading, Unreadable } from './reading.ts';
import { sameValue } from '../same-value.ts';

/** Closers that don't fit, at most: each doubles the number of readings. */
const mostMismatches = 4;

/** Reads a whole text. Linear in its length; never throws. */
export function readJson(text: string, settings: ReadSettings): Reading {
  const readings: ReadValue[] = [];
  const failures: Unreadable[] = [];
  const attempt = (choices: readonly CloserChoice[]): void => {
    const reader = new JsonReader(text, settings, choices);
    const value = reader.readWhole();
    if (value !== undefined) {
      readings.push({
        kind: 'read',
        value,
        numbers: reader.numbers,
        repeatedKeys: reader.repeatedKeys,
        isApproximate: false,
      });
    } else if (reader.wantsChoice && choices.length < mostMismatches) {
      attempt([...choices, 'leave-out']);
      attempt([...choices, 'read-as-due']);
    } else {
      failures.push(failureOf(reader));
    }
  };
  attempt([]);
  return onlyReading(readings) ?? failures[0] ?? { kind: 'unreadable', reason: 'ambiguous', at: 0 };
}

/** One strict value that starts at `start`, whatever follows it; undefined if none does. */
export function readJsonPrefix(
  text: string,
  start: number,
  maxDepth: number,
): (ReadValue & { end: number }) | undefined {
  const reader = new JsonReader(text, { mode: 'strict', maxDepth, closeAtEnd: false });
  const value = reader.readOne(start);
  if (value === undefined) return undefined;
  return {
    kind: 'read',
    value,
    numbers: reader.numbers,
    repeatedKeys: reader.repeatedKeys,
    isApproximate: false,
    end: reader.at,
  };
}

function onlyReading(readings: readonly ReadValue[]): Reading | undefined {
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  return others.every((other) => sameValue(first.value, other.value))
    ? first
    : { kind: 'unreadable', reason: 'ambiguous', at: 0 };
}

const failureOf = ({ failure = 'syntax', at, failedKey }: JsonReader): Unreadable => ({
  kind: 'unreadable',
  reason: failure,
  at,
  ...(failedKey === undefined ? {} : { key: failedKey }),
});
