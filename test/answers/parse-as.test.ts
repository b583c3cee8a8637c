import { type as ark } from 'arktype';
import { Transform } from 'class-transformer';
import { IsEnum, IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  ArrayOf,
  answerSchema,
  arrayOf,
  Check,
  Default,
  DefinitionError,
  Describe,
  enumOf,
  FromContext,
  integer,
  Nested,
  nullable,
  parseAs,
  recordOf,
  unionOf,
} from 'toolmend';
import * as v from 'valibot';
import { z } from 'zod';

class Party {
  @IsString() name!: string;
}

class Invoice {
  @Describe('The number on the invoice.') @IsString() number!: string;
  @IsInt() @Min(0) cents!: number;
  @Nested(() => Party) seller!: Party;
  @ArrayOf(String) tags!: string[];
  @Default('EUR') @IsEnum(['EUR', 'USD']) currency!: 'EUR' | 'USD';
  @IsOptional() @IsString() note?: string;

  @Check() priced(): true | string {
    return this.cents > 0 || this.note !== undefined || 'an invoice of 0 cents needs a note';
  }

  get euros(): number {
    return this.cents / 100;
  }
}

const answer = '{"number":"7","cents":250,"seller":{"name":"Ada"},"tags":["a"]}';

describe('an answer for a class', () => {
  test('is unchanged if it is valid, and an instance with defaults and nested instances', () => {
    const result = parseAs(Invoice, answer);
    expect(result).toMatchObject({ status: 'unchanged', repairs: [], notes: [], issues: [] });
    if (result.status === 'rejected') throw new Error(result.message);
    expect(result.value).toBeInstanceOf(Invoice);
    expect(result.value.seller).toBeInstanceOf(Party);
    expect(result.value.euros).toBe(2.5);
    expect(result.value.currency).toBe('EUR');
  });

  test.each([
    ['in a fence', '```json\n' + answer + '\n```', ['code_fence']],
    [
      'with near-misses',
      answer.replace('250', '"250"').replace('["a"]', '"[\\"a\\"]"'),
      ['text_to_integer', 'json_text_to_array'],
    ],
  ])('is repaired %s', (_name, text, rules) => {
    const result = parseAs(Invoice, text);
    expect(result).toMatchObject({
      status: 'repaired',
      value: { number: '7', cents: 250, tags: ['a'] },
    });
    expect(result.repairs.map(({ rule }) => rule)).toEqual(rules);
  });

  test('is rejected with a message about the answer', () => {
    const result = parseAs(Invoice, '{"number":"7","cents":-1,"tags":[]}');
    expect(result).toMatchObject({ status: 'rejected', repairs: [], notes: [] });
    if (result.status !== 'rejected') throw new Error('accepted');
    expect(result.message).toBe(
      [
        'The answer was not accepted.',
        '- seller is missing: expected an object.',
        '- cents: expected an integer of at least 0, got -1.',
        'Expected: { number: string, cents: integer, seller: { name: string }, tags: string[], currency?: "EUR" | "USD", note?: string }',
        'Example: {"number":"…","cents":1,"seller":{"name":"…"},"tags":["…"]}',
        'Send the whole answer again, corrected.',
      ].join('\n'),
    );
  });

  test('is rejected by its own checks', () => {
    expect(parseAs(Invoice, answer.replace('250', '0'))).toMatchObject({
      issues: [{ keyword: 'check', path: '', advice: 'an invoice of 0 cents needs a note' }],
    });
  });

  test.each([
    ['', 'The answer is empty; send JSON.'],
    [null, 'The answer is empty; send JSON.'],
    ['I am sorry.', 'The answer is not valid JSON; no object was found.'],
    ['{"number":"7","ce', 'The answer was cut off before its end; send it whole.'],
    ['[]', 'answer: expected an object, got an empty array.'],
  ])('%j is rejected', (text, line) => {
    const result = parseAs(Invoice, text);
    expect(result.status === 'rejected' && result.message.split('\n')[1]).toBe(`- ${line}`);
  });

  test('an empty answer is rejected although every field is optional', () => {
    class Note {
      @IsOptional() @IsString() text?: string;
    }
    expect(parseAs(Note, null).status).toBe('rejected');
    expect(parseAs(Note, '{}').status).toBe('unchanged');
  });

  test('closers are added only if the provider says that the answer is complete', () => {
    const prefix = answer.slice(0, -2);
    expect(parseAs(Invoice, prefix).status).toBe('rejected');
    expect(parseAs(Invoice, prefix, { finishReason: 'length' }).status).toBe('rejected');
    expect(parseAs(Invoice, prefix, { finishReason: 'stop' }).status).toBe('repaired');
  });

  test('with repair: lossless, a lossy repair is rejected', () => {
    const text = answer.replace('"Ada"}', '"Ada"},"extra":null');
    expect(parseAs(Invoice, text).status).not.toBe('unchanged');
    expect(parseAs(Invoice, `Here:\n${answer}`, { repair: 'lossless' }).status).toBe('rejected');
    expect(parseAs(Invoice, '```\n' + answer + '\n```', { repair: 'lossless' }).status).toBe(
      'repaired',
    );
  });
});

