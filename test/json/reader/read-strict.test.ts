import { type JsonReading, readJson } from '../../../src/json/lenient-parser.ts';
import { parseJson } from '../../../src/json/parse.ts';
import { splitPointer } from '../../../src/json/pointers.ts';
import { fc } from '../../seeded-fast-check.ts';
import { jsonText, mutatedText } from '../json-text.ts';

const readStrict = (text: string, maxDepth = 64): JsonReading => readJson(text, 'strict', maxDepth);

/**
 * The value, or a mark that no value is equal to. Beyond the largest number stands the largest: it
 * has a JSON form.
 */
function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'number'
        ? Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)
        : value,
    );
  } catch {
    return unparsable;
  }
}

const unparsable = Symbol('not JSON');

test('every JSON text reads equal to JSON.parse, key order and signs included', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      for (const reading of [readStrict(text), parseJson(text), readJson(text, 'loose', 64)]) {
        expect(reading.kind).toBe('read');
        expect(Reflect.get(reading, 'value')).toStrictEqual(JSON.parse(text));
        expect(JSON.stringify(Reflect.get(reading, 'value'))).toBe(
          JSON.stringify(JSON.parse(text)),
        );
      }
    }),
    { numRuns: 500 },
  );
});

test('a changed text is read exactly if JSON.parse reads it', () => {
  let refusals = 0;
  fc.assert(
    fc.property(mutatedText, (text) => {
      const value = parsedOrUndefined(text);
      const reading = readStrict(text);
      if (value === unparsable) {
        refusals += 1;
        expect(reading).toMatchObject({ kind: 'unreadable' });
      } else if (reading.kind === 'unreadable') expect(reading.reason).toBe('duplicate_key');
      else expect(reading.value).toStrictEqual(value);
    }),
    { numRuns: 1000 },
  );
  // Or the changes were too harmless to show anything.
  expect(refusals).toBeGreaterThan(500);
});

test.each([
  ['', 'cut'],
  ['{"a"', 'cut'],
  ['{"a":1,', 'cut'],
  ['["a\\', 'cut'],
  ['{"a" 1}', 'syntax'],
  ['{"a":1]', 'syntax'],
  ['[1,]', 'syntax'],
  ['[01]', 'syntax'],
  ['["a\nb"]', 'syntax'],
  ['[1] 2', 'trailing'],
  ['// a\n[1]', 'syntax'],
  ['\ufeff[1]', 'syntax'],
  ['[1]\u00a0', 'trailing'],
] as const)('%j is refused: %s', (text, reason) => {
  expect(readStrict(text)).toMatchObject({ kind: 'unreadable', reason });
});

test.each([
  ['[[[1]]]', 3, 'read'],
  ['[[[1]]]', 2, 'too_deep'],
] as const)('%s at a limit of %i: %s', (text, maxDepth, outcome) => {
  for (const reading of [readStrict(text, maxDepth), parseJson(text, maxDepth)])
    expect(reading.kind === 'read' ? 'read' : reading.reason).toBe(outcome);
});

test.each([
  ['{"a":1,"a":2}', '/a', 'duplicate_key'],
  ['{"x":[{"a":1,"a":"1"}]}', '/x/0/a', 'duplicate_key'],
  ['[[],{"a":{"b":1},"a":{"b":1,"c":1}}]', '/1/a', 'duplicate_key'],
  ['{"a":12345678901234567890,"a":12345678901234567891}', '/a', 'duplicate_key'],
  ['{"a":12345678901234567890,"a": 12345678901234567890 }', '/a', 'read'],
  ['{"x":{"a":{"b":[1,null]},"c":0,"a":{"b":[1,null]}}}', '/x/a', 'read'],
])('%s has twice %s: %s', (text, pointer, outcome) => {
  const reading = parseJson(text, 64);
  const { parent: path, key } = splitPointer(pointer);
  const [kind, twice] =
    reading.kind === 'read'
      ? ['read', reading.repeatedKeys]
      : [reading.reason, [reading.repeatedKey]];
  expect([kind, twice]).toEqual([outcome, [{ path, key }]]);
});

test('no depth of brackets overflows the stack', () => {
  expect(readStrict('['.repeat(1_000_000))).toMatchObject({
    kind: 'unreadable',
    reason: 'too_deep',
  });
  expect(readStrict('{"a":'.repeat(200_000))).toMatchObject({
    kind: 'unreadable',
    reason: 'too_deep',
  });
});

test('an escape in a key is read as it is, whatever keys were read before it', () => {
  for (const prefix of ['{"x":1,"a\\\\":2}', '[{"x":1,"a\\\\":2}]'])
    expect(parseJson(prefix, 64)).toMatchObject({ kind: 'read' });
  const reading = (text: string): unknown => Reflect.get(parseJson(text, 64), 'value');
  expect(reading('{"x":1,"a\\n":2}')).toStrictEqual({ x: 1, 'a\n': 2 });
  expect(reading('[{"x":1,"a\\n":2}]')).toStrictEqual([{ x: 1, 'a\n': 2 }]);
  expect(reading('{"x":1,"a\\u0041":2}')).toStrictEqual({ x: 1, aA: 2 });
});
