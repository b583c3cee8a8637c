import { ajvValidator } from 'toolmend/ajv';
import { validatedSchemaOf } from '../../src/validate/validator.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { visibilityAt } from '../../src/tool/secrets.ts';
import { costOf } from '../cost.ts';
import { anyOf, closedOf, objectOf, type Schema, text, whole } from '../schemas.ts';
import { readValue, repairedTo } from '../read.ts';

/** `count` definitions, each made of the next one, and the last one. */
function chain(count: number, link: (next: Schema, at: number) => Schema, last: Schema): Schema {
  const names = Array.from({ length: count }, (_name, at) => `level${at}`);
  const linked = names.map(
    (name, at) => [name, link({ $ref: `#/$defs/level${at + 1}` }, at)] as const,
  );
  const $defs = Object.fromEntries([...linked, [`level${count}`, last]]);
  return objectOf({ a: { $ref: '#/$defs/level0' } }, [], { $defs });
}

const validators = Object.entries({
  'the default one': {},
  Ajv: { validator: ajvValidator },
});

/** What is followed without end costs a hundred times as much, or never ends. */
const little = 500;

describe.each(validators)('by the validator %s', (_name, options) => {
  test.each([
    ['allOf', 8],
    ['anyOf', 8],
  ])(
    '%s of references to references, each twice, is repaired as what it says',
    (keyword, count) => {
      const schema = chain(count, (next) => ({ [keyword]: [next, next] }), whole);
      expect(readValue(schema, { a: 5 }, options).status).toBe('unchanged');
      expect(readValue(schema, { a: '5' }, options)).toMatchObject(repairedTo({ a: 5 }));
      expect(readValue(schema, { a: 'x' }, options).status).toBe('rejected');
    },
  );

  test.each([
    ['allOf', (next: Schema): Schema => ({ allOf: [next, next] })],
    ['anyOf', (next: Schema): Schema => ({ anyOf: [next, next] })],
    ['oneOf', (next: Schema): Schema => ({ oneOf: [next, next] })],
    [
      'anyOf with titles',
      (next: Schema) => anyOf({ ...next, title: 'a' }, { ...next, title: 'b' }),
    ],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    ['if', (next: Schema): Schema => ({ if: next, then: next, else: next })],
    ['not', (next: Schema): Schema => ({ not: { anyOf: [next, next] } })],
    ['properties', (next: Schema): Schema => objectOf({ a: { allOf: [next, next] } })],
  ])('forty levels of %s end soon', (_keyword, link) => {
    const { result, cost } = costOf(() =>
      readValue(chain(40, link, whole), { a: 'x', b: 1 }, options),
    );
    expect(['unchanged', 'rejected']).toContain(result.status);
    expect(cost).toBeLessThan(little);
  });

  const branch = (at: number): Schema =>
    objectOf({ [`x${at}`]: whole, next: { $ref: '#/$defs/node' } }, [`x${at}`]);
  const recursive = objectOf({ a: { $ref: '#/$defs/node' } }, [], {
    $defs: { node: anyOf(branch(0), branch(1), branch(2), branch(3)) },
  });
  const nested = (depth: number, innermost: object): object =>
    Array.from({ length: depth }).reduce<object>((next) => ({ x3: 1, next }), innermost);

  test('a union that contains itself is validated and repaired as deep as values go', () => {
    expect(readValue(recursive, { a: nested(3, { x1: 1 }) }, options).status).toBe('unchanged');
    expect(readValue(recursive, { a: nested(2, { x1: '1' }) }, options)).toMatchObject(
      repairedTo({ a: nested(2, { x1: 1 }) }),
    );
  });

  test('a value that a union in a union would be tried on without end is refused with that reason', () => {
    const each = (x: unknown): object => ({ x0: x, x1: x, x2: x, x3: x });
    const a = Array.from({ length: 30 }).reduce<object>(
      (next) => ({ ...each(1), next }),
      each('no'),
    );
    const { result, cost } = costOf(() => readValue(recursive, { a }, options));
    expect(result.issues.map(({ keyword }) => keyword)).toEqual(['budget_exceeded']);
    expect(cost).toBeLessThan(little);
  });

  test.each(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'properties'])(
    'a thousand and more schemas under %s overflow no stack',
    (keyword) => {
      const parts = Array.from({ length: 1500 }, (_part, at): Schema =>
        keyword === 'allOf' ? { maxLength: 2000 + at } : { const: `c${at}` },
      );
      const held =
        keyword === 'properties'
          ? Object.fromEntries(parts.map((part, at) => [`k${at}`, part]))
          : parts;
      const right = { properties: { k7: 'c7' }, prefixItems: ['c0', 'c1'] };
      const value = new Map<string, unknown>(Object.entries(right)).get(keyword) ?? 'c1400';
      const schema = objectOf({ a: { [keyword]: held }, n: whole });
      const asked = (a: unknown, n: unknown) => readValue(schema, { a, n }, options);
      expect(asked(value, 1).status).toBe('unchanged');
      expect(asked(value, '1').status).toBe('repaired');
      expect(asked(value, 'x').issues.map(({ path }) => path)).toEqual(['/n']);
    },
  );

  test('a large value has a budget that grows with it', () => {
    const tree = objectOf({ a: { $ref: '#/$defs/node' } }, [], {
      $defs: {
        node: anyOf(
          whole,
          { type: 'array', items: { $ref: '#/$defs/node' } },
          closedOf({ to: { $ref: '#/$defs/node' } }),
        ),
      },
    });
    const list = Array.from({ length: 3000 }, () => ({ to: [1, [2]] }));
    expect(readValue(tree, { a: list }, options).status).toBe('unchanged');
  });
});

