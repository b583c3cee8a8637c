import { checkOptions, count } from '../options/check-options.ts';
import { parseJson, decodeBytes } from '../json/parse.ts';
import { canonicalJson, fingerprintOf, readPlainValue } from '../json/serialize.ts';
import { setNewest } from '../collections/bounded-map.ts';
import { maxTextDepth } from '../json/value.ts';
import { isBytes } from '../platform/object-kinds.ts';
import { defaultFailureLimit } from './interpret.ts';
import type { Interpretation, Rejected } from './interpretation.ts';

/** Equal for arguments with equal values, in any order of keys and with any whitespace. */
function argumentsFingerprint(sentArguments: unknown): string {
  if (typeof sentArguments === 'string') return fingerprintOf(textForm(sentArguments));
  if (isBytes(sentArguments)) {
    const reading = decodeBytes(sentArguments);
    return fingerprintOf(reading.kind === 'text' ? textForm(reading.text) : reading.kind);
  }
  const reading = readPlainValue(sentArguments, maxTextDepth);
  return fingerprintOf(reading.kind === 'plain' ? canonicalJson(reading.value) : reading.kind);
}

/** Equal for rejections with equal issues. */
const issuesFingerprint = ({ issues }: Rejected): string =>
  fingerprintOf(
    JSON.stringify(issues.map(({ keyword, path, key }) => [keyword, path, key ?? null])),
  );

/** The text itself, if JavaScript can't hold the digits of its numbers. */
function textForm(text: string): string {
  const reading = parseJson(text, maxTextDepth);
  return reading.kind === 'read' && !reading.numbers.lossy
    ? canonicalJson(reading.value)
    : text.trim();
}

/** The most tools that are remembered. The one that failed longest ago is forgotten first. */
const maxTools = 256;

interface LastFailure {
  readonly call: string;
  /** How it failed. */
  readonly cause: string;
  readonly times: number;
}

/**
 * Counts the failures of one conversation, so that the model is told when it repeats a call that
 * has failed. Make one for each conversation and pass it to all its calls. A memory keeps a few
 * characters for each tool whose last call failed, and no arguments.
 */
export class CallMemory {
  /** Failures in a row after which the model is told to stop. */
  readonly failureLimit: number;
  readonly #failures = new Map<string, LastFailure>();
  readonly #executed = new Map<string, LastFailure>();

  /** `failureLimit`: default 3, at least 2. Throws a DefinitionError for another option. */
  constructor(options: { readonly failureLimit?: number } = {}) {
    checkOptions('CallMemory', options, { failureLimit: count(2) });
    const { failureLimit = defaultFailureLimit } = options;
    this.failureLimit = failureLimit;
  }

  /** How often in a row these arguments were rejected, as the tool's last call. */
  failedBefore(tool: string, sentArguments: unknown): number {
    return timesOf(this.#failures.get(tool), sentArguments);
  }

  /**
   * Remembers the interpretation of a tool's call. Returns how often in a row this call was
   * rejected with these issues, this time included; 0 if it was accepted.
   */
  remember(tool: string, sentArguments: unknown, interpretation: Interpretation): number {
    if (interpretation.status !== 'rejected') return forget(this.#failures, tool);
    this.#executed.delete(tool);
    return keep(this.#failures, tool, sentArguments, issuesFingerprint(interpretation));
  }

  /**
   * How often in a row these arguments were executed and failed in the same way, as the tool's last
   * call.
   */
  endedBefore(tool: string, sentArguments: unknown): number {
    return timesOf(this.#executed.get(tool), sentArguments);
  }

  /**
   * Remembers the end of a call that was executed. `cause`: how it failed; undefined if it did not.
   * Returns how often in a row this call has failed in this way, this time included.
   */
  rememberEnding(tool: string, sentArguments: unknown, cause: string | undefined): number {
    return cause === undefined
      ? forget(this.#executed, tool)
      : keep(this.#executed, tool, sentArguments, fingerprintOf(cause));
  }
}

function forget(failures: Map<string, LastFailure>, tool: string): 0 {
  failures.delete(tool);
  return 0;
}

const timesOf = (last: LastFailure | undefined, sentArguments: unknown): number =>
  last !== undefined && last.call === argumentsFingerprint(sentArguments) ? last.times : 0;

/** Counts a failure, and forgets the oldest one of too many. */
function keep(
  failures: Map<string, LastFailure>,
  tool: string,
  sentArguments: unknown,
  cause: string,
): number {
  const last = failures.get(tool);
  const call = argumentsFingerprint(sentArguments);
  const times = last?.call === call && last.cause === cause ? last.times + 1 : 1;
  setNewest(failures, [tool, { call, cause, times }], maxTools);
  return times;
}
