// What did an author say of how a tool runs? Copied and checked; types are not trusted alone.
import type { DeclaredExecution } from '../../metadata/declared-execution.ts';
import type { Complain, ComplaintBook } from '../complaint-book.ts';
import type { ExecutionFacts } from '../tool-contract.ts';
import { readOutputFacts } from './output-facts.ts';

/** Frozen; undefined if nothing was said. `complain`: of the tool. */
export function readExecutionFacts(
  options: DeclaredExecution,
  complain: Complain,
  book: ComplaintBook,
): ExecutionFacts | undefined {
  const { concurrency, callLimit, retryLimit, resultLimit, returns } = options;
  complainOfConcurrency(concurrency, complain);
  complainOfCount('callLimit', { value: callLimit, least: 1 }, complain);
  complainOfCount('retryLimit', { value: retryLimit, least: 0 }, complain);
  complainOfCount('resultLimit', { value: resultLimit, least: leastResult }, complain);
  if (returns !== undefined && returns !== 'to-model' && returns !== 'directly') {
    complain(`has returns: ${JSON.stringify(returns)}`, 'write one of to-model, directly');
  }
  const facts: ExecutionFacts = {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(callLimit === undefined ? {} : { callLimit }),
    ...(retryLimit === undefined ? {} : { retryLimit }),
    ...readOutputFacts(options.outputSchema, complain, book),
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