test('an answer may have groups and transforms, as a tool', () => {
  class Task {
    @IsString({ groups: ['create'] })
    @Transform(({ value }: { value: string }) => value.trim())
    title!: string;
    @IsInt({ groups: ['update'] }) id!: number;
  }
  const options = { groups: ['create'], transform: true };
  const result = parseAs(Task, '{"title": " a "}', options);
  expect(result).toMatchObject({ status: 'unchanged', value: { title: 'a' } });
  expect(parseAs(Task, '{"id": 1}', { ...options, groups: ['update'] })).toMatchObject({
    value: { id: 1 },
  });
  expect(() => parseAs(Task, '{"id": 1}')).toThrow(DefinitionError);
});

describe('an answer for a schema', () => {
  const tags = { type: 'array', items: { type: 'string' }, minItems: 1 } as const;
  const mood = { enum: ['Positive', 'Negative'] } as const;
  const integers = { type: 'array', items: { type: 'integer' } } as const;

  test.each([
    ['an array', tags, '["a", "b"]', ['a', 'b']],
    [
      'an object',
      { type: 'object', properties: { a: { type: 'integer', default: 3 } } },
      '{}',
      { a: 3 },
    ],
    ['an integer', { type: 'integer' }, '42', 42],
    ['a string in JSON', { type: 'string' }, '"yes"', 'yes'],
    ['a string that is other JSON', { type: 'string' }, '{"a": 1.50}', '{"a": 1.50}'],
    ['a string as it is', { type: 'string' }, 'Yes, {all} of it.\n', 'Yes, {all} of it.\n'],
    ['a member of an enum', mood, 'Positive', 'Positive'],
    ['null', { type: ['array', 'null'] }, 'null', null],
    ['a union', { anyOf: [tags, { type: 'object', properties: {} }] }, '{}', {}],
  ])('%s is unchanged if it is valid', (_name, schema, text, value) => {
    expect(parseAs(schema, text)).toEqual({
      status: 'unchanged',
      value,
      repairs: [],
      notes: [],
      issues: [],
    });
  });

  test.each([
    ['an array in a fence', tags, '```json\n["a"]\n```', ['a'], ['code_fence'], ''],
    ['an array after words', tags, 'The tags are:\n["a"]', ['a'], ['surrounding_text'], ''],
    ['an array in a string', tags, '"[\\"a\\"]"', ['a'], ['json_text_to_array'], ''],
    [
      'an integer in a fence',
      { type: 'integer' },
      '```\n42\n```',
      42,
      ['code_fence', 'text_to_integer'],
      '',
    ],
    [
      'an array behind reasoning',
      tags,
      '<think>["x"]?</think>\n["a"]',
      ['a'],
      ['surrounding_text'],
      '',
    ],
    ['an enum member in another case', mood, 'positive', 'Positive', ['enum_spelling'], ''],
  ])('%s is repaired', (_name, schema, text, value, rules, path) => {
    const result = parseAs(schema, text);
    expect(result).toMatchObject({ status: 'repaired', value });
    expect(result.repairs.map(({ rule }) => rule)).toEqual(rules);
    expect(result.repairs.at(-1)?.path).toBe(path);
    expect(JSON.stringify(result.repairs)).not.toContain('~');
  });

  test.each([
    ['prose instead of an array', tags, 'I found no tags.', 'The answer is not valid JSON.'],
    [
      'an empty array',
      tags,
      '[]',
      'answer: expected an array of at least 1 element, got an empty array.',
    ],
    ['a wrong element', integers, '[1, "x"]', '[1]: expected an integer, got the string "x".'],
    [
      'an object',
      integers,
      '{"a": 1}',
      'answer: expected an array of integers, got an object with "a".',
    ],
    ['two arrays', tags, '["a"] or ["b"]', 'The answer is not valid JSON.'],
  ])('%s is rejected', (_name, schema, text, line) => {
    const result = parseAs(schema, text);
    expect(result.status === 'rejected' && result.message.split('\n')[1]).toBe(`- ${line}`);
    expect(JSON.stringify(result)).not.toContain('~');
  });

  test.each([
    ['a number', { type: 'integer' }, '12'],
    ['a text', { type: 'string' }, 'See [1]'],
    ['an array', tags, '["a", "b"'],
  ])('%s that may lack its end is rejected if the answer was cut off', (_name, schema, text) => {
    expect(parseAs(schema, text, { finishReason: 'length' })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'truncated', path: '' }],
    });
  });

  test('an array that has its end is accepted although the answer was cut off', () => {
    expect(parseAs(tags, '["a"]', { finishReason: 'length' }).status).toBe('unchanged');
  });

  test('references lead into the schema of an array', () => {
    const tree = {
      type: 'array',
      items: { $ref: '#/$defs/node' },
      $defs: { node: { type: 'object', properties: { below: { $ref: '#' } } } },
    };
    expect(parseAs(tree, '[{"below":[{"below":"[]"}]}]')).toMatchObject({
      status: 'repaired',
      value: [{ below: [{ below: [] }] }],
      repairs: [{ path: '/0/below/0/below' }],
    });
  });
});

