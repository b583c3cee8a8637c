// How often is a schema compiled, and a value validated? Once each, and a valid call is looked at no closer than it must be.
import { type JsonSchema, type SchemaObject, interpretArguments } from 'toolmend';
import type { JsonValue } from '../../src/json/value.ts';
import { SchemaViews } from '../../src/schema/schema-view.ts';
import { type SchemaDefinition, contractFromSchema } from '../../src/tool/from-schema.ts';
import type { CreateValidator } from '../../src/tool/tool-contract.ts';
import { createAjvValidator } from '../../src/validate/ajv-validator.ts';
import { type CleanLook, StrictReader } from '../../src/validate/strict-checks.ts';
import { validatorOf } from '../../src/validate/validator.ts';
import {
  type Schema,
  anyOf,
  closedOf,
  listOf,
  objectOf,
  recordOf,
  text,
  whole,
} from '../repair/sample-schemas.ts';

/** Ajv, and what it was asked. */
function counted() {
  const validated: JsonSchema[] = [];
  let listings = 0;
  const validator: CreateValidator = (root) => {
    const own = createAjvValidator(root);
    return {
      accepts: (value, part = root) => {
        validated.push(part);
        return own.accepts(value, part);
      },
      failures: (value, part) => {
        listings += 1;
        return own.failures(value, part);
      },
    };
  };
  return { validator, validated, listings: () => listings };
}

const contractOf = (inputSchema: SchemaObject, more: Partial<SchemaDefinition> = {}) =>
  contractFromSchema({ name: 'find', inputSchema, ...more });

describe('what is validated', () => {
  const file = closedOf({ path: text, limit: whole }, ['path']);

  test.each<[string, SchemaObject, object]>([
    ['of text and numbers', file, { path: 'a.ts', limit: 5 }],
    ['that is open', objectOf({ path: text, maxSize: whole }), { path: 'a.ts', maxSize: 1, other: 'x' }],
    ['of lists', objectOf({ files: listOf(text) }), { files: ['a', '(b)'] }],
    ['with a condition', { ...file, if: { required: ['limit'] }, else: {} }, { path: 'a.ts' }],
  ])('a valid value %s is validated once, and no failures are listed', (_title, schema, value) => {
    const { validator, validated, listings } = counted();
    for (let at = 0; at < 3; at += 1) {
      expect(interpretArguments(schema, { value }, { validator }).status).toBe('unchanged');
    }
    expect(validated).toHaveLength(3);
    expect(listings()).toBe(0);
  });

  test('parts are validated by the same validator; true and false need none', () => {
    const { validator, validated } = counted();
    const own = validatorOf(contractOf(objectOf({ a: listOf(whole) }), { validator }));
    expect(own.acceptsPart(true, 'x')).toBe(true);
    expect(own.acceptsPart(false, 'x')).toBe(false);
    expect(validated).toEqual([]);
    expect([{ a: [1] }, { a: ['x'] }].map((value) => own.acceptsPart(own.views.root, value))).toEqual([
      true,
      false,
    ]);
    const part = listOf(whole);
    expect([[1], ['x']].map((value) => own.acceptsPart(part, value))).toEqual([true, false]);
    expect(validated).toEqual([own.views.root, own.views.root, part, part]);
  });

  test('a validator that counts no steps has taken none', () => {
    const { validator } = counted();
    expect(validatorOf(contractOf(objectOf({}), { validator })).stepsTaken).toBe(0);
  });

  test('a contract has one validator', () => {
    const contract = contractOf(objectOf({}));
    expect(validatorOf(contract)).toBe(validatorOf(contract));
    expect(validatorOf(contract)).toMatchObject({ warnings: [], isUnvalidated: false, contract });
  });

  test('what is no object has no check to fail', () => {
    const failure = { path: '', check: 'never', message: 'is never right' };
    const own = validatorOf({ ...contractOf(objectOf({})), check: () => [failure] });
    expect(own.checkFailures({})).toEqual([failure]);
    expect(own.checkFailures([])).toEqual([]);
    expect(own.checkFailures('x')).toEqual([]);
    expect(validatorOf(contractOf(objectOf({}))).checkFailures({})).toEqual([]);
  });
});

