import {
  DefinitionError,
  type OptionKind,
  type OptionKinds,
  functionKind,
  objectKind,
  optionComplaints,
  timeComplaints,
  unknownOptions,
} from '../errors/definition-error.ts';
import type { CallInstances } from '../execute/call-instances.ts';
import type { Admission } from '../execute/concurrency.ts';
import type { ToolRun } from '../execute/limits.ts';
import type { KeptResults } from '../execute/paging.ts';
import type { ToolContext } from '../execute/tool-context.ts';
import type { ToolListener } from '../telemetry/tool-event.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { CallFacts } from './interpret-call.ts';
import type { Guards } from './run-accepted.ts';
import type { TrustedDefinitions } from './trusted-definitions.ts';

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

/** What a registry brings to every call. */
export interface CallSetting extends Guards {
  readonly instances: CallInstances;
  readonly admission: Admission;
  readonly listeners: readonly ToolListener[];
  readonly context: ApplicationContext;
  readonly timeoutMs: number | undefined;
  /** Characters that the model reads at once; undefined: all. */
  readonly maxResultChars: number | undefined;
  readonly results: KeptResults;
  readonly trusted: TrustedDefinitions;
}

// Asked before anything is done with the call.
const where = 'ToolRegistry.call';

/** Throws a DefinitionError with every option that is of another kind, and every one that there is not. */
export function checkCallOptions(options: CallOptions): void {
  if (isSound(options)) return;
  const misfits = optionComplaints(where, options, kinds);
  const given: Partial<CallOptions> = Object(options);
  const { timeoutMs } = given;
  const complaints = [
    ...misfits,
    ...timeComplaints(where, { timeoutMs }),
    ...unknownOptions(where, given, callOptions),
  ];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}

/** Quickly: nearly every call's are. */
function isSound(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false;
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && checks.get(option)?.(value) !== true) return false;
  }
  return true;
}

/** Of any installed copy of toolmend: known by what it can do. */
const madeWith = (method: string, instead: string): OptionKind => ({
  fits: (value) => typeof Reflect.get(Object(value), method) === 'function',
  instead,
});

const kinds: OptionKinds = {
  signal: madeWith('addEventListener', 'write an AbortSignal, the signal of an AbortController'),
  caller: { fits: (caller) => typeof caller === 'string', instead: 'write a text, as the id of a tenant' },
  within: objectKind('write the context that the calling tool was given'),
  context: objectKind('write an object of values by name'),
  progress: functionKind('write a function that takes an update'),
  run: madeWith('refusalOf', 'write a ToolRun, new ToolRun()'),
  memory: madeWith('failedBefore', 'write a CallMemory, new CallMemory()'),
};

const callOptions: Readonly<Record<keyof CallOptions, true>> = {
  signal: true,
  timeoutMs: true,
  tenant: true,
  parent: true,
  context: true,
  progress: true,
  run: true,
  memory: true,
  provider: true,
};

const checks: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['timeoutMs', (timeoutMs) => timeComplaints(where, { timeoutMs }).length === 0],
  // Whether there is such a provider is asked where the call is read.
  ['provider', () => true],
  ...Object.entries(kinds).map(([option, { fits }]) => [option, fits] as const),
]);

// Those of the registry, and before them those of the call itself.
/** Frozen, and without a prototype, so that no name is there that nobody set. */
export const contextValues = (given: ApplicationContext | undefined): ApplicationContext =>
  Object.freeze({ __proto__: null, ...given });

/** `all`: made by `contextValues`; they are the call's own where it brings none. */
export const mergeContext = (
  all: ApplicationContext,
  one: ApplicationContext | undefined,
): ApplicationContext => (one === undefined ? all : contextValues({ ...all, ...one }));
