import { IsInt, IsOptional } from 'class-validator';
import { PairedDefault, Tool, argumentsText, contractOf, interpret } from 'toolmend';
import { read, readValue } from '../read.ts';
import { closedOf, flag, listOf, number, objectOf, type Schema, text, whole } from '../schemas.ts';
import { fc } from '../seeded-fast-check.ts';

const big = '12345678901234567890';
const output = 'json';

/** The text that is passed on, or the keywords of the issues. */
function passedOn(schema: Schema, sent: string): string | readonly string[] {
  const result = read(schema, sent, { output });
  return result.status === 'rejected'
    ? result.issues.map(({ keyword }) => keyword)
    : argumentsText(result);
}

const open = objectOf({ a: number });
const inner = closedOf({ a: number, b: number });
const nested = closedOf({ name: text, inner, list: listOf(number), one: number });

test.each([
  '{"a": 12345678901234567890}',
  '{"a":1.000000000000000000001}',
  '{"a":1e400}',
  '{"a":-1e-400}',
  '{"a":1.0}',
  '{ "a" : -0 }\n',
  '{"b":[1.50,{"c":12345678901234567890}]}',
])('valid text is passed on as it came, to the blank: %s', (sent) => {
  expect(read(open, sent, { output })).toMatchObject({
    status: 'unchanged',
    repairs: [],
    text: sent,
  });
});

test.each([
  ['beside a value that is repaired', `{"one":${big},"list":["1"]}`, ['type']],
  ['text that is not JSON', `{'one': ${big},}`, ['unsafe_number']],
  ['a duplicate key', `{"one":${big},"one":${big}}`, ['unsafe_number']],
])('a call with digits that no number holds is not repaired: %s', (_what, sent, issues) => {
  expect(passedOn(nested, sent)).toEqual(issues);
});

test.each([
  ['a list in text', '{"list":"[1.50]"}', '{"list":[1.5]}'],
  ['beside a value that is repaired', '{"one":1.50,"list":["1"]}', '{"one":1.50,"list":[1]}'],
  ['a number for text', '{"name":1.0}', '{"name":"1.0"}'],
  ['digits for text', `{"name":${big}}`, `{"name":"${big}"}`],
])(
  'a repair keeps the value of a number, and its spelling for text: %s',
  (_what, sent, expected) => {
    expect(passedOn(nested, sent)).toBe(expected);
  },
);

test('digits stay if a dependent default is added, or meta arguments are removed', () => {
  @Tool({ description: 'Reads lines.' })
  class ReadLines {
    @IsOptional() @IsInt() offset?: number;
    @IsOptional() @IsInt() @PairedDefault('offset', 0) limit?: number;
    execute(): void {}
  }
  const filled = interpret(contractOf(ReadLines), { arguments: `{"limit":${big}}` }, { output });
  expect(filled).toMatchObject({ status: 'repaired', text: `{"limit":${big},"offset":0}` });
  const pair = `"inner":{"a":${big},"b":12345678901234567891}`;
  const result = read(nested, `{"_rationale":"why",${pair}}`, { output, meta: true });
  expect(result).toMatchObject({ text: `{${pair}}`, meta: { rationale: 'why' } });
});

test('a parsed value is written as JSON', () => {
  expect(readValue(open, { a: 0.5 }, { output })).toMatchObject({ text: '{"a":0.5}' });
});

test('a number is validated as the nearest one', () => {
  const upTo = (maximum: number): Schema => closedOf({ a: { ...whole, maximum } });
  expect(passedOn(upTo(2 ** 53), '{"a":9007199254740993}')).toBe('{"a":9007199254740993}');
  expect(passedOn(upTo(2 ** 53 - 1), '{"a":9007199254740993}')).toEqual(['maximum']);
});

test('random values with odd numbers are passed on as they came', () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{0,25}$/);
  const fraction = fc.option(fc.stringMatching(/^[0-9]{1,25}$/));
  const power = fc.option(fc.integer({ min: -400, max: 400 }));
  const literal = fc
    .tuple(fc.constantFrom('', '-'), digits, fraction, power)
    .map(
      ([sign, front, part, e]) =>
        `${sign}${front}${part === null ? '' : `.${part}`}${e === null ? '' : `e${e}`}`,
    );
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      literal,
      fc.string().map((string) => JSON.stringify(string)),
      fc.constantFrom('true', 'null'),
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), tie('value')), {
          maxLength: 4,
          selector: ([key]) => key,
        })
        .map((members) => `{${members.map(([key, member]) => `"k${key}":${member}`).join(',')}}`),
    ),
  }));
  const schema = objectOf({ flag: flag, data: {} });
  fc.assert(
    fc.property(value, (data) => {
      expect(passedOn(schema, `{"flag": true, "data": ${data}}`)).toBe(
        `{"flag": true, "data": ${data}}`,
      );
    }),
  );
});

test('for a handler there is no text, and argumentsText is that of the value', () => {
  const result = read(nested, '{ "one": 1.0 }');
  expect(result).not.toHaveProperty('text');
  if (result.status !== 'rejected') expect(argumentsText(result)).toBe('{"one":1}');
});
