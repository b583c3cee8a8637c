// Is a union of hundreds of branches validated as a small one, and at the cost of the few branches that a value could be of?
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema, SchemaObject } from 'toolmend';
import { rootAddress } from '../../src/schema/references.ts';
import { createAjvValidator, askLargeUnions } from '../../src/validate/ajv-validator.ts';
import { type Schema, closedOf, objectOf, recordOf, text, whole } from '../repair/sample-schemas.ts';

type Keyword = 'anyOf' | 'oneOf';

/** What comes of a value, and how many branches were asked and compiled for it. */
function asked(union: SchemaObject, value: unknown) {
  let [steps, compiled] = [0, 0];
  const ajv = new Ajv2020({ strict: false, ownProperties: true });
  const root: SchemaObject = { ...union, type: ['object', 'array', 'string', 'number', 'null', 'boolean'] };
  askLargeUnions(ajv, root, () => (steps += 1));
  ajv.addSchema(root, rootAddress);
  const accepts = ajv.getSchema(rootAddress);
  const { compile } = ajv;
  Object.assign(ajv, {
    compile: (schema: SchemaObject) => {
      compiled += 1;
      return compile.call(ajv, schema);
    },
  });
  return { isAccepted: accepts?.(value), steps, compiled };
}

const many = (count: number, branch: (at: number) => Schema): readonly Schema[] =>
  Array.from({ length: count }, (_branch, at) => branch(at));

const tagged = (at: number): Schema => closedOf({ kind: { const: `k${at}` }, size: whole }, ['kind']);

