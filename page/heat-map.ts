// What each model gets wrong, by tool: a grid with one tab stop, in which arrows move.
import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import { sumOf } from '../src/page/call-numbers.ts';
import type { CallFilter, CallNumbers, Counts } from '../src/page/page-data.ts';
import { wholeNumber } from './format.ts';
import type { Rendered } from './parts.ts';
import { addressOf, go, type Range } from './route.ts';
import { addedCounts, fewestCalls, intervalText, percent } from './shares.ts';

export const heatMetrics = ['repaired + rejected', 'repaired', 'rejected'] as const;

export type HeatMetric = (typeof heatMetrics)[number];

/** Names beside which all others are one row, or one column. */
const mostNames = 9;

interface Group {
  readonly label: string;
  /** Absent: of several, or without a name. */
  readonly filter?: CallFilter;
  readonly names: ReadonlySet<string>;
}

interface HeatCell {
  readonly model: Group;
  readonly tool: Group;
  readonly counts: Counts;
}

const noName = '(no name)';

/** Those with the most calls, and one group for the others. */
function groupsOf(cells: CallNumbers['cells'], key: 'model' | 'tool'): readonly Group[] {
  const byName = Map.groupBy(cells, (cell) => cell[key]);
  const sums = Array.from(byName, ([name, those]) => ({ name, calls: sumOf(addedCounts(those)) }));
  const sorted = sums.toSorted((one, other) => other.calls - one.calls).map(({ name }) => name);
  const isMany = sorted.length > mostNames + 1;
  const named = isMany ? sorted.slice(0, mostNames) : sorted;
  const others = sorted.slice(named.length);
  return [
    ...named.map((name) => ({
      label: name === '' ? noName : name,
      names: new Set([name]),
      ...(name === '' ? {} : { filter: { [key]: name } }),
    })),
    ...(isMany ? [{ label: `other (${others.length})`, names: new Set(others) }] : []),
    { label: `all ${key}s`, names: new Set(sorted), filter: {} },
  ];
}

const stepBounds: readonly number[] = [0.01, 0.03, 0.06, 0.12, 0.25];
const stepNames: readonly string[] = ['< 1', '1–3', '3–6', '6–12', '12–25', '≥ 25%'];

const wrongIn = ({ repaired, rejected }: Counts, metric: HeatMetric): number =>
  metric === 'repaired' ? repaired : metric === 'rejected' ? rejected : repaired + rejected;

interface HeatMapProps {
  readonly cells: CallNumbers['cells'];
  readonly metric: HeatMetric;
  readonly range: Range;
}

