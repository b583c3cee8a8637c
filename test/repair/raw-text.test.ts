import { interpretArguments } from 'toolmend';
import { flag, text, texts, whole } from '../schemas.ts';

describe('raw text where a string and another type are declared', () => {
  const call = (raw: string): string => `<function=read><parameter=target>${raw}</parameter></function>`;
  const read = (target: object, raw: string, tool = 'read') =>
    interpretArguments(
      { type: 'object', properties: { target }, additionalProperties: false },
      { text: call(raw) },
      { tool },
    );
  test.each<[string, object, string]>([
    ['a list', { anyOf: [text, texts] }, '["a", "b"]'],
    ['a number, as a list of types', { type: ['string', 'integer'] }, '5'],
    ['a boolean', { anyOf: [text, flag] }, 'True'],
    ['null', { type: ['string', 'null'] }, 'None'],
    ['an object', { anyOf: [text, { type: 'object' }] }, '{"a": 1}'],
    ['anything', {}, '5'],
    ['elements of any type', { type: 'array' }, '5'],
    ['elements of two types', { type: 'array', items: { type: ['string', 'number'] } }, '5'],
  ])('is refused beside %s if it is JSON of that type: %j', (_kind, target, raw) => {
    const advice = expect.stringContaining('"target" may be a string or ');
    const issues = [{ keyword: 'ambiguous', path: '', advice }];
    expect(read(target, raw)).toMatchObject({ status: 'rejected', issues });
  });

  test.each<[object, string]>([
    [{ anyOf: [text, texts] }, '5'],
    [{ anyOf: [text, texts] }, '[not a list'],
    [{ type: ['string', 'integer'] }, '["a"]'],
    [{}, 'a b'],
  ])('is a string if it is not: %j, %s', (target, raw) => {
    expect(read(target, raw)).toMatchObject({ status: 'repaired', value: { target: raw } });
  });

  test.each([
    '<｜DSML｜invoke name="read"><｜DSML｜parameter name="target" string="true">5</｜DSML｜parameter></｜DSML｜invoke>',
    '<|open|>call tool="read" index="1"<|sep|><|open|>argument key="target" type="string"<|sep|>5<|close|>argument<|sep|><|close|>call<|sep|>',
  ])('is a string if the markup says so: %s', (sent) => {
    const target = { type: ['string', 'integer'] };
    const declared = { type: 'object', properties: { target } };
    expect(interpretArguments(declared, { text: sent }, { tool: 'read' })).toMatchObject({
      value: { target: '5' },
    });
  });

  test('is refused if the tool takes any key', () => {
    const sent = (raw: string) =>
      interpretArguments({ type: 'object' }, { text: call(raw) }, { tool: 'read' });
    expect(sent('5').status).toBe('rejected');
    expect(sent('five')).toMatchObject({ value: { target: 'five' } });
  });

  test('is a string in an array of strings', () => {
    expect(read(texts, '5')).toMatchObject({ value: { target: ['5'] } });
  });

  test('is JSON if the string may not be that text', () => {
    const size = { anyOf: [{ enum: ['auto'] }, whole] };
    expect(read(size, '5')).toMatchObject({ value: { target: 5 } });
    expect(read(size, 'auto')).toMatchObject({ value: { target: 'auto' } });
  });
});
