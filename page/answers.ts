// Answers of the server, which may come in another order than they were asked for.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { mayComeLater, noteProblem } from './server.ts';

/** After this time, what could not be asked is asked again. */
export const retryMs = 2_000;

interface Questions<Answer> {
  key: string;
  read: () => Promise<Answer>;
  /** How many were asked, and the number of the newest one that was answered. */
  asked: number;
  answered: number;
  retry?: ReturnType<typeof setTimeout> | undefined;
  /** Nobody waits for an answer any more. */
  isOver?: boolean;
}

export interface ReadAnswer<Answer> {
  /** Undefined: not read yet. */
  readonly answer: Answer | undefined;
  /** Asks again about what the key is then. */
  readonly reload: () => void;
}

/**
 * What `read` answers. `key`: what it is about. An answer about another key is dropped, and so is
 * one that comes after the answer to a later question: a person sees the newest state only.
 */
export function useAnswer<Answer>(key: string, read: () => Promise<Answer>): ReadAnswer<Answer> {
  const [known, setKnown] = useState<{ readonly key: string; readonly answer: Answer }>();
  const questions = useRef<Questions<Answer>>({ key, read, asked: 0, answered: 0 });
  questions.current.key = key;
  questions.current.read = read;
  const reload = useCallback(() => {
    const { current } = questions;
    const askedKey = current.key;
    const number = (current.asked += 1);
    current.read().then(
      (answer) => {
        if (current.key !== askedKey || number < current.answered) return;
        current.answered = number;
        noteProblem(current, undefined);
        setKnown({ key: askedKey, answer });
      },
      (error: unknown) => {
        if (current.isOver || number < current.answered) return;
        noteProblem(current, error);
        clearTimeout(current.retry);
        if (mayComeLater(error)) current.retry = setTimeout(reload, retryMs);
      },
    );
  }, []);
  useEffect(reload, [key]);
  useEffect(
    () => () => {
      questions.current.isOver = true;
      clearTimeout(questions.current.retry);
      noteProblem(questions.current, undefined);
    },
    [],
  );
  return { answer: known?.key === key ? known.answer : undefined, reload };
}
