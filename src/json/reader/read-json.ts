// What does a text say, read strictly or loosely? Wrong closers are tried both ways; two different values are none.
import { JsonReader } from './json-reader.ts';
import type { JsonValue } from '../json-value.ts';
import { ReadMemory } from './read-memory.ts';
import {
  type CloserChoice,
  mostMismatches,
  type Reading,
  type ReadSettings,
  type ReadValue,
  type Unreadable,
} from './reading.ts';
import { sameValue } from '../same-value.ts';

/** What all readings of one text may cost: its own length this often, and so many characters beside. */
const mostPasses = 3;
const freeCharacters = 1_000_000;

/** Reads a whole text. Linear in its length; never throws. */
export function readJson(text: string, settings: ReadSettings): Reading {
  const memory = new ReadMemory();
  const readings: ReadValue[] = [];
  const failures: Unreadable[] = [];
  const attempt = (choices: readonly CloserChoice[]): void => {
    const reader = new JsonReader(text, settings, choices, memory);
    const value = reader.readWhole();
    memory.spent += reader.at;
    if (value !== undefined) {
      readings.push(readingOf(reader, value));
    } else if (reader.wantsChoice && choices.length < mostMismatches) {
      memory.keeps = true;
      attempt([...choices, 'leave-out']);
      // A reading that nobody looked at could be the second one.
      if (memory.spent > text.length * mostPasses + freeCharacters) readings.length = 0;
      else attempt([...choices, 'read-as-due']);
    } else {
      failures.push(failureOf(reader));
    }
  };
  attempt([]);
  return onlyReading(readings) ?? failures[0] ?? ambiguous;
}

const ambiguous: Unreadable = { kind: 'unreadable', reason: 'ambiguous', at: 0 };

/** One value that starts at `start`, whatever follows it; undefined if none does, or a closer doesn't fit. */
export function readJsonPrefix(
  text: string,
  start: number,
  maxDepth: number,
  mode: ReadSettings['mode'] = 'strict',
): (ReadValue & { end: number }) | undefined {
  const reader = new JsonReader(text, { mode, maxDepth, closeAtEnd: false });
  const value = reader.readOne(start);
  if (value === undefined) return undefined;
  return { ...readingOf(reader, value), end: reader.at };
}

const readingOf = ({ memory, repeatedKeys }: JsonReader, value: JsonValue): ReadValue => ({
  kind: 'read',
  value,
  numbers: memory.numbers,
  repeatedKeys,
  isApproximate: false,
});

function onlyReading(readings: readonly ReadValue[]): Reading | undefined {
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  return others.every((other) => sameValue(first.value, other.value)) ? first : ambiguous;
}

const failureOf = ({ failure = 'syntax', at, failedKey }: JsonReader): Unreadable => ({
  kind: 'unreadable',
  reason: failure,
  at,
  ...(failedKey === undefined ? {} : { repeated: failedKey }),
});