describe('an answer for a type', () => {
  test('may be an array of instances', () => {
    const result = parseAs(arrayOf(Party), 'The parties:\n[{"name": "Ada"}, {"name": "Eve",}]');
    expect(result).toMatchObject({
      status: 'repaired',
      value: [expect.any(Party), { name: 'Eve' }],
    });
    if (result.status !== 'rejected')
      expect(result.value.map(({ name }) => name)).toEqual(['Ada', 'Eve']);
    // The number could be repaired, so only the missing key is named.
    expect(parseAs(arrayOf(Party), '[{"name": 5}, {}]')).toMatchObject({
      issues: [{ keyword: 'required', path: '/1', key: 'name' }],
    });
  });

  test.each([
    [nullable(Number), 'null', null],
    [Number, '4.5', 4.5],
    [Boolean, 'true', true],
    [String, 'as it is', 'as it is'],
    [Date, '"2026-11-22T00:00:00Z"', new Date('2026-11-22')],
    [enumOf(['yes', 'no']), 'Yes', 'yes'],
    [recordOf(integer), '{"a": "1"}', { a: 1 }],
    [unionOf(arrayOf(String), recordOf(String)), "['a']", ['a']],
  ])('%p of %s', (type, text, value) => {
    expect(parseAs(type, text)).toMatchObject({ value });
  });

  test('has the schema of that type', () => {
    expect(answerSchema(arrayOf(integer))).toEqual({ type: 'array', items: { type: 'integer' } });
  });
});

describe('an answer for a schema of a library', () => {
  const book = z.object({
    title: z.string(),
    day: z.iso.date().transform((text) => new Date(text)),
    copies: z.int().default(1),
    seats: z.array(z.int().refine((seat) => seat !== 13, 'there is no seat 13')),
  });

  test('is the output of the schema', () => {
    const result = parseAs(book, 'It is:\n{"title": "Emma", "day": "2026-11-22", "seats": "[1]",}');
    expect(result).toMatchObject({
      status: 'repaired',
      value: { title: 'Emma', day: new Date('2026-11-22'), copies: 1, seats: [1] },
    });
    if (result.status !== 'rejected') expect(result.value.day.getUTCFullYear()).toBe(2026);
  });

  test('may be an array, of zod, valibot or arktype', () => {
    const short = z
      .array(
        z
          .string()
          .max(3)
          .transform((text) => text.length),
      )
      .refine((all) => all.length < 3, 'too many');
    expect(parseAs(short, "['a', 'bc']")).toMatchObject({ status: 'repaired', value: [1, 2] });
    expect(parseAs(short, '["a", "b", "c"]')).toMatchObject({
      issues: [{ path: '', advice: 'too many' }],
    });
    expect(parseAs(v.array(v.pipe(v.string(), v.toUpperCase())), '["a"]')).toMatchObject({
      value: ['A'],
    });
    expect(parseAs(ark('number.integer[]'), '[1, "2"]')).toMatchObject({
      status: 'repaired',
      value: [1, 2],
    });
  });

  test('that validates asynchronously is refused', () => {
    const later = z.object({ a: z.string().refine((text) => Promise.resolve(text !== '')) });
    expect(() => parseAs(later, '{"a": "b"}')).toThrow(
      'parseAs was given a schema that validates asynchronously: pass its JSON Schema, and validate the value afterwards.',
    );
  });
});