describe('a schema that nobody can validate against', () => {
  test('is refused with the reason, and with what to do where code must not be made', () => {
    const failing = (error: unknown) => () =>
      validatorOf(
        contractOf(objectOf({}), {
          validator: () => {
            throw error;
          },
        }),
      );
    expect(failing(new Error('no such keyword'))).toThrow(
      "find has an input schema that can't be compiled (no such keyword): write valid JSON Schema 2020-12.",
    );
    expect(failing('a text')).toThrow("can't be compiled (a text)");
    expect(failing(new EvalError('code is forbidden'))).toThrow(
      "find has an input schema that can't be compiled (code is forbidden): give validator: interpretingValidator, from 'toolmend/interpreting-validator'.",
    );
  });

  test('is named with the patterns that nobody looks at', () => {
    const own = validatorOf(contractOf(objectOf({ a: { type: 'string', pattern: '^(a+)+\\1$' } })));
    expect(own.warnings).toEqual([
      {
        tool: 'find',
        code: 'unsafe_pattern',
        message:
          'The input schema of find has patterns that nobody looks at, because they could take time without end: "^(a+)+\\\\1$".',
      },
    ]);
    expect(own.acceptsPart(own.views.root, { a: 'b' })).toBe(true);
  });

  test('names at most twenty keywords that nobody validates against', () => {
    const unknown = (count: number): SchemaObject =>
      objectOf({}, [], Object.fromEntries(Array.from({ length: count }, (_word, at) => [`w${at}`, 1])));
    const words = Array.from({ length: 20 }, (_word, at) => `"w${at}"`).join(', ');
    const said = (count: number) =>
      validatorOf(contractOf(unknown(count))).warnings.map(({ message }) => message);
    const start = 'The input schema of find has keywords that nobody validates against: ';
    expect(said(20)).toEqual([`${start}${words}.`]);
    expect(said(23)).toEqual([`${start}${words} and 3 more.`]);
  });
});

describe('a quick look', () => {
  const link = '[a.ts](http://a.ts)';
  const readings = { paths: 'names', spellings: true } as const;
  const lookAt = (
    schema: SchemaObject,
    strict: ConstructorParameters<typeof StrictReader>[1] = readings,
  ): CleanLook => new StrictReader(new SchemaViews(schema), strict, () => true).lookAt(schema);
  const tagged: Schema = { type: 'string', 'x-toolmend': { semantic: 'path' } };
  const node: Schema = objectOf({ path: text, next: { $ref: '#' } }, [], { additionalProperties: false });

  test.each<[string, SchemaObject, JsonValue]>([
    ['a declared path', closedOf({ path: text }), { path: 'a.ts' }],
    ['an absent path', closedOf({ path: text }), {}],
    ['text that nothing can be wrong with', closedOf({ note: text, path: text }), { note: link, path: 'a' }],
    ['null and numbers in the place of text', objectOf({ path: {}, o: {} }), { path: null, o: 5 }],
    ['paths in a list', closedOf({ files: listOf(text) }), { files: ['a', 'b'] }],
    ['objects in a list', closedOf({ l: listOf(closedOf({ path: text })) }), { l: [{ path: 'a' }, {}] }],
    ['an object in itself', node, { path: 'a', next: { next: { path: 'b' } } }],
    ['the declared keys of an open object', objectOf({ maxSize: whole, path: text }), { maxSize: 1 }],
    ['other keys of an object that declares none', objectOf({ o: { type: 'object' } }), { o: { a: 1 } }],
    ['a text', closedOf({ path: text }), 'a'],
    ['a number', closedOf({ path: text }), 5],
    ['null', closedOf({ path: text }), null],
    ['a list', { type: 'array', items: closedOf({ path: text }) }, [{ path: 'a' }]],
    ['keys of JavaScript', closedOf({ toString: tagged, path: text }), { path: 'a' }],
  ])('is enough for %s', (_title, schema, value) => {
    expect(lookAt(schema).isClean(value)).toBe(true);
  });

  test.each<[string, SchemaObject, JsonValue]>([
    ['what may be a link', closedOf({ path: text }), { path: link }],
    ['one in a list', closedOf({ files: listOf(text) }), { files: ['a', link] }],
    [
      'one in an object in a list',
      closedOf({ l: listOf(closedOf({ path: text })) }),
      { l: [{}, { path: link }] },
    ],
    ['one in an object in itself', node, { next: { next: { path: link } } }],
    ['other keys of an open object', objectOf({ maxSize: whole, path: text }), { maxSize: 1, max_size: 2 }],
    ['a map', objectOf({ m: recordOf(tagged) }), { m: {} }],
    ['a tuple', objectOf({ t: { type: 'array', prefixItems: [tagged] } }), { t: [] }],
    ['a union', objectOf({ u: anyOf(closedOf({ path: text }), listOf(tagged)) }), { u: {} }],
    ['a link itself', closedOf({ path: text }), link],
  ])('is not enough for %s', (_title, schema, value) => {
    expect(lookAt(schema).isClean(value)).toBe(false);
  });

  test('is enough for other keys where spellings are not looked at, or the object is closed', () => {
    const value = { max_size: 1, path: 'a' };
    const strict = { paths: 'names', spellings: false } as const;
    expect(lookAt(objectOf({ maxSize: whole, path: text }), strict).isClean(value)).toBe(true);
    expect(lookAt(closedOf({ maxSize: whole, path: text })).isClean(value)).toBe(true);
  });

  test('is made once of a schema', () => {
    const schema = closedOf({ path: text });
    const reader = new StrictReader(new SchemaViews(schema), readings, () => true);
    expect(reader.lookAt(schema)).toBe(reader.lookAt(schema));
  });
});

