import { type OptionKinds, checkOptions, count, oneOf, string } from '../errors/check-options.ts';
import { type ProviderName, argumentMapping, providerKind } from '../providers/providers.ts';
import { type Decoded, decodeArguments } from '../repair/decode-arguments.ts';
import { recordRepeatedKeys } from '../repair/edits.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { textEndOf } from '../repair/finish-reason.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { ContractValidator } from '../validate/validator.ts';
import {
  type ContractFacts,
  type ValidatedArguments,
  acceptAsSent,
  acceptOrRepair,
  factsOf,
} from './accept-or-repair.ts';
import { withText } from './arguments-text.ts';
import type { OutputForm, Interpretation } from './interpretation.ts';
import { type OwnArguments, type Way, restored } from './provider-form.ts';
import { standsForUnreadable } from './records.ts';
import { reject, reworded } from './reject.ts';
import { takeMeta } from './take-meta.ts';
import type { SentArguments, ToolCall } from './tool-call.ts';

// How its text ended, and what its contract says of them.
/** The arguments of a call as one object, or why there is none. */
const decodeCall = (
  { decode }: ContractFacts,
  { arguments: sent, finishReason }: Pick<ToolCall, 'arguments' | 'finishReason'>,
): Decoded => decodeArguments(sent, decode[textEndOf(finishReason)]);

// One record for each text rule that acted, and for each key that came twice.
/** The first record's operation puts the decoded value in the place of the text. */
function decodeRecords({ steps, value, repeatedKeys }: OwnArguments): readonly RepairRecord[] {
  const mended = steps.map(({ rule, was }): RepairRecord => ({
    rule,
    path: '',
    was,
    tell: false,
    operations: [{ op: 'replace', path: '', value }],
  }));
  return repeatedKeys.length === 0 ? mended : [...mended, ...recordRepeatedKeys(repeatedKeys, '')];
}

// Context, meta, validator, repair, pairs.
function interpretDecoded(
  validator: ContractValidator,
  decoded: ValidatedArguments,
  output: OutputForm,
): Interpretation {
  // Text that had to be mended may mean something else, and here nobody could say so.
  if (validator.isUnvalidated && decoded.steps.length > 0) return reject(validator, {}, [notJson]);
  const reading = takeMeta(validator, { ...decoded, output, readAt: decoded.fromShown?.readAt });
  if (reading.kind === 'refused') return reject(validator, {}, reading.issues);
  const { taken, issues } = reading;
  const records = [...decodeRecords(decoded), ...taken.records];
  const result = acceptOrRepair(validator, decoded, { ...taken, records }, output);
  if (result.status !== 'unchanged' && standsForUnreadable(decoded.value)) {
    return reject(validator, {}, [notJson]);
  }
  return issues.length === 0 ? result : reject(validator, {}, [...issues, ...result.issues]);
}

const notJson = { keyword: 'not_json', path: '' };

// Decoded, read in the tool's own form, accepted or repaired.
function interpretSent(facts: ContractFacts, call: SentArguments, { output, shown }: Way): Interpretation {
  const sent = decodeCall(facts, call);
  if (sent.kind === 'refused') return reject(facts.validator, {}, [sent.issue]);
  const decoded: OwnArguments = shown === undefined ? sent : restored(sent, shown);
  const asSent = acceptAsSent(facts, decoded, output);
  const result =
    typeof asSent === 'object'
      ? asSent
      : interpretDecoded(facts.validator, { ...decoded, verdict: asSent }, output);
  return output === 'json' ? withText(result, decoded, call) : result;
}

// One call in one straight line: decode, context, meta, validator, repair, pairs. Pure and synchronous: nothing is
// executed here.
export interface InterpretOptions {
  /**
   * `json`: the arguments are passed on or stored, so the result has them as exact `text`. Default: `json` for a remote tool,
   * else `value`.
   */
  readonly output?: OutputForm;
  /**
   * How often in a row this very call has failed in this very way before; the message of a rejection says so then. Whoever
   * makes the calls counts, as a `CallMemory` does. Default: 0.
   */
  readonly failedBefore?: number;
  /** Failures in a row after which the model is told to stop. Default: 3. */
  readonly failureLimit?: number;
  /** How the tool was shown to the model: `schemas(provider)`. Default: as it is. */
  readonly provider?: ProviderName | undefined;
  /** The name under which the model knows the tool, for messages. Default: the tool's own. */
  readonly shownName?: string | undefined;
}

export const interpretOptionKinds: OptionKinds<InterpretOptions> = {
  output: oneOf('value', 'json'),
  failedBefore: count(0),
  failureLimit: count(1),
  provider: providerKind,
  shownName: string,
};

export const defaultFailureLimit = 3;

/**
 * Interprets the arguments of one call; registry, adapters and replay all do it here. Never throws for what a model sent.
 * Throws a DefinitionError for an unknown or ill-valued option.
 */
export function interpret(
  contract: ToolContract,
  call: SentArguments,
  options?: InterpretOptions,
): Interpretation {
  if (options !== undefined) checkOptions('interpret', options, interpretOptionKinds);
  return interpretChecked(contract, call, options);
}

/** Takes options that were checked. */
export function interpretChecked(
  contract: ToolContract,
  call: SentArguments,
  options?: InterpretOptions,
): Interpretation {
  const facts = factsOf(contract);
  const provider = options?.provider;
  const shown = provider === undefined ? undefined : argumentMapping(contract, provider);
  const output = options?.output ?? outputOf(contract);
  const result = interpretSent(facts, call, { output, shown });
  if (result.status !== 'rejected') return result;
  const { failedBefore = 0, failureLimit = defaultFailureLimit, shownName } = options ?? {};
  if (failedBefore < 1 && shown === undefined && shownName === undefined) return result;
  const repetition = failedBefore < 1 ? undefined : { times: failedBefore + 1, limit: failureLimit };
  return reworded(facts.validator, result, { repetition, shown, shownName });
}

const outputOf = ({ binding }: ToolContract): OutputForm => (binding.kind === 'wire' ? 'json' : 'value');
