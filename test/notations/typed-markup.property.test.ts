// Markup that tells types decides; markup that doesn't leaves null and line breaks to fixed rules.
import { interpretArguments, readCalls } from 'toolmend';
import { fc } from '../seeded-fast-check.ts';
import { valueOf } from '../read.ts';

const name = 'keep';
const anyScalar = { type: ['string', 'number', 'boolean', 'null'] } as const;
const schemaOf = (value: object) =>
  ({
    type: 'object',
    properties: { v: value },
    required: ['v'],
    additionalProperties: false,
  }) as const;

/** Text that is JSON, and text that is none. */
const raw = fc
  .oneof(
    fc.constantFrom(
      'null',
      'true',
      'false',
      '5',
      '1.5',
      '-0.25',
      '[7]',
      '{"a":1}',
      '"x"',
      'Ulm',
      '',
    ),
    fc.integer().map(String),
    fc.string({ maxLength: 12 }),
  )
  .filter((text) => !/[<>|｜]/.test(text));

const typed = {
  'DeepSeek V3.2': (text: string, isString: boolean) =>
    `<｜DSML｜invoke name="${name}">\n<｜DSML｜parameter name="v" string="${isString}">${text}</｜DSML｜parameter>\n</｜DSML｜invoke>`,
  'Kimi K3': (text: string, isString: boolean) =>
    `<|open|>call tool="${name}" index="1"<|sep|><|open|>argument key="v" type="${isString ? 'string' : 'number'}"<|sep|>${text}<|close|>argument<|sep|><|close|>call<|sep|>`,
} as const;

const untyped = {
  Qwen: (text: string) =>
    `<tool_call>\n<function=${name}>\n<parameter=v>\n${text}\n</parameter>\n</function>\n</tool_call>`,
  MiniMax: (text: string) =>
    `<invoke name="${name}">\n<parameter name="v">${text}</parameter>\n</invoke>`,
  GLM: (text: string) =>
    `<tool_call>${name}\n<arg_key>v</arg_key>\n<arg_value>${text}</arg_value>\n</tool_call>`,
} as const;

/** The value that the tool gets, as argument text and from the text of an answer. */
function read(text: string, schema: object): readonly unknown[] {
  const options = { tool: name, finishReason: 'stop' } as const;
  const tool = { name, inputSchema: schema };
  const [call] = readCalls(text, [tool]).calls;
  const results = [
    interpretArguments(schema, { text }, options),
    ...(call === undefined ? [] : [interpretArguments(schema, { text: call.arguments }, options)]),
  ];
  return results.map((result) =>
    result.status === 'rejected' ? undefined : Reflect.get(Object(valueOf(result)), 'v'),
  );
}

describe.each(Object.entries(typed))('%s', (_title, write) => {
  test('a string is its text, whatever else is allowed', () => {
    fc.assert(
      fc.property(raw, (text) => {
        for (const value of read(write(text, true), schemaOf(anyScalar))) expect(value).toBe(text);
      }),
    );
  });

  test('anything else is JSON, where a string is allowed, too', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)), (sent) => {
        const values = read(write(JSON.stringify(sent), false), schemaOf(anyScalar));
        expect(values).toEqual([sent, sent]);
      }),
    );
  });

  test('a list of one is unwrapped for a number, as in JSON', () => {
    expect(read(write('[7]', false), schemaOf({ type: 'number' }))).toEqual([7, 7]);
  });
});

describe.each(Object.entries(untyped))('%s', (title, write) => {
  test('the word null is null where null is allowed, and text elsewhere', () => {
    const isNull = (schema: object) => read(write('null'), schemaOf(schema));
    expect(isNull({ type: ['string', 'null'] })).toEqual([null, null]);
    expect(isNull({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toEqual([null, null]);
    expect(isNull({ type: 'string' })).toEqual(['null', 'null']);
  });

  test('line breaks of a value stay, but for those of the layout', () => {
    const blanks = fc.string({ unit: fc.constantFrom('\n', ' ', 'a', '\t'), maxLength: 8 });
    fc.assert(
      fc.property(blanks, (text) => {
        fc.pre(title === 'Qwen' || text.trim() !== '');
        for (const value of read(write(text), schemaOf({ type: 'string' })))
          expect(value).toBe(text);
      }),
    );
  });
});
