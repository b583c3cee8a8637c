// How is a table written as text? Columns as wide as their widest cell; numbers to the right.

/** A heading, a row a line; the first column is left, the others are right. */
export function table(heading: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [heading, ...rows.map((row) => row.map(String))];
  const widths = heading.map((_name, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const written = cells.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${written.join('\n')}\n`;
}
