// The result that is approved, executed, stored and re-driven.
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Issue } from '../messages/issue.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';

/**
 * `value`: code gets the arguments, so a number that JavaScript can't hold exactly is refused. `json`: the arguments are
 * passed on or stored as JSON text, which keeps its digits.
 */
export type OutputForm = 'value' | 'json';

/** Meta arguments that were taken out, by name without the underscore: `{ timeout_seconds: 30 }`. */
export type MetaValues = Readonly<Record<string, JsonValue>>;

/** A sentence for the model that stands beside the tool's result, never inside it. */
export interface Note {
  readonly rule: string;
  readonly path: string;
  readonly text: string;
}

export type Interpretation = Accepted | Rejected;

export interface Accepted {
  /** `unchanged`: valid as sent. `repaired`: `repairs` lists every change. */
  readonly status: 'unchanged' | 'repaired';
  readonly value: JsonObject;
  readonly meta: MetaValues;
  readonly repairs: readonly RepairRecord[];
  readonly notes: readonly Note[];
  readonly issues: readonly [];
  /** Nobody could validate against the tool's schema: the value is what came, whatever it is. */
  readonly unvalidated?: true;
  /** Only for the output `wire`: the arguments as JSON text, every number as the model spelled it. */
  readonly text?: string;
}

export interface Rejected {
  readonly status: 'rejected';
  readonly meta: MetaValues;
  readonly repairs: readonly [];
  readonly notes: readonly [];
  /** What is wrong with the value as sent. */
  readonly issues: readonly Issue[];
  /** The call that repair would have made, where the tool does not run on it unless the model confirms it. */
  readonly wouldBe?: JsonObject;
  /** What the model reads. */
  readonly message: string;
  /** What the author's own checks threw instead of validating. For the application alone, so not enumerable. */
  readonly causes?: readonly unknown[];
}