describe('the schema for the model', () => {
  test('is that of the class', () => {
    expect(answerSchema(Party)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    });
  });

  test('has the form of a provider, in which the answer is then read', () => {
    const strict = answerSchema(Invoice, 'openai-strict');
    expect(strict.required).toEqual(['number', 'cents', 'seller', 'tags', 'currency', 'note']);
    const text = answer.replace('}', '},"currency":"USD","note":null');
    expect(parseAs(Invoice, text, { provider: 'openai-strict' })).toMatchObject({
      status: 'unchanged',
      value: { number: '7', currency: 'USD' },
    });
  });

  test.each(['gemini', 'grammar', 'ollama'] as const)(
    'of arrays and enums has the form of %s',
    (provider) => {
      class Edit {
        @IsString() text!: string;
        @IsOptional() @ArrayOf(() => Edit) parts?: Edit[];
      }
      expect(answerSchema(arrayOf(String), provider)).toEqual({
        type: 'array',
        items: { type: 'string' },
      });
      expect(answerSchema(enumOf(['yes', 'no']), provider)).toEqual({
        type: 'string',
        enum: ['yes', 'no'],
      });
      expect(answerSchema(arrayOf(Edit), provider)).toMatchObject({ type: 'array' });
      expect(JSON.stringify(answerSchema(arrayOf(Edit), provider))).not.toContain('~');
      const result = parseAs(arrayOf(String), '["a"]', { provider });
      expect(result).toMatchObject({ status: 'unchanged', value: ['a'] });
    },
  );

  test('is the given schema of an array, for which other providers have no form', () => {
    const tags = { type: 'array', items: { type: 'string' } } as const;
    expect(answerSchema(tags)).toEqual(tags);
    expect(() => answerSchema(tags, 'openai-strict')).toThrow(
      'answerSchema was given a schema that is not that of an object for openai-strict: put it into a property of an object.',
    );
  });
});

class WithContext {
  @FromContext() user!: string;
  @IsString() text!: string;
}

test.each([
  [
    'a value',
    () => parseAs(Invoice, JSON.parse(answer)),
    'parseAs was given a value of type object for the answer: pass the text as the model wrote it, or JSON.stringify(value).',
  ],
  ['an option', () => parseAs(Invoice, answer, JSON.parse('{"finish_reason":"stop"}')), 'parseAs'],
  [
    'properties',
    () => parseAs({ name: { type: 'string' } }, answer),
    'parseAs was given a schema that',
  ],
  [
    'a boolean as schema',
    () => Reflect.apply(parseAs, undefined, [true, '5']),
    "parseAs was given a value of type boolean for the schema: pass a class, or { type: 'array', … }.",
  ],
  [
    'a context field',
    () => parseAs(WithContext, answer),
    'WithContext.user is @FromContext in the class of an answer: set it after parseAs.',
  ],
])('misuse: %s is a DefinitionError', (_name, parse, message) => {
  expect(parse).toThrow(DefinitionError);
  expect(parse).toThrow(message);
});

test.each<[string, object, string, string]>([
  ['an object', z.object({ a: z.int() }), '{"a":1,"mood":2}', 'mood'],
  ['an array', z.array(z.object({ a: z.int() })), '[{"a":1,"mood":2}]', '[0].mood'],
])('a note about %s speaks of the answer', (_title, schema, text, place) => {
  expect(parseAs(schema, text).notes).toMatchObject([
    { text: `${place} is not part of the answer and was left out.` },
  ]);
});

test('what a schema accepts is valid, also in an array', () => {
  const words = z.preprocess(
    (it) => (typeof it === 'string' ? it.split(' ') : it),
    z.array(z.string()),
  );
  const value = [['a', 'b'], ['c']];
  expect(parseAs(z.array(words), '["a b", ["c"]]')).toMatchObject({ status: 'unchanged', value });
  expect(parseAs(z.object({ words, count: z.int() }), '{"words":"a b","count":"2"}')).toMatchObject(
    {
      status: 'repaired',
      value: { words: ['a', 'b'], count: 2 },
      repairs: [{ path: '/count' }],
    },
  );
});
