import { type JsonObject, interpretArguments, readCalls } from 'toolmend';
import { notations, writeCall } from 'toolmend/testing';
import { fc } from '../seeded-fast-check.ts';

const name = 'save_note';
const text = { type: 'string' } as const;
const schema = {
  type: 'object',
  properties: {
    title: text,
    body: text,
    count: { type: 'integer' },
    ratio: { type: 'number' },
    done: { type: 'boolean' },
    tags: { type: 'array', items: text },
    author: {
      type: 'object',
      properties: { name: text, age: { type: 'integer' } },
      additionalProperties: false,
    },
  },
  required: ['title'],
  additionalProperties: false,
} as const;

/** Strings with what notations are made of. */
const piece = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom(
    '\n',
    '\r\n',
    '"',
    "'",
    '\\',
    '\\n',
    '`',
    '```',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    ',',
    ':',
    '=',
    '<b>',
    '</b>',
    '<|"|>',
    '<|',
    '</parameter>',
    '<parameter=x>',
    '</arg_value>',
    '<arg_key>',
    '</tool_call>',
    '<tool_call>',
    '</function>',
    '</invoke>',
    '<|call|>',
    '<|tool_call_end|>',
    '[ARGS]',
    '[TOOL_CALLS]',
    'Action:',
    '\nAction Input: {}',
    'to=functions.x',
    '<title>',
    '</title>',
    ']<]minimax[>[',
    '<｜tool▁sep｜>',
    'functions.x:0',
    '<!--',
    '-->',
    'None',
    'true',
    '5',
  ),
);
const string = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
  .filter((one) => !Object.is(one, -0));

const args: fc.Arbitrary<JsonObject> = fc.record(
  {
    title: string,
    body: string,
    count: fc.integer(),
    ratio: number,
    done: fc.boolean(),
    tags: fc.array(string, { maxLength: 3 }),
    author: fc.record(
      { name: string, age: fc.integer() },
      { requiredKeys: ['name'], noNullPrototype: true },
    ),
  },
  { requiredKeys: ['title'], noNullPrototype: true },
);

const interpret = (sent: string) => interpretArguments(schema, { text: sent }, { tool: name });

describe.each(notations)('%s', (notation) => {
  const write = (sent: JsonObject) => writeCall(notation, { name, arguments: sent });

  test('what is written is read with the same arguments', () => {
    fc.assert(
      fc.property(args, (sent) => {
        const written = write(sent);
        if (written === undefined) return;
        const result = interpret(written);
        expect(result.issues).toEqual([]);
        expect(Reflect.get(result, 'value')).toStrictEqual(sent);
      }),
    );
  });

  test('what is written is found among text, with the same arguments', () => {
    fc.assert(
      fc.property(args, (sent) => {
        const written = write(sent);
        // A text of its own: without tags, nothing tells a call from an example.
        const isAlone = notation === 'keyless_envelope';
        if (written === undefined) return;
        const around = isAlone ? written : `I look.\n\n${written}\n`;
        const { calls, text: rest } = readCalls(around, [name]);
        expect(calls).toHaveLength(1);
        expect(rest).toBe(isAlone ? '' : 'I look.\n\n\n');
        const result = interpret(calls[0]?.arguments ?? '');
        expect(Reflect.get(result, 'value')).toStrictEqual(sent);
      }),
    );
  });

  test('a text that was cut is refused, or means the same', () => {
    fc.assert(
      fc.property(args, fc.nat(), (sent, at) => {
        const written = write(sent);
        if (written === undefined) return;
        const result = interpret(written.slice(0, at % written.length));
        if (result.status !== 'rejected') expect(result.value).toStrictEqual(sent);
      }),
    );
  });

  test('most calls can be written', () => {
    const plain = {
      title: 'Tea',
      body: 'Two cups.\nNo sugar.',
      count: 2,
      tags: ['a'],
      author: { name: 'x' },
    };
    expect(write(plain)).toBeDefined();
  });
});
