/** What a rule says of itself: its row in docs/reference/rules.md. */
export interface RuleFacts {
  readonly id: string;
  readonly sends: string;
  readonly becomes: string;
  readonly notWhen: string;
  readonly keeps: 'lossless' | 'lossy';
}

/** The rows of a markdown table, one a rule, in the order of the table. */
export const documentedRules = (table: readonly RuleFacts[]): string =>
  [
    '',
    '<!-- prettier-ignore -->',
    '| id | what models send | becomes | not when | keeps everything |',
    '| --- | --- | --- | --- | --- |',
    ...table.map(
      ({ id, sends, becomes, notWhen, keeps }) =>
        `| ${[`\`${id}\``, sends, becomes, notWhen, keeps === 'lossless' ? 'yes' : 'no'].map(cell).join(' | ')} |`,
    ),
    '',
  ].join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|');

const opening = (marker: string): string => `<!-- ${marker}: made from the rules by their test -->`;
const closing = (marker: string): string => `<!-- end of ${marker} -->`;

/** The lines between two markers; a document without them has none. */
export function between(document: string, marker: string): string {
  const [, rest = ''] = document.split(`${opening(marker)}\n`);
  const [inside = ''] = rest.split(`\n${closing(marker)}`);
  return inside;
}

export const withBetween = (document: string, marker: string, inside: string): string =>
  document.replace(
    `${opening(marker)}\n${between(document, marker)}\n${closing(marker)}`,
    () => `${opening(marker)}\n${inside}\n${closing(marker)}`,
  );