describe.each<Keyword>(['anyOf', 'oneOf'])('%s of hundreds', (keyword) => {
  const unionOf = (branches: readonly JsonSchema[], more: Schema = {}): Schema => ({
    [keyword]: branches,
    ...more,
  });

  test('asks only the branch that a word names, and stops where the answer is known', () => {
    const union = unionOf(many(100, tagged));
    const steps = keyword === 'anyOf' ? 8 : 100;
    expect(asked(union, { kind: 'k7', size: 1 })).toEqual({ isAccepted: true, steps, compiled: 1 });
    expect(asked(union, { kind: 'k7', size: 'x' })).toEqual({ isAccepted: false, steps: 100, compiled: 1 });
    expect(asked(union, { kind: 'none' })).toEqual({ isAccepted: false, steps: 100, compiled: 0 });
  });

  test('asks every branch about a value that has no word', () => {
    const union = unionOf([...many(100, tagged), text]);
    expect(asked(union, {})).toEqual({ isAccepted: false, steps: 101, compiled: 101 });
    expect(asked(union, 'x')).toEqual({ isAccepted: true, steps: 101, compiled: 101 });
    expect(asked(union, null)).toEqual({ isAccepted: false, steps: 101, compiled: 101 });
    expect(asked(union, { size: 1 }).isAccepted).toBe(false);
  });

  test('an absent word is one only where the branch asks for it', () => {
    const optional = (at: number): Schema => closedOf({ kind: { const: `k${at}` }, [`n${at}`]: whole });
    expect(asked(unionOf(many(100, optional)), { n7: 1 }).isAccepted).toBe(true);
  });

  test('a list has no words, whatever the branch calls them', () => {
    const length: Schema = { properties: { length: { const: 3 } }, minItems: 1 };
    const others = many(100, () => ({ type: 'string' }));
    expect(asked(unionOf([...others, length]), [1]).isAccepted).toBe(true);
  });

  test('a word may be a number, a boolean or what a reference leads to; an object or null is none', () => {
    const referred = (at: number): Schema => ({ $ref: `${rootAddress}#/$defs/b${at}` });
    const $defs = Object.fromEntries(
      many(100, (at) => objectOf({ kind: { const: at }, isLast: { const: at === 99 } })).map(
        (schema, at) => [`b${at}`, schema] as const,
      ),
    );
    const union = unionOf(many(100, referred), { $defs });
    expect(asked(union, { kind: 7, isLast: false })).toMatchObject({ isAccepted: true, compiled: 1 });
    expect(asked(union, { isLast: true })).toMatchObject({ isAccepted: true, compiled: 1 });
    const held = (constant: { readonly a: readonly number[] } | null) => (at: number) =>
      objectOf({ kind: { const: constant }, n: { const: at } }, ['kind', 'n']);
    for (const constant of [{ a: [1] }, null]) {
      const value = { kind: constant, n: 7 };
      expect(asked(unionOf(many(100, held(constant))), value)).toMatchObject({
        isAccepted: true,
        compiled: 1,
      });
    }
    const unlike: Schema = objectOf({ kind: { const: { a: 1 } } }, ['kind']);
    expect(asked(unionOf(many(100, () => unlike)), { kind: { a: 1 } }).isAccepted).toBe(keyword === 'anyOf');
    expect(
      asked(unionOf([...many(100, () => text), { properties: { a: false, b: true } }]), { b: 1 }).isAccepted,
    ).toBe(true);
  });

  test('a word of the branch itself says more than one behind its reference', () => {
    const narrowed = (at: number): Schema => ({
      $ref: `${rootAddress}#/$defs/base`,
      ...objectOf({ kind: { const: `k${at}` } }, ['kind']),
    });
    const union = unionOf(many(100, narrowed), { $defs: { base: objectOf({ n: whole, kind: text }) } });
    expect(asked(union, { kind: 'k7', n: 1 })).toMatchObject({ isAccepted: true, compiled: 1 });
  });

  test('constants are compared by what they hold, and compiled only beside a keyword that validates', () => {
    const described: readonly Schema[] = [
      { const: { a: [1], b: 2 }, title: 'pair' },
      { const: 'x', description: 'a text' },
      { const: 5, deprecated: true },
      { const: 6, examples: [6] },
      { const: null },
    ];
    const union = unionOf([...many(65, (at) => ({ const: `c${at}` })), ...described]);
    for (const value of [{ b: 2, a: [1] }, 'x', 5, 6, null, 'c64']) {
      expect(asked(union, value)).toMatchObject({ isAccepted: true, compiled: 0 });
    }
    expect(asked(union, 7)).toMatchObject({ isAccepted: false, compiled: 0 });
    const any: Schema = { title: 'anything' };
    expect(asked(unionOf([...many(65, (at) => ({ const: `c${at}` })), any]), 7).isAccepted).toBe(true);
    const typed: Schema = { const: 5, type: 'string' };
    expect(asked(unionOf([...many(65, (at) => ({ const: `c${at}` })), typed]), 5)).toMatchObject({
      isAccepted: false,
      compiled: 1,
    });
  });

  test('true and false are branches', () => {
    const constants = many(65, (at) => ({ const: at }));
    expect(asked(unionOf([...constants, false]), 'x')).toMatchObject({ isAccepted: false, compiled: 0 });
    expect(asked(unionOf([...constants, true]), 'x')).toMatchObject({ isAccepted: true, compiled: 0 });
    expect(asked(unionOf([...constants, true]), 5).isAccepted).toBe(keyword === 'anyOf');
  });

  test('a branch is compiled once', () => {
    const nested = objectOf({ all: recordOf(unionOf(many(100, tagged))) });
    const value = { all: { a: { kind: 'k1' }, b: { kind: 'k1' }, c: { kind: 'k2' } } };
    expect(asked(nested, value)).toMatchObject({ isAccepted: true, compiled: 2 });
  });

  test('up to 64 branches, each branch says why it failed; beyond, the union alone does', () => {
    const failures = (count: number) =>
      createAjvValidator(objectOf({ a: unionOf(many(count, tagged)) })).failures({ a: 5 });
    expect(failures(64)).toHaveLength(65);
    expect(failures(65)).toMatchObject([{ keyword, path: '/a', schemaPath: `#/properties/a/${keyword}` }]);
  });

  test('what branches leave unevaluated is known of 500 of them, and more are refused', () => {
    const rooted = (count: number): SchemaObject => ({
      ...objectOf({ a: text }),
      ...unionOf(many(count, (at) => objectOf({ [`n${at}`]: whole }, [`n${at}`]))),
      unevaluatedProperties: false,
    });
    const schema = rooted(65);
    const accepts = createAjvValidator(schema).compile(schema);
    expect(accepts({ n3: 1, a: 'x' })).toBe(true);
    expect(accepts({ n3: 1, b: 'x' })).toBe(false);
    expect(() => createAjvValidator(rooted(501)).compile(rooted(501))({})).toThrow(
      new RangeError('a union of 501 branches in a schema with unevaluated keywords'),
    );
  });
});

test('where two branches of oneOf pass, the value fails, and no further branch is asked', () => {
  const union: Schema = { oneOf: many(100, (at) => (at < 2 ? text : { const: at })) };
  expect(asked(union, 'x')).toEqual({ isAccepted: false, steps: 2, compiled: 2 });
});
