import { survivesAsNumber } from '../../../src/json/number-literals.ts';
import { parseJson, scanText } from '../../../src/json/parse.ts';
import { splitPointer, valueAt } from '../../../src/json/pointers.ts';
import { fc } from '../../seeded-fast-check.ts';
import { wordsOf } from '../../words.ts';

test.each(
  wordsOf(`
  0 -0 7 -12 1.5 1.50 1.0 0.1 1e2 1E+2 100e-2 0.00 0e5 0.0000001 9007199254740991 9007199254740992 1e22
  5e-324 123456789012345680000
`),
)('%s survives', (literal) => {
  expect(survivesAsNumber(literal)).toBe(true);
});

test.each(
  wordsOf(`
  9007199254740993 12345678901234567890 1e400 -1e400 1e-400 0.1000000000000000055511151231257827
  3.14159265358979323846 1${'0'.repeat(500)} 1e99999999999999999999
`),
)('%s does not', (literal) => {
  expect(survivesAsNumber(literal)).toBe(false);
});

test('every number that JavaScript prints survives', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(survivesAsNumber(String(number))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['{"a":12345678901234567890}', true],
  ['{"a":[{"b":1e400}]}', true],
  ['[1234567890.12345678]', true],
  ['{"a":9007199254740991}', false],
  ['{"a":1.50,"b":1e2}', false],
  ['[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]', false],
])('%s loses digits: %s', (text, lossy) => {
  const reading = parseJson(text, 64);
  expect(reading.kind === 'read' && reading.numbers.lossy).toBe(lossy);
});

test.each([
  ['{"a": 1.50}', '/a', '1.50'],
  ['{"a":12345678901234567890}', '/a', '12345678901234567890'],
  ['{"a":1E2,"b":"x"}', '/a', '1E2'],
  ['{"a":-0}', '/a', '-0'],
  ['[0,1.0]', '/1', '1.0'],
  ['{"a":2.0,"a": 2.0}', '/a', '2.0'],
  ['{"a":2.0,"a":2}', '/a', undefined],
  ['{"a":2,"a":2.0}', '/a', undefined],
  ['{"a":[{"b":2}],"a":[{"b":2.0}]}', '/a/0/b', undefined],
  ['{"a":{"b":2.0,"c":1,"d":3.0},"a":{"c":1,"b":2.0,"d":3}}', '/a/b', '2.0'],
])('%s keeps at %s the literal %s', (text, pointer, literal) => {
  const reading = parseJson(text, 64);
  if (reading.kind !== 'read') throw new Error('not read');
  const { parent, key } = splitPointer(pointer);
  const [container, number] = [parent, pointer].map((at) => valueAt(reading.value, at));
  expect(reading.numbers.literal(Number(number), Object(container), key)).toBe(literal);
  expect(reading.numbers.literal(Number(number))).toBe(literal);
});

test('the literal of a number without its place is unknown if the text spells it in two ways', () => {
  const reading = parseJson('[1,1.0,{"a":2.0,"b":2.0}]', 64);
  expect([1, 2, 3].map((value) => Object(reading).numbers.literal(value))).toEqual([
    undefined,
    '2.0',
    '3',
  ]);
});

test.each([
  ['{"a:b":{"c":[1,{"d":2}]}}', { colons: 3, depth: 4, longNumber: false, spelledNumber: false }],
  ['{"a\\":\\\\":"}:{[["}', { colons: 1, depth: 1, longNumber: false, spelledNumber: false }],
  ['1234567890123456', { colons: 0, depth: 0, longNumber: true, spelledNumber: false }],
  ['12345678.90123456', { colons: 0, depth: 0, longNumber: true, spelledNumber: true }],
  ['1e5', { colons: 0, depth: 0, longNumber: true, spelledNumber: true }],
  ['"never ends {', { colons: 0, depth: 0, longNumber: false, spelledNumber: false }],
])('the scan of %j', (text, scan) => {
  expect(scanText(text)).toEqual({ ...scan, isNotJson: false });
});

test.each([
  '{"a":1,"b":[true,false,null,-1.5e+7,2E-3,""]} \t\r\n',
  '{}',
  '"\'never` ends',
  '{"a":1,}',
])('%j may be JSON', (text) => {
  expect(scanText(text).isNotJson).toBe(false);
});

test.each([
  "{'a':1}",
  '{key:1}',
  '```json',
  '{}{}',
  '[1] [2]',
  '{"a":NaN}',
  '\uFEFF{}',
  '{"a":1 /* */}',
])('no JSON is like %j', (text) => {
  expect(scanText(text).isNotJson).toBe(true);
});

test('whatever is refused at a glance is what JSON.parse refuses too', () => {
  const pieces = fc.constantFrom(...Array.from('{}[]:,"\'\\ 01eE+-.tfnab\uFEFF\u00a0'));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      if (scanText(text).isNotJson) expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    }),
    { numRuns: 2_000 },
  );
});
