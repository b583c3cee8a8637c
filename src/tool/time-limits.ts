import type { MetaArgument } from './tool-contract.ts';

/** The limits of a tool, or of a registry for tools without limits of their own. */
export interface TimeLimits {
  /** Milliseconds a call may take unless the model asks for another time. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that a model may ask for. */
  readonly maxTimeoutMs?: number | undefined;
}

/** The time limit of a call, as `TimeLimitError.limit`. */
export interface TimeLimit {
  readonly milliseconds: number;
  /**
   * The option that set it: the tool's, the registry's or the call's `timeoutMs`, or the model's
   * `_timeout_seconds`.
   */
  readonly setBy: 'tool' | 'registry' | 'call' | 'model';
}

/**
 * Milliseconds; undefined if a model may ask for any time. A registry's maximum doesn't lower a
 * tool's own limit.
 */
export function longestAskedFor(tool: TimeLimits, registry: TimeLimits): number | undefined {
  if (tool.maxTimeoutMs !== undefined) return tool.maxTimeoutMs;
  const ownLimit = tool.timeoutMs ?? registry.timeoutMs;
  return registry.maxTimeoutMs === undefined
    ? ownLimit
    : Math.max(registry.maxTimeoutMs, ownLimit ?? 0);
}

const timeoutKey = '_timeout_seconds';

/**
 * `_timeout_seconds` with the bounds of a tool: its `maximum`, and a description that says the
 * default.
 */
export function withTimeBounds(
  argument: MetaArgument,
  tool: TimeLimits,
  registry: TimeLimits,
): MetaArgument {
  const { key, schema } = argument;
  const longest = longestAskedFor(tool, registry);
  if (key !== timeoutKey || longest === undefined || schema.maximum !== undefined) return argument;
  // The model asks in whole seconds; a limit below one second still applies.
  const maximum = Math.max(1, Math.floor(longest / 1000));
  const ownLimit = tool.timeoutMs ?? registry.timeoutMs;
  const usual = ownLimit === undefined ? '' : ` Without it: ${ownLimit / 1000}.`;
  const description = `${schema.description ?? 'Seconds.'} At most ${maximum}.${usual}`;
  return { ...argument, schema: { ...schema, maximum, description } };
}