export function HeatMap({ cells, metric, range }: HeatMapProps): Rendered {
  const [place, setPlace] = useState({ row: 0, column: 0 });
  const table = useRef<HTMLTableElement>(null);
  const models = groupsOf(cells, 'model');
  const tools = groupsOf(cells, 'tool');
  const rows = models.map((model) =>
    tools.map((tool): HeatCell => {
      const those = cells.filter(
        (cell) => model.names.has(cell.model) && tool.names.has(cell.tool),
      );
      return { model, tool, counts: addedCounts(those) };
    }),
  );
  const row = Math.min(place.row, models.length - 1);
  const column = Math.min(place.column, tools.length - 1);
  const chosen = rows[row]?.[column];
  const onKey = (event: KeyboardEvent): void => {
    const next = nextPlace(event.key, { row, column }, models.length - 1, tools.length - 1);
    const address = chosen && addressOfCell(chosen, range);
    if (next !== undefined) {
      event.preventDefault();
      setPlace(next);
      table.current?.rows[next.row + 1]?.cells[next.column + 1]?.focus();
    } else if (event.key === 'Enter' && address !== undefined) {
      event.preventDefault();
      location.hash = address;
    }
  };
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Heat map, scrolls sideways">
      <table class="heat" role="grid" aria-labelledby="h-heat" ref=${table} onKeyDown=${onKey}>
        <thead>
          <tr>
            <th scope="col"><span class="vh">Model</span></th>
            ${tools.map(
              ({ label, filter }) =>
                html`<th
                  scope="col"
                  class=${filter !== undefined && filter.tool === undefined ? 'tot' : ''}
                  title=${label}
                >
                  <code>${label.split(/(?<=[_-])/).map((part) => html`${part}<wbr />`)}</code>
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (cellsOfRow, at) =>
              html`<tr class=${at === models.length - 1 ? 'tot' : ''}>
                <th scope="row" title=${models[at]?.label}><code>${models[at]?.label}</code></th>
                ${cellsOfRow.map(
                  (cell, index) =>
                    html`<${Cell}
                      cell=${cell}
                      metric=${metric}
                      isStop=${at === row && index === column}
                      choose=${() => setPlace({ row: at, column: index })}
                      open=${() => open(cell, range)}
                    />`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <${HeatKey} metric=${metric} />
    <p class="read" id="heat-read" aria-live="polite">
      ${chosen === undefined ? '' : html`<${CellText} cell=${chosen} range=${range} />`}
    </p>
  `;
}

function nextPlace(
  key: string,
  { row, column }: { readonly row: number; readonly column: number },
  lastRow: number,
  lastColumn: number,
): { readonly row: number; readonly column: number } | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(lastRow, row + 1), column };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(lastColumn, column + 1) };
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: lastColumn };
    default:
      return undefined;
  }
}

/** Undefined if no filter has these calls alone. */
function addressOfCell({ model, tool }: HeatCell, range: Range): string | undefined {
  if (model.filter === undefined || tool.filter === undefined) return undefined;
  return addressOf({ view: 'calls', range, filter: { ...model.filter, ...tool.filter } });
}

function open({ model, tool }: HeatCell, range: Range): void {
  if (model.filter === undefined || tool.filter === undefined) return;
  go({ view: 'calls', range, filter: { ...model.filter, ...tool.filter } });
}

interface CellProps {
  readonly cell: HeatCell;
  readonly metric: HeatMetric;
  readonly isStop: boolean;
  readonly choose: () => void;
  readonly open: () => void;
}

function Cell({ cell, metric, isStop, choose, open: openCell }: CellProps): Rendered {
  const { counts } = cell;
  const calls = sumOf(counts);
  const wrong = wrongIn(counts, metric);
  const isFew = calls < fewestCalls;
  const step = stepBounds.filter((bound) => wrong / calls >= bound).length;
  const kind = calls === 0 ? 'none' : isFew ? 'few' : `s${step}`;
  const isTotal = cell.tool.filter !== undefined && cell.tool.filter.tool === undefined;
  return html`<td
    class=${`hc ${kind} ${isTotal ? 'tot' : ''}`}
    tabindex=${isStop ? 0 : -1}
    onFocus=${choose}
    onMouseEnter=${choose}
    onDblClick=${openCell}
  >
    ${
      calls === 0
        ? '–'
        : html`<b>${isFew ? 'too few' : `${percent(wrong, calls)}%`}</b
            ><small><span class="vh">of </span>${wholeNumber(calls)}</small>${
              !isFew && metric === 'repaired + rejected' && counts.rejected > 0
                ? html`<i
                    style=${{ width: `${Math.min(92, (counts.rejected / wrong) * 92)}%` }}
                  ></i>`
                : ''
            }`
    }
  </td>`;
}

const CellText = ({
  cell,
  range,
}: {
  readonly cell: HeatCell;
  readonly range: Range;
}): Rendered => {
  const { model, tool, counts } = cell;
  const calls = sumOf(counts);
  const address = addressOfCell(cell, range);
  const share = (status: 'repaired' | 'rejected') =>
    html`${wholeNumber(counts[status])}, ${percent(counts[status], calls)}%${' '}<small
        >(${intervalText(counts, status)})</small
      >`;
  return html`<code>${model.label}</code> × <code>${tool.label}</code>:
    ${
      calls === 0
        ? ' no calls.'
        : html` <b>${wholeNumber(calls)}</b> calls. Repaired ${share('repaired')}. Rejected${' '}
            ${share('rejected')}. Failed ${wholeNumber(counts.failed)}.
            ${address === undefined ? '' : html` <a href=${address}>See the calls</a>`}`
    }`;
};

const HeatKey = ({ metric }: { readonly metric: HeatMetric }): Rendered =>
  html`<div class="key">
    <span>share</span>
    ${stepNames.map(
      (name, step) => html`<span class="k"><i class=${`hc s${step}`}></i>${name}</span>`,
    )}
    <span class="k"><i class="hc few"></i>fewer than ${fewestCalls} calls</span>
    ${metric === 'repaired + rejected' ? html`<span class="k"><i class="ul"></i>part of it rejected</span>` : ''}
  </div>`;
