import type { ToolOutcome } from '../outcomes/tool-outcome.ts';
import type { Interpretation } from '../interpret/interpretation.ts';
import { type JsonObject, sameValue } from '../json/value.ts';
import type { InterpretedCall } from '../run/interpreted-call.ts';

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * The matchers' types, for `interface Matchers<R> extends OutcomeMatchers<R> {}` in your test
 * runner's module.
 */
export interface OutcomeMatchers<Result> {
  /** The call was accepted with exactly these arguments, repaired or not. */
  toMean(intendedArguments: JsonObject): Result;
  /** The call was accepted as sent. */
  toBeUnchanged(): Result;
  /** The call was accepted, and each of these rules has repaired something. */
  toBeRepairedBy(...rules: readonly string[]): Result;
  /**
   * The call was rejected with an issue of this keyword, at `path` (a JSON Pointer) if it is given.
   */
  toBeRejectedFor(keyword: string, path?: string): Result;
}

/**
 * For `expect.extend(outcomeMatchers)` in Jest and Vitest. They take outcomes and the results of
 * `interpret`.
 */
export const outcomeMatchers = {
  toMean(received: unknown, intendedArguments: JsonObject): Verdict {
    const result = interpretationOf(received);
    const value = result === undefined || result.status === 'rejected' ? undefined : result.value;
    const pass = value !== undefined && sameValue(value, intendedArguments);
    return verdict(pass, `mean ${JSON.stringify(intendedArguments)}`, received);
  },

  toBeUnchanged(received: unknown): Verdict {
    return verdict(interpretationOf(received)?.status === 'unchanged', 'be unchanged', received);
  },

  toBeRepairedBy(received: unknown, ...rules: readonly string[]): Verdict {
    const appliedRules = interpretationOf(received)?.repairs.map(({ rule }) => rule) ?? [];
    const pass = rules.length > 0 && rules.every((rule) => appliedRules.includes(rule));
    return verdict(pass, `be repaired by ${rules.join(' and ')}`, received);
  },

  toBeRejectedFor(received: unknown, keyword: string, path?: string): Verdict {
    const issues = interpretationOf(received)?.issues ?? [];
    const pass = issues.some(
      (issue) => issue.keyword === keyword && (path ?? issue.path) === issue.path,
    );
    const where = path === undefined ? '' : ` at ${path === '' ? 'the root' : path}`;
    return verdict(pass, `be rejected for ${keyword}${where}`, received);
  },
};

const verdict = (pass: boolean, expectation: string, received: unknown): Verdict => ({
  pass,
  message: () =>
    `expected the call ${pass ? 'not ' : ''}to ${expectation}; it ${summaryOf(received)}`,
});

type Outcome = ToolOutcome | InterpretedCall | Interpretation;

function summaryOf(received: unknown): string {
  if (!isOutcome(received)) return 'is not an outcome of a call';
  const result = interpretationOf(received);
  if (result === undefined) return 'names an unknown tool';
  if (result.status === 'rejected') {
    return `was rejected: ${result.issues.map(({ keyword, path }) => `${keyword} at ${path === '' ? 'the root' : path}`).join(', ')}`;
  }
  const rules = result.repairs.map(({ rule }) => rule).join(', ');
  return `means ${JSON.stringify(result.value)}${rules === '' ? '' : `, repaired by ${rules}`}`;
}

function interpretationOf(received: unknown): Interpretation | undefined {
  if (!isOutcome(received) || received.status === 'unknown_tool') return undefined;
  return 'interpretation' in received ? received.interpretation : received;
}

const isOutcome = (received: unknown): received is Outcome =>
  typeof received === 'object' &&
  received !== null &&
  'status' in received &&
  ('interpretation' in received || 'issues' in received || received.status === 'unknown_tool');
