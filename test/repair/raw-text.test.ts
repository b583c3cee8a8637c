import { interpretArguments } from 'toolmend';
import {
  type Schema,
  anyOf,
  closedOf,
  flag,
  listOf,
  nothing,
  objectOf,
  text,
  texts,
  whole,
} from '../schemas.ts';

describe('raw text where a string and another type are declared', () => {
  const call = (raw: string, key = 'target'): string =>
    `<function=read><parameter=${key}>${raw}</parameter></function>`;
  /** Several schemas: the branches of the root. */
  const read = (target: Schema | readonly Schema[], raw: string, key?: string) => {
    const branches = [target].flat().map((one) => closedOf({ target: one, other: whole }));
    const schema = branches.length === 1 ? { ...branches[0] } : anyOf(...branches);
    return interpretArguments(schema, { text: call(raw, key) }, { tool: 'read' });
  };
  const either: Schema = { type: ['string', 'integer'] };
  test.each<[string, Schema | readonly Schema[], string, string?]>([
    ['an array', anyOf(text, texts), '["a", "b"]'],
    ['a number', either, '5'],
    ['a number', either, '5', 'Target'],
    ['a number', [text, whole, flag], '5'],
    ['a boolean', anyOf(text, flag), 'True'],
    ['null', anyOf(text, nothing), 'None'],
    ['an object', anyOf(text, { type: 'object' }), '{"a": 1}'],
    ['a number', {}, '5'],
    ['a number', { type: 'array' }, '5'],
    ['a number', anyOf(listOf(either), flag), '5'],
  ])(
    'is refused beside %s, in %j, if it is JSON of that type: %j',
    (noun, target, raw, key = 'target') => {
      const advice = `write a JSON object, because "${key}" may be a string or ${noun}`;
      const issues = [{ keyword: 'ambiguous', path: '', advice }];
      expect(read(target, raw, key)).toMatchObject({ status: 'rejected', issues });
    },
  );

  const size = anyOf({ enum: ['auto'] }, whole);
  test.each<[Schema | readonly Schema[], string, unknown?, string?]>([
    [anyOf(text, texts), '5'],
    [anyOf(text, texts), '[not a list'],
    [either, '["a"]'],
    [{}, 'a b'],
    [text, '5', '5', 'Target'],
    [texts, '5', ['5']],
    [size, 'auto'],
    // The string may not be that text.
    [size, '5', 5],
    // An array would have two elements.
    [[whole, listOf(either, { minItems: 2 })], '5', 5],
    // JSON of an object is never text in an array.
    [listOf(anyOf(text, objectOf({ a: whole }))), '{"a": 1}', [{ a: 1 }]],
  ])('is only one of them otherwise: %j, %s', (target, raw, value = raw, key) => {
    expect(read(target, raw, key)).toMatchObject({ status: 'repaired', value: { target: value } });
  });

  test.each([
    '<｜DSML｜invoke name="read"><｜DSML｜parameter name="target" string="true">5</｜DSML｜parameter></｜DSML｜invoke>',
    '<|open|>call tool="read" index="1"<|sep|><|open|>argument key="target" type="string"<|sep|>5<|close|>argument<|sep|><|open|>argument key="&quot;R&amp;D&quot;"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|>',
  ])('is a string if the markup says so: %s', (sent) => {
    expect(
      interpretArguments(
        objectOf({ target: either, '"R&D"': text }),
        { text: sent },
        { tool: 'read' },
      ),
    ).toMatchObject({ value: { target: '5' } });
  });

  test('is refused if the tool takes any key', () => {
    const sent = (raw: string, options?: { readonly tool: string }) =>
      interpretArguments({ type: 'object' }, { text: call(raw) }, options);
    expect(sent('5', { tool: 'read' }).status).toBe('rejected');
    expect(sent('five', { tool: 'read' })).toMatchObject({ value: { target: 'five' } });
    // Of an unnamed tool, any call is read.
    expect(sent('five')).toMatchObject({ value: { target: 'five' } });
  });
});
