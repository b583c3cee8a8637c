import {
  type OptionKind,
  type OptionKinds,
  any,
  anyObject,
  callback,
  lazy,
  list,
  object,
  oneOfWords,
  record,
  required,
  string,
} from '../../options/check-options.ts';
import type { JsonValue } from '../../json/value.ts';
import type { ToolDefinition } from '../../registry/define-tool.ts';
import type { Relation, SchemaObject } from '../../schema/json-schema.ts';
import type { ApplicationContext, OnUnusableSchema } from '../../tool/tool-contract.ts';
import { toolKinds } from '../../tool/tool-options.ts';

/** A tool as its server describes it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: SchemaObject;
  readonly outputSchema?: SchemaObject;
  /** The server's claims, which may be false. */
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
  };
  /** Whether the server takes calls of the tool as tasks. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' };
}

/** A tool of the server that is not registered. */
export interface LeftOutTool {
  /** The server's name of the tool, shortened and without control characters. */
  readonly tool: string;
  /** For the developer. */
  readonly reason: string;
}

/** Names are those of the registry. */
export type ToolListChange =
  | {
      readonly kind: 'changed';
      readonly added: readonly string[];
      /**
       * Tools with another definition than before. With pins, their calls are rejected until the
       * definition is accepted.
       */
      readonly changed: readonly string[];
      readonly removed: readonly string[];
      readonly leftOut: readonly LeftOutTool[];
    }
  /** The server didn't answer. The registered tools stay. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** The options of `registerRemoteTools`. */
export interface RemoteOptions {
  /**
   * Prefix of all names, such as `github_`, so that tools of two servers don't collide. Default:
   * none.
   */
  readonly prefix?: string;
  /** By the server's name of a tool: what replaces or extends its description here. */
  readonly overlay?: Readonly<Record<string, ToolOverlay>>;
  /** Only tools for which it returns true are registered. Default: all. */
  readonly filter?: (tool: ListedTool) => boolean;
  /**
   * `trusted`: `readOnlyHint` makes the effects of a tool `read`. By default only
   * `destructiveHint: true` counts, because a server's hints must not make its tools look harmless.
   */
  readonly annotations?: 'trusted' | 'untrusted';
  /** Milliseconds a call may take, unless the overlay says otherwise. Default: 60,000. */
  readonly timeoutMs?: number;
  /**
   * `warn`: a tool with an unusable schema is registered, and its calls are not validated. Default:
   * it is left out.
   */
  readonly onUnusableSchema?: OnUnusableSchema;
  /** `announced`: list the tools again when the server announces a change. Default: `announced`. */
  readonly follow?: 'announced' | 'never';
  /** Called after each announced change. What it throws or rejects with is ignored. */
  readonly onChange?: (change: ToolListChange) => unknown;
}

type OverlayOption =
  | 'effects'
  | 'repair'
  | 'unknownArguments'
  | 'strict'
  | 'hints'
  | 'enabled'
  | 'deferred'
  | 'providerOptions'
  | 'dispatches'
  | 'timeoutMs'
  | 'maxTimeoutMs'
  | 'concurrency'
  | 'callLimit'
  | 'retryLimit'
  | 'returnDirect'
  | 'background'
  | 'limits';

/** Overrides what the server says about a tool. */
export interface ToolOverlay extends Partial<Pick<ToolDefinition, OverlayOption>> {
  /** The name in the registry; the prefix is not added. */
  readonly name?: string;
  /** Replaces the server's description of the tool. */
  readonly description?: string;
  /** By name: what replaces or extends the server's description of the argument. */
  readonly arguments?: Readonly<Record<string, ArgumentOverlay>>;
  /** Arguments that belong together, with defaults for the absent ones. */
  readonly pairs?: readonly Relation[];
  /**
   * Arguments that the application sets, to a value or to the result of a function of the call's
   * context values. Models don't see these arguments. If a model sends such an argument, its value
   * is ignored, and a note says so.
   */
  readonly fixed?: Readonly<Record<string, FixedArgument>>;
}

/** An argument that the application sets. */
export type FixedArgument = JsonValue | ((values: ApplicationContext) => JsonValue);

/** Overrides what the server says about an argument, or about a part of it. */
export interface ArgumentOverlay {
  /** Replaces the server's description of the argument. */
  readonly description?: string;
  /** Other names that models use for the argument. */
  readonly aliases?: readonly string[];
  /**
   * `path`: a file system path. `url`: an address with its protocol. `glob`: a pattern without
   * quotes. `line_range`: the first and the last line, `[10, 20]` or `10-20`. `verbatim`: a string
   * that no repair changes. `secret`: never recorded or shown.
   */
  readonly semantic?: 'path' | 'url' | 'glob' | 'line_range' | 'verbatim' | 'secret';
  /** Used if a model omits the argument and the server requires it. */
  readonly default?: JsonValue;
  /** The same for properties of an object. */
  readonly properties?: Readonly<Record<string, ArgumentOverlay>>;
  /** The same for the elements of an array. */
  readonly items?: ArgumentOverlay;
}

const argumentOverlayKind: OptionKind = lazy(() => object(argumentOverlayKinds));

const argumentOverlayKinds: OptionKinds<ArgumentOverlay> = {
  description: string,
  aliases: list(string),
  semantic: oneOfWords('path', 'url', 'glob', 'line_range', 'verbatim', 'secret'),
  default: any,
  properties: record(argumentOverlayKind),
  items: argumentOverlayKind,
};

const pairKinds: OptionKinds<Relation> = {
  requires: required(list(string)),
  defaults: required(anyObject('write the defaults by name')),
};

const overlayKinds: OptionKinds<ToolOverlay> = {
  name: string,
  description: string,
  effects: toolKinds.effects,
  repair: toolKinds.repair,
  unknownArguments: toolKinds.unknownArguments,
  strict: toolKinds.strict,
  hints: toolKinds.hints,
  enabled: toolKinds.enabled,
  deferred: toolKinds.deferred,
  providerOptions: toolKinds.providerOptions,
  dispatches: toolKinds.dispatches,
  timeoutMs: toolKinds.timeoutMs,
  maxTimeoutMs: toolKinds.maxTimeoutMs,
  concurrency: toolKinds.concurrency,
  callLimit: toolKinds.callLimit,
  retryLimit: toolKinds.retryLimit,
  returnDirect: toolKinds.returnDirect,
  background: toolKinds.background,
  limits: toolKinds.limits,
  arguments: record(argumentOverlayKind),
  pairs: list(object(pairKinds)),
  fixed: record(any),
};

export const remoteOptionKinds: OptionKinds<RemoteOptions> = {
  prefix: string,
  overlay: record(object(overlayKinds), 'write an object of overlays by tool name'),
  filter: callback('write a function that says which tools are registered'),
  annotations: oneOfWords('trusted', 'untrusted'),
  timeoutMs: toolKinds.timeoutMs,
  onUnusableSchema: toolKinds.onUnusableSchema,
  follow: oneOfWords('announced', 'never'),
  onChange: callback('write a function that takes a change'),
};

/** Empty for a tool without an overlay. */
export const overlayOf = ({ overlay = {} }: RemoteOptions, tool: string): ToolOverlay =>
  (Object.hasOwn(overlay, tool) ? overlay[tool] : undefined) ?? {};

export const registeredName = ({ name }: ListedTool, options: RemoteOptions): string =>
  overlayOf(options, name).name ?? (options.prefix ?? '') + name;
