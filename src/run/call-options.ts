import {
  type OptionKinds,
  anyObject,
  boolean,
  callback,
  checkOptions,
  objectWith,
  kindWithHint,
  milliseconds,
  oneOfWords,
  string,
} from '../options/check-options.ts';
import { definitionError } from '../errors/definition-error.ts';
import { type ToolContext, RunContext } from './tool-context.ts';
import type { ToolRun } from './tool-run.ts';
import type { CallMemory } from '../interpret/call-memory.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { PendingQuestion, QuestionAnswer } from '../outcomes/question.ts';
import { providerKind } from '../providers/providers.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call, which ends at once even if its tool ignores the signal. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds; the shortest limit applies. Default: the tool's `timeoutMs`, else the registry's.
   */
  readonly timeoutMs?: number;
  /**
   * The tenant or conversation of the call. Tenants take turns when calls have to wait. Default:
   * one tenant for all calls.
   */
  readonly tenant?: string;
  /**
   * The conversation of the call. The results of its background calls are read there. With a
   * journal, a call whose id is already in its conversation gets the outcome of the first one.
   * Default: ids are not compared.
   */
  readonly conversation?: string;
  /**
   * A name for one answer of the model. Some models begin their ids again in each answer (`call_0`):
   * with a name, a journal compares ids only with those of the same answer. Default: ids are
   * compared within the conversation.
   */
  readonly turn?: string;
  /**
   * The context of the running call whose code makes this one. The call uses that call's slot and
   * signal.
   */
  readonly parent?: ToolContext;
  /** Application values for this call; they override the registry's. */
  readonly context?: ApplicationContext;
  /** Receives progress updates of the tool. Exceptions that it throws are ignored. */
  readonly progress?: (update: unknown) => void;
  /**
   * `true`: the call runs in the background if its tool may, as if the model had sent
   * `_background`. Default: as the model says.
   */
  readonly background?: boolean;
  /**
   * Answers the questions that the tool asks with `context.ask`, while the caller waits: a prompt of
   * a terminal, or a dialog. If it resolves to undefined or throws, the call ends as
   * `input_required`, and the question stays open. Default: questions stay open.
   */
  readonly elicit?: Elicit;
  /**
   * `required`: the call waits for approval, whatever `approval.needed` of the registry says.
   * Default: as `approval.needed` says.
   */
  readonly approval?: 'required';
  /**
   * The agent run that the call belongs to. A run limits calls and failures in a row. Default: no
   * limits.
   */
  readonly run?: ToolRun;
  /**
   * The calls of the conversation so far: a model that repeats a failing call is told so. Default:
   * no memory.
   */
  readonly memory?: CallMemory;
  /**
   * The provider whose `schemas(provider)` the model was shown. Names and arguments are read in
   * that provider's form, and rejections use the same form. Default: the call's own `provider`,
   * else the tools' own schemas.
   */
  readonly provider?: ToolCall['provider'];
}

/**
 * Asks a person. `signal`: that of the call. `problem`: what is wrong with the answer before, for
 * the person.
 */
export type Elicit = (
  question: PendingQuestion,
  asking: { readonly signal: AbortSignal | undefined; readonly problem: string | undefined },
) => QuestionAnswer | undefined | Promise<QuestionAnswer | undefined>;

export const callOptionKinds: OptionKinds<CallOptions> = {
  signal: objectWith('addEventListener', 'write an AbortSignal, the signal of an AbortController'),
  timeoutMs: milliseconds,
  tenant: kindWithHint(string, 'write a string, such as the id of a tenant'),
  conversation: kindWithHint(string, 'write a string, such as the id of a conversation'),
  turn: kindWithHint(string, "write a string, such as the id of the model's answer"),
  parent: anyObject('write the context that the calling tool received'),
  context: anyObject('write an object of values by name'),
  progress: callback('write a function that takes an update'),
  background: boolean,
  elicit: callback('write a function that takes a question and returns { action, content }'),
  approval: oneOfWords('required'),
  run: objectWith('refusalOf', 'write a ToolRun, new ToolRun()'),
  memory: objectWith('failedBefore', 'write a CallMemory, new CallMemory()'),
  provider: providerKind,
};

/** Throws a DefinitionError with every problem. */
export const checkCallOptions = (options: CallOptions): void =>
  checkOptions('ToolRegistry.call', options, callOptionKinds);

/** A frozen copy without a prototype, so that only the given names are present. */
export const contextValues = (context: ApplicationContext | undefined): ApplicationContext =>
  Object.freeze({ __proto__: null, ...context });

/** The registry's values (`all`, made by `contextValues`), overridden by those of one call. */
export const mergeContext = (
  all: ApplicationContext,
  one: ApplicationContext | undefined,
): ApplicationContext => (one === undefined ? all : contextValues({ ...all, ...one }));

/**
 * Throws for a call that the code of a transactional tool makes: its work would not be undone with
 * that of the tool, and would be done again if the tool runs again.
 */
export function requireNoTransaction({ parent }: CallOptions): void {
  if (parent === undefined || !RunContext.hasTransaction(parent)) return;
  const what = `was given the context of ${parent.call.name}, which is transactional`;
  const instead = 'let a tool that is not transactional make both calls';
  throw definitionError('ToolRegistry.call', what, instead);
}
