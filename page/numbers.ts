// The numbers of a time, which are read again as calls come.
import { useEffect, useRef } from 'preact/hooks';
import { useAnswer } from './answers.ts';
import { useChanges } from './server.ts';

/** Counting a large journal takes its time. */
const readAgainMs = 5_000;

/** What `read` answers, again after changes. `key`: what the answer is about. */
export function useReadAgain<Answer>(
  read: () => Promise<Answer>,
  key: string,
  isLive: boolean,
): Answer | undefined {
  const { answer, reload } = useAnswer(key, read);
  const live = useRef(isLive);
  live.current = isLive;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reader = useRef({
    onCalls() {
      if (!live.current) return;
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        reload();
      }, readAgainMs);
    },
    onReset: reload,
  });
  useChanges(reader.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return answer;
}
