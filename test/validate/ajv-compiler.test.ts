// Is code made for what it is asked: to say no at the first failure, or to list them all?
import { rootAddress } from '../../src/schema/references.ts';
import { ajvCompiler } from '../../src/validate/ajv-validator.ts';
import { type Schema, listOf, objectOf, text, whole } from '../repair/sample-schemas.ts';

/** A root of so many schemas. */
const rootOf = (count: number): Schema =>
  objectOf(Object.fromEntries(Array.from({ length: count - 1 }, (_key, at) => [`k${at}`, whole])));

function failed(schema: Schema, thoroughness: 'fast' | 'thorough', value: object) {
  const ajv = ajvCompiler(schema, thoroughness, undefined);
  const validate = ajv.getSchema(rootAddress);
  expect(validate?.(value)).toBe(false);
  return { errors: validate?.errors ?? [], isShortened: Boolean(ajv.opts.code.optimize) };
}

test('fast code stops at the first failure, and is as short as can be', () => {
  for (const schema of [
    objectOf({ k0: text, k1: text }),
    rootOf(200),
    objectOf({ k0: text, l: listOf(text) }),
  ]) {
    const value = schema === rootOf(200) ? { k0: 'x', k1: 'x' } : { k0: true, k1: true, l: [true] };
    const { errors, isShortened } = failed(schema, 'fast', value);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.parentSchema).toBeUndefined();
    expect(isShortened).toBe(true);
  }
});

test('code of more than 200 schemas is not nested: it lists what fails', () => {
  const { errors, isShortened } = failed(rootOf(201), 'fast', { k0: 'x', k1: 'x' });
  expect(errors).toHaveLength(2);
  expect(isShortened).toBe(false);
  const deep = listOf(listOf(rootOf(199)));
  expect(failed(objectOf({ l: deep }), 'fast', { l: [[{ k0: 'x', k1: 'x' }]] }).errors).toHaveLength(2);
});

test('thorough code lists what fails with its schema, in no sentence, and is ready soon', () => {
  const { errors, isShortened } = failed(objectOf({ a: text, b: whole }), 'thorough', { a: 1, b: 'x' });
  expect(
    errors.map(({ keyword, instancePath, parentSchema }) => [keyword, instancePath, parentSchema]),
  ).toEqual([
    ['type', '/a', text],
    ['type', '/b', whole],
  ]);
  expect(errors.map(({ message }) => message)).toEqual([undefined, undefined]);
  expect(isShortened).toBe(false);
});
