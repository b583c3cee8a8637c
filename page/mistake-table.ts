import { html } from 'htm/preact';
import type { MistakeCounts } from '../src/page/page-data.ts';
import { wholeNumber } from './format.ts';
import { type Rendered, numbersHead } from './parts.ts';
import { percent } from './shares.ts';

const allColumns = ['prevented', 'repaired', 'retried', 'refused'] as const;

const meanings: Readonly<Record<(typeof allColumns)[number], string>> = {
  prevented: 'valid, made under a grammar of the server',
  repaired: 'repaired at once',
  retried: 'right when the model was asked again; the call before is refused',
  refused: 'not accepted: the model read why',
};

const mostModels = 12;

/** Only the gateway and its logs know what was prevented and retried. */
export function MistakeTable({
  mistakes,
}: {
  readonly mistakes: readonly MistakeCounts[];
}): Rendered {
  const columns = allColumns.filter((column) =>
    mistakes.some((counts) => counts[column] !== undefined),
  );
  return html`<section class="panel a-mistakes" aria-labelledby="h-mistakes">
    <header>
      <h2 id="h-mistakes">What became of mistakes, by model</h2>
      <small>share of the model’s calls; each call counts once</small>
    </header>
    <div class="scroll" tabindex="0" role="region" aria-label="Mistakes, scrolls sideways">
      <table class="tbl">
        ${numbersHead('Model', [
          'Calls',
          ...columns.map((column) => ({ name: column, meaning: meanings[column] })),
        ])}
        <tbody>
          ${mistakes.slice(0, mostModels).map(
            (row) =>
              html`<tr>
                <th scope="row">
                  <code>${row.model === '' ? '(unknown model)' : row.model}</code>
                </th>
                <td class="r">${wholeNumber(row.calls)}</td>
                ${columns.map(
                  (column) =>
                    html`<td class="r">
                      ${wholeNumber(row[column] ?? 0)}
                      <small>${percent(row[column] ?? 0, row.calls)}%</small>
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="dim">
      ${columns.map((column, at) => html`${at === 0 ? '' : ' '}<b>${column}</b>: ${meanings[column]}.`)}
    </p>
  </section>`;
}
