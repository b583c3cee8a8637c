// Runs JSON Schema's official tests with both validators, and holds the docs' table of failures.
// To write the table anew: UPDATE_DOCS=1 npm run test:slow -- official-tests
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { interpretArguments, type CreateValidator, type SchemaObject } from 'toolmend';
import { ajvValidator } from 'toolmend/ajv';

interface Group {
  readonly description: string;
  readonly schema: SchemaObject | boolean;
  readonly tests: readonly { readonly data: unknown; readonly valid: boolean }[];
}

const root = new URL('../../', import.meta.url);
const suite = new URL('test/fixtures/json-schema-test-suite/', root);
const docs = new URL('docs/reference/json-schema.md', root);
const drafts = [
  ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ['draft2019-09', 'https://json-schema.org/draft/2019-09/schema'],
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
  ['draft6', 'http://json-schema.org/draft-06/schema#'],
  ['draft4', 'http://json-schema.org/draft-04/schema#'],
] as const;

/** The tested schema as that of one argument, in a document of its own. */
function around(schema: Group['schema'], $schema: string): SchemaObject {
  const idKeyword = $schema.includes('draft-04') ? 'id' : '$id';
  const own =
    typeof schema === 'object' && schema[idKeyword] === undefined
      ? { [idKeyword]: 'https://test.example/' }
      : {};
  const value = typeof schema === 'boolean' ? schema : { ...own, ...schema };
  return {
    $schema,
    type: 'object',
    properties: { value },
    required: ['value'],
    additionalProperties: false,
  };
}

const strict = { paths: 'off', spellings: false } as const;

function answerOf(
  validator: { readonly validator?: CreateValidator },
  schema: SchemaObject,
  value: unknown,
): boolean | 'unusable' {
  const options = { ...validator, tool: { strict }, warn: () => undefined };
  const result = interpretArguments(schema, { value: { value } }, options);
  if (result.status !== 'rejected' && result.unvalidated === true) return 'unusable';
  return result.status === 'unchanged';
}

/** What the docs say about a group; '' if all its tests come out right. */
function faultOf(schema: SchemaObject, tests: Group['tests']): string {
  const answers = tests.map(({ data, valid }) => {
    const answer = answerOf({}, schema, data);
    expect(answerOf({ validator: ajvValidator }, schema, data)).toBe(answer);
    return { valid, answer };
  });
  if (answers.some(({ answer }) => answer === 'unusable')) return 'unusable';
  const wrong = answers.filter(({ valid, answer }) => answer !== valid).length;
  return wrong === 0 ? '' : `${wrong} of ${tests.length} wrong`;
}

/**
 * Keyword, description and fault of each group that doesn't come out right, and how many tests
 * there are.
 */
function runSuite(): { readonly rows: readonly (readonly string[])[]; readonly count: number } {
  let count = 0;
  const rows = drafts.flatMap(([draft, $schema]) =>
    readdirSync(new URL(`${draft}/`, suite)).flatMap((file) => {
      const groups: readonly Group[] = JSON.parse(
        readFileSync(new URL(`${draft}/${file}`, suite), 'utf8'),
      );
      return groups.flatMap(({ description, schema, tests }) => {
        count += tests.length;
        const fault = faultOf(around(schema, $schema), tests);
        const title = description.replaceAll('|', '\\|').replaceAll('$', '\\$');
        return fault === '' ? [] : [[draft, file.replace('.json', ''), title, fault]];
      });
    }),
  );
  return { rows, count };
}

const squeezed = (text: string): string =>
  text.replaceAll(/ +/g, ' ').replaceAll(/-{2,}/g, '-').trim();

test('both validators answer alike, and the docs name each group that comes out wrong', () => {
  const { rows, count } = runSuite();
  expect(count).toBeGreaterThan(4000);
  const cells = [['draft', 'keyword', 'group', 'result'], Array(4).fill('-'), ...rows];
  const table = cells.map((row) => `| ${row.join(' | ')} |`);
  const [before, inside = '', after] = readFileSync(docs, 'utf8').split(/<!-- \/?differences -->/);
  if (process.env['UPDATE_DOCS'] === '1') {
    const rowsAnew = `<!-- differences -->\n\n${table.join('\n')}\n\n<!-- /differences -->`;
    writeFileSync(docs, `${before}${rowsAnew}${after}`);
    return;
  }
  expect(squeezed(inside).split('\n')).toEqual(table.map(squeezed));
  const keywords = ['anchor', 'definitions', 'defs', 'dynamicRef', 'id', 'recursiveRef', 'ref'];
  expect(new Set(rows.map(([, keyword = '']) => keyword))).toEqual(new Set(keywords));
});
