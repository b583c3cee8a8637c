// Do both validators say what JSON Schema's official tests expect? Where not, the docs have it.
// To write their table anew: UPDATE_DOCS=1 npm run test:slow -- official-tests
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { interpretArguments, type CreateValidator, type SchemaObject } from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';

interface Group {
  readonly description: string;
  readonly schema: SchemaObject | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const root = new URL('../../', import.meta.url);
const suite = new URL('test/fixtures/json-schema-test-suite/', root);
const docs = new URL('docs/json-schema.md', root);
const drafts = [
  ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
] as const;

/** The tested schema as that of one argument, in a document of its own. */
function around(schema: Group['schema'], $schema: string): SchemaObject {
  const own = typeof schema === 'object' && schema.$id === undefined ? { $id: 'https://test.example/' } : {};
  const value = typeof schema === 'boolean' ? schema : { ...own, ...schema };
  return { $schema, type: 'object', properties: { value }, required: ['value'], additionalProperties: false };
}

const strict = { paths: 'off', spellings: false } as const;

function saidBy(
  validator: { readonly validator?: CreateValidator },
  schema: SchemaObject,
  value: unknown,
): boolean | 'unusable' {
  const options = { ...validator, tool: { strict }, warn: () => undefined };
  const result = interpretArguments(schema, { value: { value } }, options);
  if (result.status !== 'rejected' && result.unvalidated === true) return 'unusable';
  return result.status === 'unchanged';
}

/** How a validator does on one group: nothing, or what the docs say of it. */
function fault(
  validator: { readonly validator?: CreateValidator },
  schema: SchemaObject,
  tests: Group['tests'],
): string {
  const said = tests.map(({ data, valid }) => ({ valid, said: saidBy(validator, schema, data) }));
  if (said.some((one) => one.said === 'unusable')) return 'unusable';
  const wrong = said.filter((one) => one.said !== one.valid).length;
  return wrong === 0 ? '' : `${wrong} of ${tests.length}`;
}

let count = 0;
const rows = drafts.flatMap(([draft, $schema]) =>
  readdirSync(new URL(`${draft}/`, suite)).flatMap((file) => {
    const groups: readonly Group[] = JSON.parse(readFileSync(new URL(`${draft}/${file}`, suite), 'utf8'));
    return groups.flatMap(({ description, schema, tests }) => {
      count += tests.length;
      const asArgument = around(schema, $schema);
      const faults = [
        fault({}, asArgument, tests),
        fault({ validator: interpretingValidator }, asArgument, tests),
      ];
      if (faults.every((one) => one === '')) return [];
      const name = description.replaceAll('|', '\\|').replaceAll('$', '\\$');
      return [[draft, file.replace('.json', ''), name, ...faults.map((one) => one || 'right')]];
    });
  }),
);

const table = [
  '| draft | keyword | group | Ajv | interpreting |',
  '| - | - | - | - | - |',
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
];

const squeezed = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{2,}/g, '-').trim();

test('the official tests are read', () => {
  expect(count).toBeGreaterThan(1700);
});

test('the docs name each group in which a validator differs from what is expected, and no other', () => {
  const document = readFileSync(docs, 'utf8');
  const [before = '', rest = ''] = document.split('<!-- differences -->');
  const [inside = '', after = ''] = rest.split('<!-- /differences -->');
  if (process.env['UPDATE_DOCS'] === '1') {
    const made = `${before}<!-- differences -->\n\n${table.join('\n')}\n\n<!-- /differences -->${after}`;
    writeFileSync(docs, made);
    return;
  }
  expect(squeezed(inside).split('\n')).toEqual(table.map(squeezed));
});

test('the validators differ from what is expected at few keywords, and both at none but references', () => {
  const keywordsOf = (picked: typeof rows): readonly string[] => [
    ...new Set(picked.map(([, keyword = '']) => keyword)),
  ];
  expect(keywordsOf(rows.filter(([, , , ajv]) => ajv !== 'right')).toSorted()).toEqual([
    'anchor',
    'definitions',
    'defs',
    'dynamicRef',
    'id',
    'multipleOf',
    'properties',
    'ref',
    'unevaluatedItems',
    'unevaluatedProperties',
  ]);
  expect(keywordsOf(rows.filter(([, , , , interpreting]) => interpreting !== 'right')).toSorted()).toEqual([
    'anchor',
    'definitions',
    'defs',
    'dynamicRef',
    'id',
    'patternProperties',
    'ref',
  ]);
});

test('a reference to true or false is one, with both validators', () => {
  for (const validator of [{}, { validator: interpretingValidator }]) {
    const schemaOf = (any: boolean): SchemaObject => ({
      type: 'object',
      properties: { a: { $ref: '#/$defs/any' } },
      $defs: { any },
    });
    expect(interpretArguments(schemaOf(true), { value: { a: 1 } }, validator).status).toBe('unchanged');
    expect(interpretArguments(schemaOf(false), { value: { a: 1 } }, validator).status).toBe('rejected');
  }
});