describe('a walk', () => {
  const start = { path: '', name: undefined, isPath: false } as const;
  const link = '[a.ts](http://a.ts)';

  /** How often a branch is tried while a value is walked. */
  function triesOf(schema: SchemaObject, value: JsonValue, paths: 'names' | 'off' = 'names') {
    let tries = 0;
    const admits = (): boolean => {
      tries += 1;
      return true;
    };
    const reader = new StrictReader(new SchemaViews(schema), { paths, spellings: false }, admits);
    const found = reader.failures(value, { ...start, schema }).map(({ path }) => path);
    return { tries, found };
  }

  const twice = closedOf({ path: text, note: text });

  test('tries each branch of a union once', () => {
    const schema = objectOf({ u: anyOf(twice, objectOf({ path: text })) });
    expect(triesOf(schema, { u: { path: link, note: link } })).toEqual({ tries: 2, found: ['/u/path'] });
  });

  test('comes to a place of unions in unions once, and to the same value in another place again', () => {
    const $defs = { leaf: anyOf(twice, objectOf({ path: text })) };
    const leaf: Schema = { $ref: '#/$defs/leaf' };
    const schema = objectOf({ u: anyOf(closedOf({ l: leaf }), objectOf({ l: leaf })) }, [], { $defs });
    expect(triesOf(schema, { u: { l: { path: link } } })).toEqual({ tries: 4, found: ['/u/l/path'] });
    const held = { path: link };
    expect(triesOf(objectOf({ a: leaf, b: leaf }, [], { $defs }), { a: held, b: held })).toEqual({
      tries: 4,
      found: ['/a/path', '/b/path'],
    });
  });

  test('goes nowhere where nothing can fail', () => {
    const dull = anyOf(closedOf({ a: whole }), closedOf({ b: whole }));
    const value = { path: link, u: { a: 1 }, l: [{ a: 1 }], m: { k: { a: 1 } }, t: [{ b: 1 }] };
    const tuple: Schema = { type: 'array', prefixItems: [dull] };
    const schema = objectOf({ path: text, u: dull, l: listOf(dull), m: recordOf(dull), t: tuple });
    expect(triesOf(schema, value)).toEqual({ tries: 0, found: ['/path'] });
    expect(triesOf(schema, value, 'off')).toEqual({ tries: 0, found: [] });
  });
});
