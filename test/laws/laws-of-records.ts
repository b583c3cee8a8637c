import type { Accepted } from 'toolmend';
import { replayed } from '../repair/replay.ts';
import { valueAt } from './locations.ts';
import { holdsIf, isSameJson, type JudgedCall, type Law } from './law.ts';

export const recordsSayAll: Law = {
  id: 'records_say_all',
  title: 'replaying the records on what was sent gives what was accepted',
  judge(call) {
    const { result } = call;
    if (result.status === 'rejected') return 'silent';
    const isRecorded = (result.status === 'repaired') === result.repairs.length > 0;
    if (!isRecorded) return { breach: `${result.status} with ${result.repairs.length} records` };
    const value = replayedOrError(call, result);
    return holdsIf(isSameJson(value, result.value), () =>
      JSON.stringify({ replayed: value, value: result.value, repairs: result.repairs }),
    );
  },
};

export const untouchedKept: Law = {
  id: 'untouched_kept',
  title: 'what lies outside the recorded paths keeps its identity',
  judge(call) {
    const { result, sent } = call;
    if (result.status === 'rejected' || typeof sent.arguments === 'string') return 'silent';
    const value = replayedOrError(call, result);
    const lost = firstCopied(
      { replayed: value, accepted: result.value, path: '' },
      objectsIn(sent.arguments),
    );
    return holdsIf(lost === undefined, () => `there is another object at "${lost ?? ''}"`);
  },
};

/** The error's text for records that don't fit what was sent: a breach, not an exception. */
function replayedOrError({ contract, sent }: JudgedCall, { repairs }: Accepted): unknown {
  // For a text that isn't JSON, the first operation replaces it by its value.
  const [first] = repairs.flatMap(({ operations }) => operations);
  const isDecoded = first?.path === '';
  try {
    const start: unknown =
      typeof sent.arguments === 'string' && !isDecoded
        ? JSON.parse(sent.arguments)
        : sent.arguments;
    const gone = new Set(contract.meta.map(({ key }) => key));
    // The value of a text that isn't JSON has its meta arguments only after that operation.
    return withoutKeys(replayed(withoutKeys(start, gone), repairs), gone);
  } catch (error) {
    return String(error);
  }
}

/** Meta arguments under their own names are not in the value but in `meta`. */
function withoutKeys(value: unknown, gone: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return [...gone].some((key) => Object.hasOwn(value, key))
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !gone.has(key)))
    : value;
}

function objectsIn(value: unknown, found: Set<unknown> = new Set()): ReadonlySet<unknown> {
  if (typeof value !== 'object' || value === null) return found;
  found.add(value);
  for (const member of Object.values(value)) objectsIn(member, found);
  return found;
}

interface Pair {
  readonly replayed: unknown;
  readonly accepted: unknown;
  readonly path: string;
}

/**
 * The first location at which the replayed value has an object as sent and the accepted one has
 * another.
 */
function firstCopied(
  { replayed: left, accepted: right, path }: Pair,
  sent: ReadonlySet<unknown>,
): string | undefined {
  if (left === right || typeof left !== 'object' || left === null) return undefined;
  if (sent.has(left)) return path;
  for (const [key, member] of Object.entries(left)) {
    const below = { replayed: member, accepted: valueAt(right, [key]), path: `${path}/${key}` };
    const lost = firstCopied(below, sent);
    if (lost !== undefined) return lost;
  }
  return undefined;
}
