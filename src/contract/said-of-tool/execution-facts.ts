// What did an author say of how a tool runs? Copied and checked; types are not trusted alone.
import { freezeDeep } from '../../json/freeze-deep.ts';
import type { DeclaredExecution } from '../../metadata/declared-execution.ts';
import type { Complain } from '../complaint-book.ts';

/** Frozen; what the author did not say is absent. */
export type ExecutionFacts = DeclaredExecution;

/** undefined if nothing was said. */
export function readExecutionFacts(
  options: DeclaredExecution,
  complain: Complain,
): ExecutionFacts | undefined {
  const { concurrency, callLimit, retryLimit, outputSchema, resultLimit, returns } = options;
  complainOfConcurrency(concurrency, complain);
  complainOfCount('callLimit', { value: callLimit, least: 1 }, complain);
  complainOfCount('retryLimit', { value: retryLimit, least: 0 }, complain);
  complainOfCount('resultLimit', { value: resultLimit, least: leastResult }, complain);
  if (returns !== undefined && returns !== 'to-model' && returns !== 'directly') {
    complain(`has returns: ${JSON.stringify(returns)}`, 'write one of to-model, directly');
  }
  if (outputSchema !== undefined && !isObjectSchema(outputSchema)) {
    complain('has an outputSchema that is no object schema', "write { type: 'object', properties: { … } }");
  }
  const facts: ExecutionFacts = {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(callLimit === undefined ? {} : { callLimit }),
    ...(retryLimit === undefined ? {} : { retryLimit }),
    ...(outputSchema === undefined ? {} : { outputSchema: freezeDeep(structuredClone(outputSchema)) }),
    ...(resultLimit === undefined ? {} : { resultLimit }),
    ...(returns === undefined ? {} : { returns }),
  };
  return Object.keys(facts).length === 0 ? undefined : Object.freeze(facts);
}

/** Below it a page would hold little but the note that there are more. */
const leastResult = 100;

function complainOfConcurrency(concurrency: unknown, complain: Complain): void {
  const hasKey =
    typeof concurrency === 'object' &&
    concurrency !== null &&
    typeof Reflect.get(concurrency, 'key') === 'function';
  if (concurrency === undefined || concurrency === 'parallel' || concurrency === 'alone' || hasKey) return;
  complain('has a concurrency that is none', "write 'parallel', 'alone' or { key: (values) => … }");
}

function complainOfCount(
  option: string,
  { value, least }: { readonly value: number | undefined; readonly least: number },
  complain: Complain,
): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  complain(`has the ${option} ${String(value)}`, `write a whole number, at least ${least}`);
}

const isObjectSchema = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Reflect.get(schema, 'type') === 'object';
