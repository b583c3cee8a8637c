// The calls that wait, as the server of the page has them.
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type {
  ArgumentEdit,
  DecisionCase,
  DecisionResult,
  EditJudgement,
  OpenDecision,
  PageDecision,
} from '../src/page/decision-data.ts';
import type { CallDetail, ListedCall } from '../src/page/page-data.ts';
import { answerTo, postTo, readCall, useChanges } from './server.ts';

export const judgeEdit = (id: string, edit: ArgumentEdit): Promise<EditJudgement> =>
  postTo(`decisions/${id}/judge`, edit);

export const sendDecision = (id: string, decision: PageDecision): Promise<DecisionResult> =>
  postTo(`decisions/${id}`, decision);

/** Changes within this time are read together. */
const togetherMs = 100;

export interface OpenDecisions {
  /** `none`: no call of this source can wait. Undefined: not read yet. */
  readonly open: readonly OpenDecision[] | 'none' | undefined;
  readonly reload: () => void;
}

/** Those that wait now, and whenever one more does or another is decided. */
export function useOpenDecisions(): OpenDecisions {
  const [open, setOpen] = useState<OpenDecisions['open']>();
  const reload = useCallback(() => {
    answerTo<{ readonly decisions?: readonly OpenDecision[] }>('decisions').then(
      ({ decisions }) => setOpen(decisions ?? 'none'),
      () => undefined,
    );
  }, []);
  useEffect(reload, [reload]);
  const known = Array.isArray(open) ? open.map(({ id }) => id).join() : '';
  const reader = useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return {
      onCalls(calls: readonly ListedCall[]) {
        if (!calls.some(({ id, state }) => known.includes(id) || isOpen(state))) return;
        clearTimeout(timer);
        timer = setTimeout(reload, togetherMs);
      },
      onReset: reload,
    };
  }, [known, reload]);
  useChanges(reader);
  return { open, reload };
}

const isOpen = (state: ListedCall['state']): boolean => state === 'waiting' || state === 'in_doubt';

export interface ReadCase {
  readonly decision: DecisionCase;
  readonly detail: CallDetail;
}

/** One call with its arguments. Undefined: not read yet. */
export function useCase(id: string | undefined): {
  readonly read: ReadCase | 'unknown' | undefined;
  readonly reload: () => void;
} {
  const [read, setRead] = useState<ReadCase | 'unknown'>();
  const reload = useCallback(() => {
    if (id === undefined) return;
    Promise.all([answerTo<DecisionCase>(`decisions/${id}`), readCall(id)]).then(
      ([decision, detail]) => setRead({ decision, detail }),
      () => setRead('unknown'),
    );
  }, [id]);
  useEffect(() => {
    setRead(undefined);
    reload();
  }, [reload]);
  const reader = useMemo(
    () => ({
      onCalls(calls: readonly ListedCall[]) {
        if (calls.some((call) => call.id === id)) reload();
      },
      onReset: reload,
    }),
    [id, reload],
  );
  useChanges(reader);
  const isCurrent = typeof read !== 'object' || read.decision.id === id;
  return { read: isCurrent ? read : undefined, reload };
}

/** The time, again every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
