// Hints that learn: which are on or would be, and the rates of misses without and with them.
import { html } from 'htm/preact';
import type { LearnedHint, MissRate } from '../src/learning/hint-report.ts';
import { missLine } from '../src/learning/hint-trial.ts';
import { wholeNumber } from './format.ts';
import { useReadAgain } from './numbers.ts';
import type { Rendered } from './parts.ts';
import { readHints } from './server.ts';
import { percent } from './shares.ts';

const mostHints = 8;

export function HintTable({ isLive }: { readonly isLive: boolean }): Rendered | string {
  const hints = useReadAgain(readHints, 'hints', isLive);
  if (hints === undefined) return '';
  const shownHints = hints.slice(0, mostHints);
  const most = Math.min(
    1,
    Math.max(2 * missLine, ...shownHints.map((hint) => highestRate(hint))) * 1.05,
  );
  return html`<section class="panel a-hints" aria-labelledby="h-hints">
    <header>
      <h2 id="h-hints">Hints that learn</h2>
      <small
        >shown to models with <code>hints: { learn: 'on' }</code>; 99% intervals, of all time</small
      >
    </header>
    ${
      shownHints.length === 0
        ? html`<p class="dim">No model has got a declared place wrong yet.</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Hints, scrolls sideways">
            <table class="tbl hints">
              <thead>
                <tr>
                  <th scope="col">State</th>
                  <th scope="col">Sentence for the model</th>
                  <th scope="col">Model × tool</th>
                  <th scope="col">Misses: ● without it, ○ with it, line at 3%</th>
                  <th scope="col" class="r">Misses of calls, interval</th>
                </tr>
              </thead>
              <tbody>
                ${shownHints.map((hint) => html`<${Row} hint=${hint} most=${most} />`)}
              </tbody>
            </table>
          </div>`
    }
    ${
      hints.length > mostHints
        ? html`<p class="dim">${hints.length - mostHints} more are not shown.</p>`
        : ''
    }
  </section>`;
}

const highestRate = ({ without, with: shown }: LearnedHint): number =>
  Math.max(without.interval.most, shown?.interval.most ?? 0);

/** A trial without calls that saw the sentence is none: hints are not shown. */
function stateText({ state, with: shown }: LearnedHint): string {
  switch (state) {
    case 'kept':
      return 'On: it helps';
    case 'trial':
      return shown === undefined ? 'Would be on' : 'On, on trial';
    case 'dropped':
      return 'Off: it did not help';
    default:
      return 'Watched';
  }
}

interface RowProps {
  readonly hint: LearnedHint;
  /** The rate at the right end. */
  readonly most: number;
}

function Row({ hint, most }: RowProps): Rendered {
  const { model, tool, sentence, state, without, with: shown } = hint;
  return html`<tr>
    <td>
      ${state === 'kept' || state === 'trial' ? html`<b>${stateText(hint)}</b>` : stateText(hint)}
    </td>
    <td class="sentence">${sentence}</td>
    <td>
      <code>${model === '' ? '(unknown model)' : model}</code><small><code>${tool}</code></small>
    </td>
    <td><${Forest} without=${without} shown=${shown} most=${most} /></td>
    <td class="r">
      ${rateText(without)}${shown === undefined ? '' : html`<small>with it ${rateText(shown)}</small>`}
    </td>
  </tr>`;
}

const rateText = ({ misses, calls, interval }: MissRate): Rendered =>
  html`${wholeNumber(misses)} of ${wholeNumber(calls)}, <b>${percent(misses, calls)}%</b>${' '}
    <span class="dim"
      >${(interval.least * 100).toFixed(1)}–${(interval.most * 100).toFixed(1)}</span
    >`;

interface ForestProps {
  readonly without: MissRate;
  readonly shown: MissRate | undefined;
  readonly most: number;
}

const width = 220;

/** The numbers stand beside it. */
function Forest({ without, shown, most }: ForestProps): Rendered {
  const left = (rate: number): number => 4 + (rate / most) * (width - 8);
  const line = ({ misses, calls, interval }: MissRate, top: number, kind: string): Rendered =>
    html`<line class="ax" x1="0" x2=${width} y1=${top} y2=${top} />
      <line class="wh" x1=${left(interval.least)} x2=${left(interval.most)} y1=${top} y2=${top} />
      ${calls === 0 ? '' : html`<circle class=${`dt ${kind}`} cx=${left(misses / calls)} cy=${top} r="4" />`}`;
  const height = shown === undefined ? 20 : 36;
  return html`<svg
    class="forest"
    viewBox=${`0 0 ${width} ${height}`}
    width=${width}
    height=${height}
    aria-hidden="true"
  >
    <line class="th" x1=${left(missLine)} x2=${left(missLine)} y1="0" y2=${height} />
    ${line(without, 10, '')} ${shown === undefined ? '' : line(shown, 26, 'open')}
  </svg>`;
}
