// The calls that wait, as the server of the page has them.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  ArgumentEdit,
  DecisionCase,
  DecisionResult,
  EditJudgement,
  OpenDecision,
  PageDecision,
} from '../src/page/decision-data.ts';
import type { CallDetail, ListedCall } from '../src/page/page-data.ts';
import { useAnswer } from './answers.ts';
import { answerTo, knownTo, postTo, readCall, useChanges } from './server.ts';

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
  const { answer, reload } = useAnswer('decisions', () =>
    answerTo<{ readonly decisions?: readonly OpenDecision[] }>('decisions'),
  );
  const open = answer === undefined ? undefined : (answer.decisions ?? 'none');
  const known = Array.isArray(open) ? open.map(({ id }) => id).join() : '';
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // An answer that is on its way may list them.
  const told = useRef(new Set<string>());
  const reader = useMemo(
    () => ({
      onCalls(calls: readonly ListedCall[]) {
        const isOfThem = ({ id, state }: ListedCall): boolean =>
          known.includes(id) || told.current.has(id) || isOpen(state);
        if (!calls.some(isOfThem)) return;
        for (const { id, state } of calls)
          if (isOpen(state)) told.current.add(id);
          else told.current.delete(id);
        timer.current ??= setTimeout(() => {
          timer.current = undefined;
          reload();
        }, togetherMs);
      },
      onReset: reload,
    }),
    [known, reload],
  );
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
  const { answer: read, reload } = useAnswer(id ?? '', () => readCase(id));
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
  return { read, reload };
}

async function readCase(id: string | undefined): Promise<ReadCase | 'unknown' | undefined> {
  if (id === undefined) return undefined;
  const [decision, detail] = await Promise.all([
    knownTo(answerTo<DecisionCase>(`decisions/${encodeURIComponent(id)}`)),
    knownTo(readCall(id)),
  ]);
  return decision === 'unknown' || detail === 'unknown' ? 'unknown' : { decision, detail };
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
