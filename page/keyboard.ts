import { useEffect } from 'preact/hooks';

/** What keys do in a view. */
export type KeyActions = { readonly [key: string]: (() => void) | undefined };

const isTyping = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && /^(?:TEXTAREA|SELECT)$/.test(target.tagName)) ||
  (target instanceof HTMLInputElement && target.type !== 'radio');

const isOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Keys that go on while they are held. Any other one would decide about the next call, too. */
const heldKeys: ReadonlySet<string> = new Set(['j', 'k']);

/** Keys without Ctrl, Alt and Meta, while nothing is typed. */
export function useKeys(actions: KeyActions): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || isOpen() || pressedG()) return;
      if (event.repeat && !heldKeys.has(event.key)) return;
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

let lastG = 0;
const sequenceMs = 1_000;
const pressedG = (): boolean => Date.now() - lastG < sequenceMs;

/** `g`, then the letter of a view. */
export function useViewKeys(show: (letter: string) => boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isOpen()) return;
      if (pressedG()) {
        lastG = 0;
        if (show(event.key)) event.preventDefault();
      } else if (event.key === 'g') lastG = Date.now();
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  });
}
