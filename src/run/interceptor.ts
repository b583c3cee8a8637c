import type { AcceptedOutcome, Denied, ExecutedOutcome } from '../outcomes/tool-outcome.ts';
import { type JsonObject, isJsonObject, isSameAs } from '../json/value.ts';
import type { AcceptedCall, JudgedArguments } from './interpreted-call.ts';
import type { ApplicationContext, ToolContract, MetaArgument } from '../tool/tool-contract.ts';
import type { OptionKind } from '../options/check-options.ts';
import { readPlainValue } from '../json/serialize.ts';
import type { Note } from '../interpret/interpretation.ts';
import { canonicalKey } from '../tool/meta-arguments.ts';
import { interpret } from '../interpret/interpret-arguments.ts';
import { objectOf, ownValue, freezeDeep } from '../collections/objects.ts';
import { definitionError } from '../errors/definition-error.ts';
import { displayPath } from '../json/preview.ts';
/**
 * A function around every call whose arguments were accepted. It returns the outcome of `next()`,
 * `call.deny(…)`, `call.answer(…)` or `call.amend(…)`. An exception ends the call as a tool's
 * exception does: the model reads the text of a `ToolRetry` or `ToolFailure`, and an error id for
 * any other exception.
 */
export type Interceptor = (
  call: InterceptedCall,
  next: Next,
) => AcceptedOutcome | Promise<AcceptedOutcome>;

/**
 * Continues the call; at most once. Other arguments are validated again by the same contract. If
 * they are not accepted, the promise rejects with a ToolmendError and nothing is executed. Meta
 * arguments stay as the model sent them.
 */
export type Next = (editedArguments?: JsonObject) => Promise<AcceptedOutcome>;

/** A call as it would run; deeply frozen. */
export interface InterceptedCall extends Omit<AcceptedCall, 'status'> {
  /** As interpreted, or as an outer interceptor edited them. */
  readonly arguments: JsonObject;
  /** The application's values for this call. */
  readonly values: ApplicationContext;
  /** The tenant that the call was made for; empty by default. */
  readonly tenant: string;
  readonly signal: AbortSignal | undefined;
  /** `given`: the call was approved; if it is edited now, approval is required again. */
  readonly approval: 'none' | 'given';
  /**
   * The outcome of a call that must not run; the model reads the message. Throws a DefinitionError
   * without a text, and a ToolmendError once the tool has started: then use `answer`, or throw a
   * `ToolFailure`.
   */
  deny(message: string): Denied;
  /** The outcome of a call that is answered with this result, as if the tool had returned it. */
  answer(result: unknown): ExecutedOutcome;
  /** The outcome with another text for the model, with further notes, or both. */
  amend(
    outcome: AcceptedOutcome,
    changes: { readonly text?: string; readonly notes?: readonly string[] },
  ): AcceptedOutcome;
}

/**
 * JavaScript callers may pass any value: null would be read as absent arguments, a Map as an empty
 * object.
 */
export const argumentsKind: OptionKind = {
  accepts: (editedArguments) => {
    const reading = readPlainValue(editedArguments);
    // What is wrong below the root is reported by the validation.
    return reading.kind === 'plain' ? isJsonObject(reading.value) : reading.path !== '';
  },
  instead: 'write an object with all arguments, or leave it out to keep the arguments',
};

/**
 * Interprets edited arguments, and keeps what was recorded. Throws a DefinitionError for meta
 * arguments, which are the model's.
 */
export function interpretEdit(
  { contract, interpretation: interpretationBefore, judgeEdit }: AcceptedCall,
  editedArguments: JsonObject,
): JudgedArguments {
  refuseMeta(contract, ({ key }) => Object.hasOwn(editedArguments, key));
  const meta = Object.entries(interpretationBefore.meta).map(
    ([name, value]) => [canonicalKey(name), value] as const,
  );
  const sentArguments = { arguments: objectOf([...Object.entries(editedArguments), ...meta]) };
  const judgement = judgeEdit?.(sentArguments) ?? {
    contract,
    interpretation: interpret(contract, sentArguments),
  };
  const { interpretation: interpretationAfter } = judgement;
  if (interpretationAfter.status === 'rejected') return judgement;
  refuseMeta(
    contract,
    ({ name }) =>
      Object.hasOwn(interpretationAfter.meta, name) &&
      !Object.hasOwn(interpretationBefore.meta, name),
  );
  const repairs = [...interpretationBefore.repairs, ...interpretationAfter.repairs];
  const notes = [
    ...interpretationBefore.notes,
    ...interpretationAfter.notes,
    ...editNotes(interpretationBefore.value, interpretationAfter.value),
  ];
  const status = repairs.length === 0 ? 'unchanged' : 'repaired';
  return {
    contract: judgement.contract,
    interpretation: { ...interpretationAfter, status, repairs, notes },
  };
}

function refuseMeta(
  { name: where, meta }: ToolContract,
  isGiven: (argument: MetaArgument) => boolean,
): void {
  const keys = meta.filter(isGiven).map(({ key }) => key);
  if (keys.length === 0) return;
  const what = `was given ${keys.join(', ')} among edited arguments`;
  const instead = 'leave it out: meta arguments stay as the model sent them';
  throw definitionError(where, what, instead);
}

/** Names the arguments that changed, never their values. */
function editNotes(argumentsBefore: JsonObject, argumentsAfter: JsonObject): readonly Note[] {
  const keys = new Set([...Object.keys(argumentsBefore), ...Object.keys(argumentsAfter)]);
  const changedKeys = [...keys].filter(
    (key) => !isSameAs(ownValue(argumentsBefore, key), ownValue(argumentsAfter, key)),
  );
  if (changedKeys.length === 0) return [];
  const text = `The application changed ${changedKeys.map((key) => displayPath([key])).join(', ')}.`;
  return [{ rule: 'edited', path: '', text }];
}

/**
 * A copy that neither the application nor an interceptor can write to: what is validated is what
 * runs.
 */
export const frozenCall = (acceptedCall: AcceptedCall): AcceptedCall =>
  Object.freeze({
    ...acceptedCall,
    interpretation: freezeDeep(structuredClone(acceptedCall.interpretation)),
  });
