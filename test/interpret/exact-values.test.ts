// Do the digits of numbers survive, as a value, as text, and in what is passed on? (T09)
import { IsInt, IsOptional } from 'class-validator';
import { PairedDefault, Tool, argumentsText, contractOf, interpret, interpretArguments } from 'toolmend';
import { doublesAround } from '../../src/json/exact-numbers.ts';
import { anyOf, closedOf, listOf, text, whole } from '../repair/sample-schemas.ts';
import { fc } from '../seeded-fast-check.ts';

const number = { type: 'number' } as const;
const big = '12345678901234567890';

/** What is passed on, or the keywords of what is wrong. */
function passedOn(
  schema: Parameters<typeof interpretArguments>[0],
  sent: string,
): string | readonly string[] {
  const result = interpretArguments(schema, { text: sent }, { output: 'json' });
  return result.status === 'rejected' ? result.issues.map(({ keyword }) => keyword) : argumentsText(result);
}

describe('passed on as JSON text', () => {
  test.each([
    ['{"a": 12345678901234567890}'],
    ['{"a":1.000000000000000000001}'],
    ['{"a":1e400}'],
    ['{"a":-1e-400}'],
    ['{"a":1.0}'],
    ['{ "a" : -0 }\n'],
    ['{"b":[1.50,{"c":12345678901234567890}]}'],
  ])('%s is valid and stays as it came, to the blank', (sent) => {
    const result = interpretArguments(
      { type: 'object', properties: { a: number } },
      { text: sent },
      { output: 'json' },
    );
    expect(result).toMatchObject({ status: 'unchanged', repairs: [], text: sent });
  });

  const nested = closedOf(
    { name: text, inner: closedOf({ a: number, b: number }), list: listOf(number), one: number },
    [],
  );

  test.each([
    ['a list in text', `{"list":"[${big}, 1.50]"}`, `{"list":[${big},1.50]}`],
    ['an object in text', `{"inner":"{\\"a\\": 1e400}"}`, '{"inner":{"a":1e400}}'],
    ['another spelling of a key', `{"In-ner":{"A":${big}}}`, `{"inner":{"a":${big}}}`],
    ['flat keys', `{"inner.a":${big},"inner.b":1.0}`, `{"inner":{"a":${big},"b":1.0}}`],
    [
      'a value beside one that is repaired',
      `{"one":${big},"list":[1.0],"name":null}`,
      `{"one":${big},"list":[1.0]}`,
    ],
    ['one for a list', `{"list":${big}}`, `{"list":[${big}]}`],
    ['a list for one', `{"one":[${big}]}`, `{"one":${big}}`],
    ['the list under a key', `{"list":{"item":[1.0,${big}]}}`, `{"list":[1.0,${big}]}`],
    ['an element beside others', `{"list":["1",${big},1.0]}`, `{"list":[1,${big},1.0]}`],
    ['the schema around it', `{"one":{"type":"number","value":${big}}}`, `{"one":${big}}`],
    ['an envelope', `{"arguments":{"one":${big}}}`, `{"one":${big}}`],
    ['an envelope of text', `{"arguments":"{\\"one\\":${big}}"}`, `{"one":${big}}`],
    ['text that is no JSON', `{'one': ${big},}`, `{"one":${big}}`],
    ['a number for text', `{"name":1.0}`, '{"name":"1.0"}'],
  ])('%s', (_what, sent, expected) => {
    expect(passedOn(nested, sent)).toBe(expected);
  });

  test('a default keeps what stands beside it, and has the digits of its own', () => {
    const schema = closedOf({ a: number, b: { type: 'number', default: 0.1 } }, ['a', 'b']);
    expect(passedOn(schema, `{"a":${big}}`)).toBe(`{"a":${big},"b":0.1}`);
  });

  test('a pair', () => {
    @Tool({ description: 'Reads lines.' })
    class ReadLines {
      @IsOptional() @IsInt() offset?: number;
      @IsOptional() @IsInt() @PairedDefault('offset', 0) limit?: number;
      execute(): string {
        return '';
      }
    }
    const result = interpret(contractOf(ReadLines), { arguments: '{"limit":5.0}' }, { output: 'json' });
    expect(result).toMatchObject({ status: 'repaired', text: '{"limit":5.0,"offset":0}' });
  });

  test('meta arguments are taken out', () => {
    const result = interpretArguments(
      closedOf({ a: number }, []),
      { text: `{"_rationale":"why","a":${big}}` },
      { output: 'json', meta: true },
    );
    expect(result).toMatchObject({ text: `{"a":${big}}`, meta: { rationale: 'why' } });
  });

  test('what a provider has parsed is written as it is', () => {
    const result = interpretArguments(closedOf({ a: number }, []), { value: { a: 0.5 } }, { output: 'json' });
    expect(result).toMatchObject({ text: '{"a":0.5}' });
  });

  test('a number between two bounds is validated as it is, not as the nearest one', () => {
    const upTo = (maximum: number): Parameters<typeof interpretArguments>[0] =>
      closedOf({ a: { type: 'integer', maximum } }, []);
    expect(passedOn(upTo(2 ** 53), '{"a":9007199254740993}')).toEqual(['unsafe_number']);
    expect(passedOn(upTo(2 ** 53 + 2), '{"a":9007199254740993}')).toBe('{"a":9007199254740993}');
    expect(passedOn(upTo(2 ** 63), '{"a":9223372036854775807}')).toBe('{"a":9223372036854775807}');
    expect(passedOn(closedOf({ a: whole }, []), '{"a":1.000000000000000000001}')).toEqual(['unsafe_number']);
    expect(passedOn(closedOf({ a: whole }, []), '{"a":9007199254740993.5}')).toEqual(['unsafe_number']);
  });

  test('two numbers that look the same as values are not mixed up', () => {
    expect(passedOn(nested, '{"inner.a":12345678901234567890,"inner.b":12345678901234567891}')).toContain(
      'additionalProperties',
    );
  });

  test('random values with odd numbers, before and after a repair', () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{0,25}$/);
    const literal = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.option(fc.stringMatching(/^[0-9]{1,25}$/)),
        fc.option(fc.integer({ min: -400, max: 400 })),
      )
      .map(
        ([sign, front, fraction, power]) =>
          `${sign}${front}${fraction === null ? '' : `.${fraction}`}${power === null ? '' : `e${power}`}`,
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
    const schema = { type: 'object', properties: { flag: { type: 'boolean' }, data: {} } } as const;
    fc.assert(
      fc.property(value, (data) => {
        expect(passedOn(schema, `{"flag": true, "data": ${data}}`)).toBe(`{"flag": true, "data": ${data}}`);
        expect(passedOn(schema, `{"data": ${data},"flag":"true"}`)).toBe(`{"data":${data},"flag":true}`);
        const inText = JSON.stringify(`{"data":${data}}`);
        expect(passedOn(closedOf({ inner: schema }, []), `{"inner":${inText}}`)).toBe(
          `{"inner":{"data":${data}}}`,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('for a handler', () => {
  const schema = closedOf(
    {
      inner: closedOf({ a: number }, []),
      list: listOf(number),
      one: number,
      items: listOf(closedOf({ b: number }, [])),
    },
    [],
  );

  test.each([
    [`{"one":${big}}`],
    [`{"one":[${big}]}`],
    [`{"list":${big}}`],
    [`{"list":{"item":${big}}}`],
    [`{"list":"[${big}]"}`],
    [`{"inner.a":${big}}`],
    [`{"b":${big}}`],
    [`{"one":{"type":"number","value":${big}}}`],
    [`{"One":1e400}`],
  ])('%s is refused: the number could only come with other digits', (sent) => {
    expect(interpretArguments(schema, { text: sent })).toMatchObject({
      status: 'rejected',
      issues: expect.arrayContaining([expect.objectContaining({ keyword: 'unsafe_number' })]) as unknown,
    });
  });

  test('where anything is allowed, it comes as text', () => {
    expect(interpretArguments(closedOf({ a: {} }, []), { text: `{"a":${big}}` })).toMatchObject({
      value: { a: big },
    });
  });

  test.each([
    ['{"names":1.0}', { names: ['1.0'] }],
    [`{"inner.name":${big}}`, { inner: { name: big } }],
  ])('%s keeps its spelling as text, also through another repair', (sent, value) => {
    const texts = closedOf({ names: listOf(text), inner: closedOf({ name: text }, []) }, []);
    expect(interpretArguments(texts, { text: sent })).toMatchObject({ status: 'repaired', value });
  });

  test('there is no text, and argumentsText is that of the value', () => {
    const result = interpretArguments(schema, { text: '{ "one": 1.0 }' });
    expect(result).not.toHaveProperty('text');
    if (result.status !== 'rejected') expect(argumentsText(result)).toBe('{"one":1}');
  });
});

test.each([
  ['9007199254740993', 9007199254740992, 9007199254740994, 9007199254740992],
  ['-9007199254740993', -9007199254740994, -9007199254740992, -9007199254740992],
  ['1.000000000000000000001', 1, 1 + Number.EPSILON, 1],
  ['0.1', 0.09999999999999999, 0.1, 0.09999999999999999],
  ['1e400', Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE],
  ['-1e-400', -Number.MIN_VALUE, 0, -0],
  ['1e99999999999999999999', Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE],
  ['10000000000000000.1', 10000000000000000, 10000000000000002, 4503599627370495.5],
])('%s lies between %d and %d, and is as whole as %d', (literal, low, high, alike) => {
  expect(doublesAround(literal)).toEqual([low, high, alike]);
});

test.each([
  ['nothing is said', {}, 'unchanged'],
  ['a number', { type: 'number' }, 'unchanged'],
  ['a number of at least 1', { type: 'number', minimum: 1 }, 'unchanged'],
  ['a whole number', { type: 'integer' }, 'rejected'],
] as const)('a fraction beyond 2^52 where %s', (_said, data, outcome) => {
  const result = interpretArguments(
    { type: 'object', properties: { data } },
    { text: '{"data": 10000000000000000.1}' },
    { output: 'json' },
  );
  expect(result.status).toBe(outcome);
});

test.each([big, '1e400', '-9007199254740993'])(
  '%s is text for a handler where a union allows it',
  (digits) => {
    const schema = closedOf({ id: anyOf(whole, text) });
    expect(interpretArguments(schema, { text: `{"id": ${digits}}` })).toMatchObject({
      status: 'repaired',
      value: { id: digits },
    });
  },
);
