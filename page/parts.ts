// Small parts that several views have.
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { CallStatus, OpenState } from '../src/page/page-data.ts';
import { shortTime } from './format.ts';

export type Rendered = VNode | VNode[];

const statusNames: Readonly<Record<CallStatus | OpenState, string>> = {
  valid: 'valid',
  repaired: 'repaired',
  rejected: 'rejected',
  failed: 'failed',
  running: 'running',
  waiting: 'waiting',
  in_doubt: 'in doubt',
};

const statusIcons: Readonly<Record<CallStatus | OpenState, string>> = {
  valid: 'valid',
  repaired: 'repaired',
  rejected: 'rejected',
  failed: 'failed',
  running: 'waiting',
  waiting: 'waiting',
  in_doubt: 'doubt',
};

export const statusName = (status: CallStatus | OpenState): string => statusNames[status];

export const icon = (name: string): Rendered =>
  html`<svg class="si" aria-hidden="true"><use href=${`#i-${name}`} /></svg>`;

export const statusIcon = (status: CallStatus | OpenState): Rendered => icon(statusIcons[status]);

export const badge = (status: CallStatus | OpenState): Rendered =>
  html`<span class=${`st st-${status}`}>${statusIcon(status)}${statusNames[status]}</span>`;

/** A column of numbers: its name, or its name with what it means. */
export type NumberColumn = string | { readonly name: string; readonly meaning: string };

/** The head of a table of numbers. `rows`: what each row is about. */
export const numbersHead = (rows: string, columns: readonly NumberColumn[]): Rendered =>
  html`<thead>
    <tr>
      <th scope="col">${rows}</th>
      ${columns.map((column) => {
        const { name, meaning } =
          typeof column === 'string' ? { name: column, meaning: undefined } : column;
        return html`<th scope="col" class="r" title=${meaning}>${name}</th>`;
      })}
    </tr>
  </thead>`;

export const timeOf = (iso: string): Rendered =>
  html`<time datetime=${iso} title=${iso}>${shortTime(Date.parse(iso), Date.now())}</time>`;

interface ButtonProps {
  readonly label: string;
  readonly does: () => void;
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly kind?: string;
  readonly disabled?: boolean;
}

export const button = ({
  label,
  does,
  shortcut,
  kind = '',
  disabled = false,
}: ButtonProps): Rendered =>
  html`<button type="button" class=${`btn ${kind}`} disabled=${disabled} onClick=${does}>
    ${label}${shortcut === undefined ? '' : html`<kbd>${shortcut}</kbd>`}
  </button>`;

let showToast: (text: string) => void = () => undefined;

export const onToast = (show: (text: string) => void): void => {
  showToast = show;
};

export const toast = (text: string): void => showToast(text);

/** Only a page from this computer or by HTTPS may copy. */
export function copy(text: string, what: string): void {
  const isAllowed = 'clipboard' in navigator;
  const copied = isAllowed
    ? navigator.clipboard.writeText(text)
    : Promise.reject(new Error('none'));
  copied.then(
    () => toast(`${what} copied`),
    () => toast('The browser does not let this page copy'),
  );
}
