import type { Goal, Section } from './section.ts';

/** Title, table and goals of each section. */
export const renderSections = (sections: readonly Section[]): string =>
  sections.map(renderSection).join('\n\n');

function renderSection({ title, about, columns, rows, goals }: Section): string {
  return [`### ${title}`, about, table(columns, rows), table(goalColumns, goals.map(goalRow))].join(
    '\n\n',
  );
}

const goalColumns = ['goal', 'measured', ''];

const goalRow = ({ goal, measured, isMet }: Goal): readonly string[] => [
  goal,
  measured,
  isMet ? 'met' : '**not met**',
];

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, at) =>
    Math.max(3, column.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}
