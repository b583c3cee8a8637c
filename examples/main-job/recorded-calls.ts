// Reads recorded-calls.json: calls that people reported of these models, adapted to the tools and
// the workspace.
import { readFileSync } from 'node:fs';

/** The calls of one model, in order. */
export interface ModelScript {
  /** As the report names it. */
  readonly model: string;
  readonly calls: readonly RecordedCall[];
}

export interface RecordedCall {
  /**
   * Where the shape was reported: a repository and its issue, or a test. Absent for a correction.
   */
  readonly source?: string;
  /** The arguments as reported, for the tool that they were meant for. Absent for a correction. */
  readonly reported?: unknown;
  readonly tool: string;
  /** The arguments: text as it is, everything else as JSON. */
  readonly sends: unknown;
  readonly finishReason?: 'length';
  /**
   * This call corrects the one before it, and the model sends it only if what it read of the
   * rejection holds each of these texts.
   */
  readonly afterReading?: readonly string[];
  readonly expect: ExpectedCall;
}

export interface ExpectedCall {
  readonly input: 'unchanged' | 'repaired' | 'rejected';
  /** Rule and path of each repair: `drop_null /limit`. */
  readonly repairs?: readonly string[];
  /** Texts that the model reads in the answer. */
  readonly answer: readonly string[];
}

/** All scripts, in the order in which the models take over from each other. */
export function readRecordedCalls(): readonly ModelScript[] {
  // Two folders up is the package, for this file and for its compiled form alike.
  const address = new URL('../../examples/main-job/recorded-calls.json', import.meta.url);
  return JSON.parse(readFileSync(address, 'utf8'));
}
