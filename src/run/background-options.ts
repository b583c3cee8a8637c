import {
  type OptionKinds,
  callback,
  count,
  objectWith,
  milliseconds,
  oneOfWords,
} from '../options/check-options.ts';
import type { BackgroundCall, EndedCall } from '../outcomes/background-call.ts';
import type { JobQueue } from '../store/job-queue.ts';
/** The registry option `background`. */
export interface BackgroundOptions {
  /**
   * Called with each progress update of a background call. What it throws or rejects with is
   * ignored.
   */
  readonly onProgress?: (call: BackgroundCall, update: unknown) => unknown;
  /**
   * Called when a background call has ended in this process. What it throws or rejects with is
   * ignored.
   */
  readonly onEnd?: (call: EndedCall) => unknown;
  /**
   * Background calls that run in this process at the same time, beside the registry's
   * `concurrencyLimit` of other calls; further ones wait. Default: 8.
   */
  readonly concurrencyLimit?: number;
  /** Milliseconds that ended calls are kept in memory, at most 10,000 of them. Default: one day. */
  readonly keepMs?: number;
  /**
   * `offered`: the registry has the tool `check_background`, with which a model asks for progress
   * and results, as soon as one of its tools may run in the background. Default: `offered`.
   */
  readonly checkTool?: 'offered' | 'off';
  /**
   * Calls run on workers (`startWorker`), for example `await openQueue(journal)` of
   * `toolmend/journal`. Default: they run in this process.
   */
  readonly queue?: JobQueue;
}

export const backgroundOptionKinds: OptionKinds<BackgroundOptions> = {
  onProgress: callback('write a function that takes a call and an update'),
  onEnd: callback('write a function that takes an ended call'),
  concurrencyLimit: count(1),
  keepMs: milliseconds,
  checkTool: oneOfWords('offered', 'off'),
  queue: objectWith('send', "write await openQueue(journal) of 'toolmend/journal'"),
};
