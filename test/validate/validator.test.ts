import { type JsonSchema, type SchemaObject, interpretArguments } from 'toolmend';
import { type SchemaDefinition, contractFromSchema } from '../../src/tool/from-schema.ts';
import type { CreateValidator } from '../../src/tool/tool-contract.ts';
import { schemaValidator } from '../../src/validate/schema-validator.ts';
import { validatorOf } from '../../src/validate/validator.ts';
import { closedOf, listOf, objectOf, text, texts, whole } from '../schemas.ts';

/** The default validator, and what it was asked. */
function counted() {
  const validated: JsonSchema[] = [];
  let listings = 0;
  const validator: CreateValidator = (root) => {
    const own = schemaValidator(root);
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
    [
      'that is open',
      objectOf({ path: text, maxSize: whole }),
      { path: 'a.ts', maxSize: 1, other: 'x' },
    ],
    ['of lists', objectOf({ files: texts }), { files: ['a', '(b)'] }],
    ['with a condition', { ...file, if: { required: ['limit'] }, else: {} }, { path: 'a.ts' }],
  ])('a valid value %s is validated once, and no failures are listed', (_title, schema, value) => {
    const { validator, validated, listings } = counted();
    for (let at = 0; at < 3; at += 1)
      expect(interpretArguments(schema, { value }, { validator }).status).toBe('unchanged');
    expect(validated).toHaveLength(3);
    expect(listings()).toBe(0);
  });

  test('parts are validated by the same validator; true and false need none', () => {
    const { validator, validated } = counted();
    const own = validatorOf(contractOf(objectOf({ a: listOf(whole) }), { validator }));
    expect(own.acceptsPart(true, 'x')).toBe(true);
    expect(own.acceptsPart(false, 'x')).toBe(false);
    expect(validated).toEqual([]);
    expect(
      [{ a: [1] }, { a: ['x'] }].map((value) => own.acceptsPart(own.views.root, value)),
    ).toEqual([true, false]);
    const part = listOf(whole);
    expect([[1], ['x']].map((value) => own.acceptsPart(part, value))).toEqual([true, false]);
    expect(validated).toEqual([own.views.root, own.views.root, part, part]);
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
      "find has an input schema that can't be compiled (code is forbidden): leave the option validator out: the default validator generates no code.",
    );
  });

  test('names at most twenty keywords that nobody validates against', () => {
    const unknown = (count: number): SchemaObject =>
      objectOf(
        {},
        [],
        Object.fromEntries(Array.from({ length: count }, (_word, at) => [`w${at}`, 1])),
      );
    const words = Array.from({ length: 20 }, (_word, at) => `"w${at}"`).join(', ');
    const said = (count: number) =>
      validatorOf(contractOf(unknown(count))).warnings.map(({ message }) => message);
    const start =
      'The input schema of find has keywords that are ignored, because no draft of JSON Schema knows them: ';
    expect(said(20)).toEqual([`${start}${words}.`]);
    expect(said(23)).toEqual([`${start}${words} and 3 more.`]);
  });
});
