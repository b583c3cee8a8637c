import { html } from 'htm/preact';
import { sumOf } from '../src/page/call-numbers.ts';
import type { CallFilter, CallNumbers, CallStatus, Counts } from '../src/page/page-data.ts';
import { dayOf, wholeNumber } from './format.ts';
import { type Rendered, numbersHead } from './parts.ts';
import { intervalOf, intervalText, percent } from './shares.ts';

interface ReleaseTableProps {
  /** The oldest first. */
  readonly releases: CallNumbers['releases'];
  readonly list: (filter: CallFilter) => string;
}

export const ReleaseTable = ({ releases, list }: ReleaseTableProps): Rendered =>
  releases.length === 0
    ? html`<p class="dim">
        The calls name no release: it is the registry's option <code>release</code>.
      </p>`
    : html`<table class="tbl">
        ${numbersHead('Release', ['Calls', 'Repaired', 'Rejected'])}
        <tbody>
          ${releases
            .map((counts, at) => {
              const calls = sumOf(counts);
              const previous = releases[at - 1];
              return html`<tr>
                <th scope="row">
                  <code>${counts.release}</code><small>since ${dayOf(counts.first)}</small>
                </th>
                <td class="r">
                  <a href=${list({ release: counts.release })}>${wholeNumber(calls)}</a>
                </td>
                ${share(counts, previous, 'repaired', list)}
                ${share(counts, previous, 'rejected', list)}
              </tr>`;
            })
            .toReversed()}
        </tbody>
      </table>`;

function share(
  counts: CallNumbers['releases'][number],
  previous: Counts | undefined,
  status: CallStatus,
  list: (filter: CallFilter) => string,
): Rendered {
  return html`<td class="r">
    <a href=${list({ release: counts.release, status })}
      >${percent(counts[status], sumOf(counts))}%</a
    >
    <small>${intervalText(counts, status)}</small>${moved(counts, previous, status)}
  </td>`;
}

/** Whether the interval lies beside that of the release before. */
function moved(counts: Counts, previous: Counts | undefined, status: CallStatus): Rendered | '' {
  if (previous === undefined) return '';
  const [now, before] = [intervalOf(counts, status), intervalOf(previous, status)];
  if (now.least > before.most) return html`<span class="mv">▲ above before</span>`;
  if (now.most < before.least) return html`<span class="mv">▼ below before</span>`;
  return '';
}
