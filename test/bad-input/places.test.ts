import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { closedOf, text, whole } from '../schemas.ts';
import { readValue } from '../read.ts';

const source = join(import.meta.dirname, '../../src');

test('letters that change their case by language fold in one way only', () => {
  const schema = closedOf({ filterId: text, maxSize: whole });
  expect(readValue(schema, { FILTER_ID: 'a' })).toMatchObject({ value: { filterId: 'a' } });
  for (const key of ['f\u0131lterId', 'F\u0130LTER_ID'])
    expect(readValue(schema, { [key]: 'a' })).toMatchObject({ status: 'rejected' });
  const mode = closedOf({ mode: { enum: ['fixed', 'ILI'] } });
  expect(readValue(mode, { mode: 'FIXED' })).toMatchObject({ value: { mode: 'fixed' } });
  expect(readValue(mode, { mode: 'ili' })).toMatchObject({ value: { mode: 'ILI' } });
  for (const spelled of ['F\u0130XED', 'f\u0131xed', '\u0131l\u0131'])
    expect(readValue(mode, { mode: spelled })).toMatchObject({ status: 'rejected' });
});

/** What asks the machine where it stands. */
function localNames(path: string, code: string): readonly string[] {
  const found: string[] = [];
  const note = (name: string): void => {
    if (/^(?:toLocale\w*|localeCompare|Intl|Date)$/.test(name)) found.push(`${path}: ${name}`);
  };
  new Visitor({
    Identifier: ({ name }) => note(name),
    Literal: ({ value }) => {
      if (typeof value === 'string') note(value);
    },
  }).visit(parseSync(path, code, { lang: 'ts' }).program);
  return found;
}

test('nothing that reads or mends asks the machine for its language or time', () => {
  const folders = ['json', 'schema', 'repair', 'interpret', 'messages', 'validate'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(source, folder, file)),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => localNames(file, readFileSync(file, 'utf8')))).toEqual([]);
  // A look that finds nothing anywhere would be none.
  expect(
    localNames(
      'a.ts',
      "'x'.toLocaleUpperCase(); Date.parse('2'); s['localeCompare'](t); new Intl.Collator();",
    ),
  ).toEqual(['a.ts: toLocaleUpperCase', 'a.ts: Date', 'a.ts: localeCompare', 'a.ts: Intl']);
});
