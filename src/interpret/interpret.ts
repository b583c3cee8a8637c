// What did the model mean by its arguments? One call in one straight line: decode, context, meta, judge, repair, pairs.
// Pure and synchronous: nothing is executed here.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { DialectName } from '../dialects/dialect-table.ts';
import { shownForm } from '../dialects/shown-form.ts';
import type { Destination } from '../repair/repair-request.ts';
import { factsOf } from './contract-facts.ts';
import { interpretSent } from './interpret-sent.ts';
import type { Interpretation } from './interpretation.ts';
import { reworded } from './rejection/reject.ts';
import type { SentArguments } from './tool-call.ts';

export interface InterpretOptions {
  /**
   * `wire`: the arguments are passed on or stored, so the result has them as exact `text`. Default: `wire` for a tool that is
   * elsewhere, else `handler`.
   */
  readonly destination?: Destination;
  /**
   * How often in a row this very call has failed in this very way before; the message of a rejection says so then. Whoever
   * makes the calls counts, as a `CallMemory` does. Default: 0.
   */
  readonly failedBefore?: number;
  /** Failures in a row after which the model is told to stop. Default: 3. */
  readonly failureLimit?: number;
  /** How the tool was shown to the model: `schemas(dialect)`. Default: as it is. */
  readonly dialect?: DialectName | undefined;
  /** The name under which the model knows the tool, for messages. Default: the tool's own. */
  readonly shownName?: string | undefined;
}

export const defaultFailureLimit = 3;

/** The only seam: registry, adapters, replay and tests all interpret here. Never throws for what a model sent. */
export function interpret(
  contract: ToolContract,
  call: SentArguments,
  options?: InterpretOptions,
): Interpretation {
  const facts = factsOf(contract);
  const dialect = options?.dialect;
  const shown = dialect === undefined ? undefined : shownForm(contract, dialect);
  const destination = options?.destination ?? destinationOf(contract);
  const result = interpretSent(facts, call, { destination, shown });
  if (result.outcome !== 'rejected') return result;
  const { failedBefore = 0, failureLimit = defaultFailureLimit, shownName } = options ?? {};
  if (failedBefore < 1 && shown === undefined && shownName === undefined) return result;
  const repetition = failedBefore < 1 ? undefined : { times: failedBefore + 1, limit: failureLimit };
  return reworded(facts.judge, result, { repetition, shown, shownName });
}

const destinationOf = ({ binding }: ToolContract): Destination =>
  binding.kind === 'wire' ? 'wire' : 'handler';
