/** What a rule says of itself: its row in docs/reference/rules.md. */
export interface RuleFacts {
  readonly id: string;
  readonly sends: string;
  readonly becomes: string;
  readonly notWhen: string;
  readonly keeps: 'lossless' | 'lossy';
}

/** One kind of rules, as found. File names without folder and ending. */
export interface RuleListing {
  readonly table: readonly RuleFacts[];
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Ids of the rows in the docs, in their order. */
  readonly documented: readonly string[];
}

const idOf = (file: string): string => file.replaceAll('-', '_');
const fileOf = (id: string): string => id.replaceAll('_', '-');

/** One sentence for everything that doesn't agree; none if all do. */
export function listingComplaints({ table, files, tests, documented }: RuleListing): readonly string[] {
  const ids = table.map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  return [
    ...files
      .filter((file) => !ids.includes(idOf(file)))
      .map((file) => `${file}.ts is not in the table under its own name`),
    ...files.filter((file) => !tests.includes(file)).map((file) => `${file}.ts has no test file`),
    ...tests.filter((test) => !files.includes(test)).map((test) => `${test}.test.ts tests no rule`),
    ...ids.filter((id) => !files.includes(fileOf(id))).map((id) => `${id} is in the table and has no file`),
    ...twice.map((id) => `${id} is in the table twice`),
    ...ids.filter((id) => !documented.includes(id)).map((id) => `${id} has no row in the docs`),
    ...documented.filter((id) => !ids.includes(id)).map((id) => `${id} has a row in the docs and is no rule`),
  ];
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

/** The ids of the rows between two markers of a document. */
export const idsIn = (document: string, marker: string): readonly string[] =>
  [...between(document, marker).matchAll(/^\| `(\w+)` \|/gm)].map(([, id]) => id ?? '');

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
