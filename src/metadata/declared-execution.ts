// What can an author say of how a tool runs? Plain data and functions; nothing here is computed.
import type { SchemaObject } from '../json/json-schema.ts';
import type { ArgumentClass } from './declared-type.ts';

/**
 * What may run beside a call. `parallel`: any other. `alone`: none, but for the calls that it makes itself; the earlier calls of its caller end first, and a call that is
 * made inside another one runs beside what that one runs beside. `key`: none
 * with the same key, whatever its tool. The key is a text or number, a list of them (a lock each), anything else that JSON
 * can say, or nothing; it is made of the arguments as plain values, defaults included, and of the context values.
 */
export type Concurrency<Values extends object = object> =
  'parallel' | 'alone' | { key(values: Values, context: Readonly<Record<string, unknown>>): unknown };

/** The options of a tool that say how it runs. */
export interface DeclaredExecution<Values extends object = object> {
  /** What may run beside a call. Default: `parallel`. */
  readonly concurrency?: Concurrency<Values>;
  /** Calls that one run of an agent may make of this tool. Default: the run's. */
  readonly callLimit?: number;
  /** Failures in a row after the first, in one run of an agent. Default: the run's. */
  readonly retryLimit?: number;
  /**
   * The object that the tool returns: JSON Schema, or a class that is decorated as arguments are. What it returns otherwise
   * is kept from the model.
   */
  readonly outputSchema?: SchemaObject | ArgumentClass;
  /** Characters of a result that the model reads at once; it can ask for the rest. Default: the registry's. */
  readonly resultLimit?: number;
  /** `directly`: a result is for the user as it is, and the model need not speak of it. Default: `to-model`. */
  readonly returns?: 'to-model' | 'directly';
}
