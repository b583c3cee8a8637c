import { html } from 'htm/preact';
import type { Rendered } from './parts.ts';

/** Two braces, and stitches between them. */
export const brandMark = (): Rendered =>
  html`<svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
    <path
      d="M8 2C4.6 2 6.6 9 3 10c3.6 1 1.6 8 5 8M22 2c3.4 0 1.4 7 5 8-3.6 1-1.6 8-5 8"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
    />
    <path
      class="stitch"
      d="M10.5 13l2-6M14 13l2-6M17.5 13l2-6"
      stroke-width="2"
      stroke-linecap="round"
    />
  </svg>`;
