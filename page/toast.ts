import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Rendered, onToast } from './parts.ts';

const toastMs = 4_000;

const nothing = { text: '', number: 0 };

/** What was just done, for some seconds. Also a repeated text is a new element, which is read out. */
export function Toast(): Rendered {
  const [{ text, number }, setShown] = useState(nothing);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    onToast((next) => {
      setShown((before) => ({ text: next, number: before.number + 1 }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setShown((before) => ({ ...before, text: '' })), toastMs);
    });
  }, []);
  return html`<div id="toast" role="status" class=${text === '' ? '' : 'on'}>
    ${text === '' ? '' : html`<p key=${number}>${text}</p>`}
  </div>`;
}
