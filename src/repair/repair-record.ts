// What was done to a call, in a form that can be shown, counted and replayed?
import type { JsonValue } from '../json/json-value.ts';

/** One step on the value, in the words of JSON Patch (RFC 6902); `path` is a JSON Pointer. */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** One repair. Replaying the operations of all records on the value as sent gives the value as accepted. */
export interface RepairRecord {
  /** The rule's id, as in docs/rules.md. */
  readonly rule: string;
  /** JSON Pointer of the place that was repaired. */
  readonly path: string;
  /** What was there, in short form; never a secret. */
  readonly was: string;
  /** Whether the model should be told. */
  readonly tell: boolean;
  readonly operations: readonly Operation[];
}
