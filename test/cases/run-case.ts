import { readFileSync } from 'node:fs';
import type { Interpretation, JsonObject } from 'toolmend';
import { caseVerdict as verdictOfCall } from '../../src/cli/cases.ts';
import { readExpectation } from '../../src/cli/read-records.ts';

/** One line of a case file: a call that a model sent, and what must become of it. */
export interface RecordedCase {
  readonly id: string;
  readonly source?: string;
  readonly model?: string;
  readonly tool: string | null;
  readonly schema: { readonly [keyword: string]: unknown };
  readonly input?: unknown;
  readonly inputText?: string;
  readonly options?: { readonly meta?: boolean; readonly finishReason?: string };
  readonly expect: JsonObject & { readonly outcome: 'unchanged' | 'repaired' | 'rejected' };
}

/** The calls of files of this folder: `systems`. */
export const recordedCases = (...names: readonly string[]): readonly RecordedCase[] =>
  names
    .flatMap((name) => readFileSync(new URL(`${name}.jsonl`, import.meta.url), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line));

/**
 * `missed`: refused though there is one reading. `wrong`: accepted with another value, or at all.
 */
export type Verdict = 'right' | 'missed' | 'wrong';

export function verdictOf({ expect: expected }: RecordedCase, result: Interpretation): Verdict {
  const expectation = readExpectation({ expect: expected });
  if (typeof expectation !== 'object') throw new Error(`no expectation: ${expectation}`);
  return verdictOfCall(expectation, result).kind;
}
