import {
  type OptionKinds,
  anyObject,
  callback,
  checkOptions,
  having,
  hinted,
  milliseconds,
  string,
} from '../errors/check-options.ts';
import type { ToolRun } from '../execute/limits.ts';
import type { ToolContext } from '../execute/tool-context.ts';
import { providerKind } from '../providers/providers.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { CallFacts } from './interpret-call.ts';

/** What whoever makes a call may say of it. */
export interface CallOptions extends CallFacts {
  /** Cancels the call: it ends at once, whether its tool obeys or not. */
  readonly signal?: AbortSignal;
  /** Milliseconds the call may take; the shortest limit holds. Default: the tool's or the registry's. */
  readonly timeoutMs?: number;
  /** Whose call it is: a tenant, a conversation. Callers take turns when calls have to wait. Default: one for all. */
  readonly tenant?: string;
  /** For a call that a tool's code makes while it runs: its own context. The call then has that one's place and signal. */
  readonly parent?: ToolContext;
  /** Values for this call; they stand before the registry's. */
  readonly context?: ApplicationContext;
  /** Told what the tool reports while it runs. What it throws is dropped. */
  readonly progress?: (update: unknown) => void;
  /** The run of an agent that the call belongs to; with it calls and failures in a row are limited. */
  readonly run?: ToolRun;
}

export const callOptionKinds: OptionKinds<CallOptions> = {
  signal: having('addEventListener', 'write an AbortSignal, the signal of an AbortController'),
  timeoutMs: milliseconds,
  tenant: hinted(string, 'write a string, as the id of a tenant'),
  parent: anyObject('write the context that the calling tool was given'),
  context: anyObject('write an object of values by name'),
  progress: callback('write a function that takes an update'),
  run: having('refusalOf', 'write a ToolRun, new ToolRun()'),
  memory: having('failedBefore', 'write a CallMemory, new CallMemory()'),
  provider: providerKind,
};

/** Throws a DefinitionError with every problem. */
export const checkCallOptions = (options: CallOptions): void =>
  checkOptions('ToolRegistry.call', options, callOptionKinds);

// Those of the registry, and before them those of the call itself.
/** Frozen, and without a prototype, so that no name is there that nobody set. */
export const contextValues = (given: ApplicationContext | undefined): ApplicationContext =>
  Object.freeze({ __proto__: null, ...given });

/** `all`: made by `contextValues`; they are the call's own where it brings none. */
export const mergeContext = (
  all: ApplicationContext,
  one: ApplicationContext | undefined,
): ApplicationContext => (one === undefined ? all : contextValues({ ...all, ...one }));
