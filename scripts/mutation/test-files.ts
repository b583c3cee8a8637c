// Which tests judge the mutants of a folder? Those that ask most of it, in one process, and take no more than a moment.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files or folders, from the folder of the tests; the first says the most of its mutants. */
const askedOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['decode', ['decode', 'repair/rule-table.test.ts', 'interpret/destructive-tools.test.ts']],
  [
    'validate',
    [
      'validate',
      'schema/conditional-schemas.test.ts',
      'schema/foreign-schemas.test.ts',
      'schema/unusable-schemas.test.ts',
      'interpret/wrong-readings.test.ts',
      'repair/rules/md-link-to-path.test.ts',
      'repair/rules/rename-key.test.ts',
    ],
  ],
  [
    'interpret',
    [
      'interpret',
      'bad-input/odd-calls.test.ts',
      'bad-input/what-is-shown.test.ts',
      'classes/class-check.test.ts',
      'classes/class-instance.test.ts',
      'schema/unusable-schemas.test.ts',
      'repair/decode-arguments.test.ts',
      'repair/text-rules/empty-text.test.ts',
      'providers/calls.test.ts',
      'execute/results.test.ts',
      'registry/options.test.ts',
      'registry/standard-schema/standard-schema.test.ts',
      'repair/repair-limits.test.ts',
      'repair/rules/drop-unknown-argument.test.ts',
      'repair/rules/rename-only-candidate.test.ts',
    ],
  ],
  [
    'repair',
    [
      'repair',
      'bad-input/keys.property.test.ts',
      'bad-input/odd-calls.test.ts',
      'bad-input/values.test.ts',
      'classes/class-instance.test.ts',
      'schema/conditional-schemas.test.ts',
      'schema/foreign-schemas.test.ts',
      'schema/unusable-schemas.test.ts',
      'providers/calls.test.ts',
      'interpret/destructive-tools.test.ts',
      'interpret/exact-values.property.test.ts',
      'interpret/message.test.ts',
      'interpret/message-words.test.ts',
      'interpret/take-meta.test.ts',
      'tool/meta-fields.test.ts',
      'interpret/records.property.test.ts',
      'interpret/result.test.ts',
      'interpret/wrong-readings.test.ts',
      'validate/strict-checks.test.ts',
    ],
  ],
]);

/** Paths from the folder of the tests. Throws for a folder of the sources that has none. */
export function mutationTests(testFolder: string, folder: string): readonly string[] {
  const asked = askedOf.get(folder);
  if (asked === undefined) throw new TypeError(`mutation: no tests are named for ${folder}`);
  return asked.flatMap((place) =>
    statSync(join(testFolder, place)).isFile() ? [place] : testsIn(testFolder, place),
  );
}

const testsIn = (testFolder: string, folder: string): readonly string[] =>
  readdirSync(join(testFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .toSorted();
