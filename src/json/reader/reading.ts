// What comes out of reading a JSON text with the reader? A value with what would be lost in it, or where it stopped.
import type { JsonValue } from '../json-value.ts';
import type { NumberTexts } from './number-texts.ts';

export type Reading = ReadValue | Unreadable;

export interface ReadValue {
  readonly kind: 'read';
  readonly value: JsonValue;
  readonly numbers: NumberTexts;
  /** Keys that came twice with equal values; the first place is kept. */
  readonly repeatedKeys: readonly RepeatedKey[];
  /** Numbers have the values that were sent, but some were spelled in another way. */
  readonly isApproximate: boolean;
}

/** `cut`: the text ends before the value does. `ambiguous`: wrong closers can be read in two ways. */
export type UnreadableReason = 'syntax' | 'cut' | 'too_deep' | 'duplicate_key' | 'ambiguous';

export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: UnreadableReason;
  /** Offset in UTF-16 code units where reading stopped. */
  readonly at: number;
  /** The key that came twice with different values. */
  readonly repeated?: RepeatedKey;
}

/** A key that an object has twice. */
export interface RepeatedKey {
  /** JSON Pointer of the object. */
  readonly path: string;
  readonly key: string;
}

export interface ReadSettings {
  /** `strict`: RFC 8259. `loose`: also what models write for it, as long as it has one reading. */
  readonly mode: 'strict' | 'loose';
  /** Containers inside containers, the outermost counted. */
  readonly maxDepth: number;
  /** Loose only: closers missing at the end, after a complete value, are read as if they were there. */
  readonly closeAtEnd: boolean;
}

/** What to do with a closer that doesn't fit. */
export type CloserChoice = 'leave-out' | 'read-as-due';

/** Closers that don't fit, at most: each that has two readings doubles the number of attempts. */
export const mostMismatches = 4;
