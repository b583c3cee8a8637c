import {
  type OptionKind,
  type OptionKinds,
  any,
  anyObject,
  callback,
  lazy,
  list,
  object,
  oneOf,
  record,
  required,
  string,
} from '../../errors/check-options.ts';
import { type DefinitionProblem, DefinitionError } from '../../errors/definition-error.ts';
import { type JsonValue, normalizeKey } from '../../json/value.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { Relation } from '../../schema/json-schema.ts';
import type { ToolDefinition } from '../../registry/define-tool.ts';
import type { ApplicationContext, Effects, OnUnusableSchema } from '../../tool/tool-contract.ts';
import { toolKinds } from '../../tool/tool-options.ts';
import { overlayProblems, registeredName } from './remote-contract.ts';
import type { ListedTool, ListedTools, ToolListChange } from './remote-tools.ts';

// What their author left out, and what no model should see.
export interface RemoteOptions {
  /** In front of every name, so that two servers' tools don't collide: `github_`. Default: none. */
  readonly prefix?: string;
  /** By the server's own name of a tool: what is said of it here. */
  readonly overlay?: Readonly<Record<string, ToolOverlay>>;
  /** Tools for which this is false are not registered. Default: all are. */
  readonly filter?: (tool: ListedTool) => boolean;
  /**
   * Whether the server's hints may make a tool less dangerous: `trusted` takes `readOnlyHint` as `read`. By default only
   * `destructiveHint: true` is heard.
   */
  readonly annotations?: 'trusted' | 'untrusted';
  /** Milliseconds a call may take, where the overlay says nothing. Default: 60,000. */
  readonly timeoutMs?: number;
  /** `warn`: a tool whose schema can't be validated against is registered, and its calls are passed on unvalidated. Default: left out. */
  readonly onUnusableSchema?: OnUnusableSchema;
  /** `announced`: the list is asked for again when the server says that it has changed. Default: `announced`. */
  readonly follow?: 'announced' | 'never';
  /** Told what came of each announced change; what it throws is dropped. */
  readonly onChange?: (change: ToolListChange) => unknown;
}

type OverlaidFacts =
  | 'effects'
  | 'repair'
  | 'unknownArguments'
  | 'strict'
  | 'hints'
  | 'enabled'
  | 'deferred'
  | 'timeoutMs'
  | 'concurrency'
  | 'callLimit'
  | 'retryLimit'
  | 'returnDirect';

/** What is said of one tool; each stands before what its server says. */
export interface ToolOverlay extends Partial<Pick<ToolDefinition, OverlaidFacts>> {
  /** The whole name here, without the prefix. */
  readonly name?: string;
  readonly description?: string;
  /** By name: what is said of an argument. */
  readonly arguments?: Readonly<Record<string, ArgumentOverlay>>;
  /** Arguments that belong together, with the defaults of absent partners. */
  readonly pairs?: readonly Relation[];
  /**
   * Arguments that no model sees: set on the way out, to a value or to what a function makes of the call's context values.
   * One that a model sends all the same is left out, and the model is told.
   */
  readonly fixed?: Readonly<Record<string, FixedArgument>>;
}

export type FixedArgument = JsonValue | ((values: ApplicationContext) => JsonValue);

/** What is said of one argument, or of what stands inside it. */
export interface ArgumentOverlay {
  readonly description?: string;
  /** Other names that models use for it. */
  readonly aliases?: readonly string[];
  /** `path`: a file system path. `verbatim`: text that repair never looks into. `secret`: never recorded or told. */
  readonly semantic?: 'path' | 'verbatim' | 'secret';
  /** For models that leave it out; filled where it is required. */
  readonly default?: JsonValue;
  readonly properties?: Readonly<Record<string, ArgumentOverlay>>;
  readonly items?: ArgumentOverlay;
}

const argumentOverlayKind: OptionKind = lazy(() => object(argumentOverlayKinds));

const argumentOverlayKinds: OptionKinds<ArgumentOverlay> = {
  description: string,
  aliases: list(string),
  semantic: oneOf('path', 'verbatim', 'secret'),
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
  timeoutMs: toolKinds.timeoutMs,
  concurrency: toolKinds.concurrency,
  callLimit: toolKinds.callLimit,
  retryLimit: toolKinds.retryLimit,
  returnDirect: toolKinds.returnDirect,
  arguments: record(argumentOverlayKind),
  pairs: list(object(pairKinds)),
  fixed: record(any),
};

export const remoteOptionKinds: OptionKinds<RemoteOptions> = {
  prefix: string,
  overlay: record(object(overlayKinds), 'write an object of overlays by tool name'),
  filter: callback('write a function that says which tools are registered'),
  annotations: oneOf('trusted', 'untrusted'),
  timeoutMs: toolKinds.timeoutMs,
  onUnusableSchema: toolKinds.onUnusableSchema,
  follow: oneOf('announced', 'never'),
  onChange: callback('write a function that takes a change'),
};

/** What a program says of how dangerous a tool is, else what may be believed of its server's hints. */
export function effectsOf(
  { annotations: hints }: Pick<ListedTool, 'annotations'>,
  { effects }: ToolOverlay,
  annotations: RemoteOptions['annotations'],
): Effects | undefined {
  if (effects !== undefined || hints === undefined) return effects;
  if (hints.destructiveHint === true) return 'destructive';
  if (annotations !== 'trusted') return undefined;
  if (hints.readOnlyHint === true) return 'read';
  return hints.destructiveHint === false ? 'write' : undefined;
}

// Told at once, before anything is registered.
const where = 'registerRemoteTools';

/** Throws a DefinitionError with every problem. */
export function requireFit({ tools }: ListedTools, registry: ToolRegistry, options: RemoteOptions): void {
  const taken = new Map(registry.names().map((name) => [normalizeKey(name) ?? name, name]));
  const registered = tools.filter((tool) => options.filter?.(tool) ?? true);
  const listed = new Set(tools.map(({ name }) => name));
  const problems = [
    ...Object.keys(options.overlay ?? {}).flatMap((name) => (listed.has(name) ? [] : [unknownTool(name)])),
    ...registered.flatMap((tool) => overlayProblems(tool, options)),
    ...registered.flatMap((tool) => {
      const name = registeredName(tool, options);
      const other = taken.get(normalizeKey(name) ?? name);
      return other === undefined ? [] : [nameIsTaken(name, other)];
    }),
  ];
  if (problems.length > 0) throw new DefinitionError(problems);
}

const unknownTool = (name: string): DefinitionProblem => ({
  where,
  what: `has an overlay for ${JSON.stringify(name)}, which the server does not list`,
  instead: "write the server's own name of a tool, without the prefix",
});

const nameIsTaken = (name: string, other: string): DefinitionProblem => ({
  where: name,
  what: other === name ? 'is registered already' : `is spelled like ${other}, which is registered already`,
  instead: "write a prefix for this server: { prefix: '…_' }",
});
