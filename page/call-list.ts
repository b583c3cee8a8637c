// The calls of a filter, loaded as the reader scrolls, and new ones as they come.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { matches } from '../src/page/call-filter.ts';
import type { CallFilter, Counts, ListedCall } from '../src/page/page-data.ts';
import { retryMs, useAnswer } from './answers.ts';
import { toast } from './parts.ts';
import { mayComeLater, noteProblem, readCalls, readCounts, useChanges } from './server.ts';

export interface CallList {
  readonly calls: readonly ListedCall[];
  /** New calls that wait, because the reader has scrolled or paused. */
  readonly waiting: number;
  readonly counts: Counts | undefined;
  readonly isLoaded: boolean;
  /** From where older ones can be loaded. */
  readonly next: string | undefined;
  readonly loadMore: () => void;
  readonly showWaiting: () => void;
}

interface Loaded {
  readonly calls: readonly ListedCall[];
  readonly waiting: readonly ListedCall[];
  readonly isLoaded: boolean;
  readonly next: string | undefined;
}

interface Loading {
  /** Calls that were told of since the list was asked for: its answer may be older than they are. */
  changed: ListedCall[] | undefined;
  /** From where older ones are being loaded, or were. */
  from?: string | undefined;
  retry?: ReturnType<typeof setTimeout>;
}

const nothing: Loaded = { calls: [], waiting: [], isLoaded: false, next: undefined };
const countAgainMs = 1_000;

/** `isHeld`: new calls wait. */
export function useCallList(
  filter: CallFilter,
  since: number | undefined,
  isHeld: () => boolean,
): CallList {
  const [loaded, setLoaded] = useState(nothing);
  const key = JSON.stringify([filter, since]);
  const counting = useAnswer(key, () => readCounts(filter, since));
  const loading = useRef<Loading>({ changed: [] });
  const asker = useRef({});

  const load = useCallback(() => {
    const own: Loading = { changed: [] };
    clearTimeout(loading.current.retry);
    loading.current = own;
    readCalls(filter, since, undefined).then(
      ({ calls, next }) => {
        if (loading.current !== own) return;
        const first: Loaded = { calls, waiting: [], isLoaded: true, next };
        setLoaded(withChanges(first, own.changed ?? [], filter, isHeld()));
        own.changed = undefined;
        noteProblem(asker.current, undefined);
      },
      (error: unknown) => {
        if (loading.current !== own) return;
        noteProblem(asker.current, error);
        if (mayComeLater(error)) own.retry = setTimeout(load, retryMs);
      },
    );
    // The key stands for both.
  }, [key]);
  useEffect(() => {
    setLoaded(nothing);
    load();
  }, [load]);
  useEffect(
    () => () => {
      clearTimeout(loading.current.retry);
      loading.current = { changed: undefined };
      noteProblem(asker.current, undefined);
    },
    [],
  );

  const countAgain = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(countAgain.current), []);
  const reader = useMemo(
    () => ({
      onCalls(changed: readonly ListedCall[]) {
        loading.current.changed?.push(...changed);
        setLoaded((before) => withChanges(before, changed, filter, isHeld()));
        countAgain.current ??= setTimeout(() => {
          countAgain.current = undefined;
          counting.reload();
        }, countAgainMs);
      },
      onReset() {
        load();
        counting.reload();
      },
    }),
    [key, load],
  );
  useChanges(reader);

  const loadMore = (): void => {
    const { next: from } = loaded;
    const { current } = loading;
    if (from === undefined || current.from === from) return;
    current.from = from;
    readCalls(filter, since, from).then(
      ({ calls, next }) => {
        // The list may have been loaded anew, and then it ends elsewhere.
        if (loading.current !== current) return;
        setLoaded((before) => ({ ...before, calls: [...before.calls, ...calls], next }));
      },
      () => {
        current.from = undefined;
        toast('Older calls could not be read. Scroll to try again.');
      },
    );
  };
  const showWaiting = (): void =>
    setLoaded((before) => ({
      ...before,
      calls: [...before.waiting, ...before.calls],
      waiting: [],
    }));
  const { calls, waiting, isLoaded, next } = loaded;
  const { answer: counts } = counting;
  return { calls, waiting: waiting.length, counts, isLoaded, next, loadMore, showWaiting };
}

/** A call that is listed takes its new state; others come first, or wait. */
function withChanges(
  before: Loaded,
  changed: readonly ListedCall[],
  filter: CallFilter,
  isHeld: boolean,
): Loaded {
  const byId = new Map(changed.map((call) => [call.id, call]));
  const renew = (call: ListedCall): ListedCall => {
    const next = byId.get(call.id);
    byId.delete(call.id);
    return next ?? call;
  };
  const [calls, waiting] = [before.calls.map(renew), before.waiting.map(renew)];
  const added = [...byId.values()]
    .filter((call) => matches(call, filter))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
  return isHeld
    ? { ...before, calls, waiting: [...added, ...waiting] }
    : { ...before, calls: [...added, ...waiting, ...calls], waiting: [] };
}
