// How long may a call take? The shortest of what its tool, whoever makes it, and the model itself said.
import type { MetaValues } from '../../interpret/interpretation.ts';

/** Milliseconds, and who said so. */
export interface TimeLimit {
  readonly milliseconds: number;
  /** `tool`: its author. `registry`: the registry's default. `call`: whoever made the call. `model`: `_timeout_seconds`. */
  readonly setBy: 'tool' | 'registry' | 'call' | 'model';
}

export interface TimeLimits {
  readonly tool: number | undefined;
  /** Stands where the tool says nothing. */
  readonly registry: number | undefined;
  readonly call: number | undefined;
  readonly meta: MetaValues;
}

/** undefined: none. A model can make its limit shorter, and never longer. */
export function timeLimitOf({ tool, registry, call, meta }: TimeLimits): TimeLimit | undefined {
  const own = tool ?? registry;
  if (own === undefined && call === undefined && !Object.hasOwn(meta, 'timeout_seconds')) return undefined;
  const { timeout_seconds: seconds } = meta;
  const said = [
    { milliseconds: own, setBy: tool === undefined ? 'registry' : 'tool' },
    { milliseconds: call, setBy: 'call' },
    { milliseconds: typeof seconds === 'number' ? seconds * 1000 : undefined, setBy: 'model' },
  ] as const;
  return said.reduce<TimeLimit | undefined>(
    (shortest, { milliseconds = Infinity, setBy }) =>
      milliseconds < (shortest?.milliseconds ?? Infinity) ? { milliseconds, setBy } : shortest,
    undefined,
  );
}

/** What a signal's reason is when the time is up; `limit` says whose limit it was. */
export class TimeLimitError extends DOMException {
  readonly limit: TimeLimit;

  constructor(limit: TimeLimit) {
    super(`${limit.milliseconds} ms are over`, 'TimeoutError');
    this.limit = limit;
  }
}