test('schemas of thousands of branches are compiled in a time that grows with them', () => {
  const union = (depth: number, id: string): Schema =>
    depth === 0
      ? closedOf({ kind: { const: id }, size: whole }, ['kind', 'size'])
      : anyOf(union(depth - 1, `${id}0`), union(depth - 1, `${id}1`));
  const { result, cost } = costOf(() =>
    readValue(objectOf({ a: union(7, 'k') }), { a: { kind: 'k0101010', size: '5' } }),
  );
  expect(result).toMatchObject(repairedTo({ a: { kind: 'k0101010', size: 5 } }));
  expect(cost).toBeLessThan(2 * little);
});

test('lists in lists of schemas behind a reference are compiled at once', () => {
  const deep = Array.from({ length: 28 }).reduce<Schema>((inner) => anyOf(inner), whole);
  const schema = objectOf({ a: { $ref: '#/$defs/deep' } }, [], { $defs: { deep } });
  const { result, cost } = costOf(() => readValue(schema, { a: '5' }));
  expect(result).toMatchObject(repairedTo({ a: 5 }));
  expect(cost).toBeLessThan(little);
});

test('a union of too many branches is validated, not looked into, and keeps its secrets', () => {
  const held = closedOf({ kind: text, token: { ...text, writeOnly: true } }, ['kind', 'token']);
  const branches = [...Array.from({ length: 1000 }, (_branch, at) => ({ const: at })), held];
  const schema = objectOf({ a: anyOf(...branches), n: whole });
  expect(readValue(schema, { a: { kind: 'k', token: 'x' } }).status).toBe('unchanged');
  expect(readValue(schema, { a: { kind: 'k', token: 'x' }, n: '5' })).toMatchObject(
    repairedTo({ n: 5 }),
  );
  const refused = readValue(schema, { a: { kind: 'k', token: 1234567 } });
  expect(refused.status).toBe('rejected');
  expect(JSON.stringify(refused)).not.toContain('1234567');
});

test('secrets are found in schemas that contain themselves, wherever one looks first', () => {
  const node = anyOf(
    objectOf({ next: { $ref: '#/$defs/node' }, token: { ...text, writeOnly: true } }),
    objectOf({ name: text }),
  );
  const contract = contractFromSchema({
    inputSchema: objectOf({ a: node }, [], { $defs: { node } }),
  });
  const { views } = validatedSchemaOf(contract);
  const deep = '/next'.repeat(30);
  expect(visibilityAt(views, `/a${deep}/token`, true)).toBe('hidden');
  expect(visibilityAt(views, `/a${deep}`, true)).toBe('hidden');
  expect(visibilityAt(views, '/b', true)).toBe('shown');
});
