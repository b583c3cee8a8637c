// Bars under the tables of measurements. The numbers are those of the table: nothing else is drawn.
import type { MarkdownRenderer } from 'vitepress';

type Token = Parameters<NonNullable<MarkdownRenderer['renderer']['rules']['text']>>[0][number];

/** Pages whose tables get bars. */
const measured = /^(?:docs\/internals\/(?:accuracy|benchmarks)|suite\/RESULTS)\.md$/;

export function charts(markdown: MarkdownRenderer): void {
  markdown.renderer.rules['table_close'] = (tokens, index, _options, env) => {
    const isMeasured = measured.test(String(env.relativePath));
    return `</table>\n${isMeasured ? chartOf(rowsBefore(tokens, index)) : ''}`;
  };
}

/** The cells of the table that ends at a token. */
function rowsBefore(tokens: readonly Token[], end: number): readonly (readonly string[])[] {
  const start = tokens.findLastIndex(({ type }, index) => index < end && type === 'table_open');
  const rows: string[][] = [];
  for (const { type, content } of tokens.slice(start, end)) {
    if (type === 'tr_open') rows.push([]);
    if (type === 'inline') rows.at(-1)?.push(content.replaceAll(/[`*]/g, ''));
  }
  return rows;
}

const shares = ['right', 'missed', 'wrong', 'skipped'] as const;

function chartOf([heading = [], ...rows]: readonly (readonly string[])[]): string {
  const columns = shares.map((name) => heading.indexOf(name));
  const isShared = columns.filter((column) => column !== -1).length >= 3;
  const bars = rows.flatMap(([name = '', ...cells]) =>
    isShared
      ? sharedBar(
          name,
          columns.map((column) => numberIn(cells[column - 1])),
        )
      : plainBar(name, cells, rows),
  );
  const legend = isShared
    ? `<p>${shares.map((name) => `<span class="${name}">${name}</span>`).join(' ')}</p>`
    : `<p><span class="amount">${escaped(heading[1] ?? '')}</span></p>`;
  return bars.length < 2
    ? ''
    : `<div class="chart" aria-hidden="true">${bars.join('')}${legend}</div>\n`;
}

const numberIn = (cell: string | undefined): number => Number((cell ?? '').replaceAll(',', ''));

function sharedBar(name: string, values: readonly number[]): readonly string[] {
  const sum = values.reduce((all, value) => all + value, 0);
  if (!(sum > 0)) return [];
  const parts = values.map(
    (value, index) =>
      `<i class="${shares[index]}" style="width:${((value * 100) / sum).toFixed(2)}%"></i>`,
  );
  const share = ((values[0] ?? 0) * 100) / sum;
  return [bar(name, parts.join(''), `${share.toFixed(1)}% right`)];
}

/** The first column of numbers, beside the largest of the table. */
function plainBar(
  name: string,
  cells: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const largest = Math.max(...rows.map(([, first]) => numberIn(first)).filter(Number.isFinite));
  const value = numberIn(cells[0]);
  if (!(value > 0) || !(largest > 0)) return [];
  const width = ((value * 100) / largest).toFixed(2);
  return [bar(name, `<i class="amount" style="width:${width}%"></i>`, cells[0] ?? '')];
}

const bar = (name: string, parts: string, value: string): string =>
  `<div><b>${escaped(name)}</b><span>${parts}</span><em>${escaped(value)}</em></div>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
