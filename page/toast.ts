import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Rendered, onToast } from './parts.ts';

const toastMs = 4_000;

/** What was just done, for some seconds. */
export function Toast(): Rendered {
  const [text, setText] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    onToast((next) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setText(''), toastMs);
    });
  }, []);
  return html`<div id="toast" role="status" class=${text === '' ? '' : 'on'}>
    ${text === '' ? '' : html`<p>${text}</p>`}
  </div>`;
}
