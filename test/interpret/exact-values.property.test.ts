// Do the digits of numbers survive, as a value, as text, and in what is passed on?
import { IsInt, IsOptional } from 'class-validator';
import { PairedDefault, Tool, argumentsText, contractOf, interpret, interpretArguments } from 'toolmend';
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
    ['a list in text', `{"list":"[${big}, 1.50]"}`, ['type']],
    ['another spelling of a key', `{"In-ner":{"A":${big}}}`, ['additionalProperties']],
    ['a value beside one that is repaired', `{"one":${big},"list":["1"]}`, ['type']],
    ['one for a list', `{"list":${big}}`, ['type']],
    ['the list under a key', `{"list":{"item":[1.0,${big}]}}`, ['type']],
    ['an envelope', `{"arguments":{"one":${big}}}`, ['additionalProperties']],
    ['text that is not JSON', `{'one': ${big},}`, ['unsafe_number']],
    ['a key twice', `{"one":${big},"one":${big}}`, ['unsafe_number']],
  ])('a call that needs a repair is refused for its digits: %s', (_what, sent, issues) => {
    expect(passedOn(nested, sent)).toEqual(issues);
  });

  test.each([
    ['a list in text', '{"list":"[1.50]"}', '{"list":[1.5]}'],
    ['beside a value that is repaired', '{"one":1.50,"list":["1"]}', '{"one":1.50,"list":[1]}'],
    ['a number for text', '{"name":1.0}', '{"name":"1.0"}'],
    ['digits for text', `{"name":${big}}`, `{"name":"${big}"}`],
  ])('a repair keeps the value of a number, and its spelling for text: %s', (_what, sent, expected) => {
    expect(passedOn(nested, sent)).toBe(expected);
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
    const result = interpret(contractOf(ReadLines), { arguments: `{"limit":${big}}` }, { output: 'json' });
    expect(result).toMatchObject({ status: 'repaired', text: `{"limit":${big},"offset":0}` });
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

  test('a number is validated as the nearest one', () => {
    const upTo = (maximum: number): Parameters<typeof interpretArguments>[0] =>
      closedOf({ a: { type: 'integer', maximum } }, []);
    expect(passedOn(upTo(2 ** 53), '{"a":9007199254740993}')).toBe('{"a":9007199254740993}');
    expect(passedOn(upTo(2 ** 53 - 1), '{"a":9007199254740993}')).toEqual(['maximum']);
  });

  test('two numbers that have the same value keep their digits apart', () => {
    const sent = `{"_rationale":"why","inner":{"a":${big},"b":12345678901234567891}}`;
    const result = interpretArguments(nested, { text: sent }, { output: 'json', meta: true });
    expect(result).toMatchObject({ text: `{"inner":{"a":${big},"b":12345678901234567891}}` });
  });

  test('random values with odd numbers stay as they came', () => {
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
      }),
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
