// The numbers of a time, which are read again as calls come.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useChanges } from './server.ts';

/** Counting a large journal takes its time. */
const readAgainMs = 5_000;

interface ReadingState {
  key: string;
  isLive: boolean;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/** What `read` answers, again after changes. `key`: what the answer is about. */
export function useReadAgain<Answer>(
  read: () => Promise<Answer>,
  key: string,
  isLive: boolean,
): Answer | undefined {
  const [answer, setAnswer] = useState<{ readonly key: string; readonly value: Answer }>();
  const state = useRef<ReadingState>({ key, isLive });
  state.current.key = key;
  state.current.isLive = isLive;
  const load = (): void => {
    const asked = state.current.key;
    read().then(
      (value) => {
        if (state.current.key === asked) setAnswer({ key: asked, value });
      },
      () => undefined,
    );
  };
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => latest.current(), [key]);
  const reader = useRef({
    onCalls() {
      const { current } = state;
      if (!current.isLive) return;
      current.timer ??= setTimeout(() => {
        current.timer = undefined;
        latest.current();
      }, readAgainMs);
    },
    onReset: () => latest.current(),
  });
  useChanges(reader.current);
  useEffect(() => () => clearTimeout(state.current.timer), []);
  return answer?.key === key ? answer.value : undefined;
}
