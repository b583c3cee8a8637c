// How much work may one repair be? Questions to the validator are few, and beyond a limit the call
// is rejected.
import { interpretArguments } from 'toolmend';
import { costOf } from '../cost.ts';
import { countingValidator } from './counting-validator.ts';
import { anyOf, closedOf, listOf, objectOf, type Schema, text, texts, whole } from '../schemas.ts';

const read = closedOf({ kind: { const: 'read_file' }, size: whole }, ['kind', 'size']);
const write = closedOf({ kind: { const: 'write_file' }, size: whole, body: text }, [
  'kind',
  'size',
]);
const list = closedOf({ kind: { const: 'list_files' }, size: whole }, ['kind', 'size']);
const tagged = anyOf(read, write, list);
const held = closedOf({ c: whole }, ['c']);
const path: Schema = { ...text, 'x-toolmend': { semantic: 'path' } };
const untyped: Schema = { enum: ['a', 'b'] };
const pair = (a: Schema): Schema => closedOf({ a, b: whole }, ['a', 'b']);
// As text: an object with a `then` looks like a promise.
const conditional: Schema = JSON.parse(
  '{"type": "object", "properties": {"k": {"type": "string"}, "n": {"type": "integer"}}, "if": {"properties": {"k": {"const": "x"}}}, "then": {"required": ["n"]}}',
);

describe('questions to the validator, at most', () => {
  /** Title, schema, what is sent, the value (undefined: rejected), questions. */
  test.each<[string, Schema, object, object | undefined, number]>([
    ['the first of two', pair(whole), { a: '1', b: 5 }, { a: 1, b: 5 }, 5],
    ['both', pair(whole), { a: '1', b: '5' }, { a: 1, b: 5 }, 6],
    ['text that spells no number', pair(whole), { a: 'x', b: 5 }, undefined, 5],
    ['text that spells a fraction', pair(whole), { a: '1.5', b: 5 }, undefined, 5],
    ['text that spells no member', pair(untyped), { a: 'X', b: 5 }, undefined, 5],
    ['text that spells a member', pair(untyped), { a: 'A', b: 5 }, { a: 'a', b: 5 }, 5],
    ['a path that is none', pair(path), { a: '[x](http://x)', b: 5 }, { a: 'x', b: 5 }, 5],
    ['a misspelt key', pair(whole), { A: 1, b: 5 }, { a: 1, b: 5 }, 5],
    [
      'misspelt, in an open object',
      objectOf({ limit: whole }),
      { Limit: '5', x: 1 },
      { limit: 5, x: 1 },
      7,
    ],
    ['a key of its own', objectOf({ n: whole, b: whole }), { N: 'x', b: '5' }, { N: 'x', b: 5 }, 6],
    ['an envelope', pair(whole), { arguments: { a: '1', b: 5 } }, { a: 1, b: 5 }, 6],
    ['elements', pair(listOf(whole)), { a: ['1', '2', 3], b: 5 }, { a: [1, 2, 3], b: 5 }, 10],
    ['text that spells a list', pair(listOf(whole)), { a: '["1"]', b: 5 }, { a: [1], b: 5 }, 8],
    ['a condition', conditional, { k: 'x', n: '5' }, { k: 'x', n: 5 }, 10],
  ])('%s', (_title, schema, sent, value, most) => {
    const { validator, asked } = countingValidator();
    const result = interpretArguments(schema, { value: sent }, { validator });
    expect(Reflect.get(result, 'value')).toEqual(value);
    expect(asked()).toBeLessThanOrEqual(most);
  });

  test('where the one candidate is looked for', () => {
    const { validator, asked } = countingValidator();
    const options = { validator, tool: { effects: 'read' } } as const;
    const schema = closedOf({ a: { ...text, description: 'The term.' } }, ['a']);
    const result = interpretArguments(schema, { value: { term: 'x' } }, options);
    expect(result).toMatchObject({ status: 'repaired', value: { a: 'x' } });
    expect(asked()).toBeLessThanOrEqual(4);
  });

  test.each<[string, Schema, object, number]>([
    ['an object', pair(held), { a: { c: 'x' }, b: '5' }, 10],
    ['a list', pair(listOf(whole)), { a: ['x'], b: '5' }, 10],
    ['long text', pair(whole), { a: 'x'.repeat(65), b: '5' }, 8],
    ['short text', pair(whole), { a: 'x', b: '5' }, 9],
  ])(
    '%s that can’t be mended, beside what is, is not looked at twice',
    (_title, schema, sent, most) => {
      const { validator, asked } = countingValidator();
      expect(interpretArguments(schema, { value: sent }, { validator }).status).toBe('rejected');
      expect(asked()).toBeLessThanOrEqual(most);
    },
  );

  const ofOne = (member: string) => closedOf({ k: { enum: [member] }, s: whole }, ['k']);

  test.each<[string, Schema, unknown, object | undefined, number]>([
    ['the very word', tagged, { kind: 'read_file', size: '5' }, { kind: 'read_file', size: 5 }, 11],
    ['its spelling', tagged, { kind: 'ReadFile', size: '5' }, { kind: 'read_file', size: 5 }, 12],
    ['another word', tagged, { kind: 'x', size: '5' }, undefined, 5],
    ['a list', tagged, [{ kind: 'read_file', size: '5' }], undefined, 11],
    [
      'the only member of an enum',
      anyOf(ofOne('a'), ofOne('b')),
      { k: 'a', s: '5' },
      { k: 'a', s: 5 },
      11,
    ],
    ['text that spells a list', anyOf(listOf(whole), held), '["1"]', [1], 12],
  ])('of a union, one branch is tried: %s', (_title, schema, sent, value, most) => {
    const { validator, asked } = countingValidator();
    const result = interpretArguments(pair(schema), { value: { a: sent, b: 5 } }, { validator });
    expect(Reflect.get(result, 'value')).toEqual(
      value === undefined ? undefined : { a: value, b: 5 },
    );
    expect(asked()).toBeLessThanOrEqual(most);
  });
});

describe('the budget of questions', () => {
  // Three questions are asked: it has to last for two, so that the third is still asked.
  const outcomeOf = (sent: string, stepsPerQuestion: number): unknown => {
    const { validator } = countingValidator(stepsPerQuestion);
    const result = interpretArguments(closedOf({ a: whole }), { text: sent }, { validator });
    return result.status === 'repaired' ? 'repaired' : result.issues.map(({ keyword }) => keyword);
  };
  const call = '{"a":"5"}';

  test.each([
    ['as many steps as the budget allows', call, 500_002, 'repaired'],
    ['one step more', call, 500_003, ['budget_exceeded']],
    ['a longer call has a larger one', call.padEnd(1009), 502_502, 'repaired'],
    ['and one step more is too many', call.padEnd(1009), 502_503, ['budget_exceeded']],
    ['one question alone is too many', call, 2_000_000, ['budget_exceeded']],
  ])('%s', (_title, sent, steps, outcome) => {
    expect(outcomeOf(sent, steps)).toEqual(outcome);
  });

  test('a valid call has none', () => {
    const { validator } = countingValidator(2_000_000);
    const { status } = interpretArguments(
      closedOf({ a: whole }),
      { text: '{"a":5}' },
      { validator },
    );
    expect(status).toBe('unchanged');
  });
});

describe('text that is decoded', () => {
  const encoded = (value: unknown, times: number): string =>
    times === 0 ? JSON.stringify(value) : JSON.stringify(encoded(value, times - 1));

  test.each([
    ['once', 0, [1, 2], [1, 2]],
    ['twice', 1, [1, 2], [1, 2]],
    ['three times', 2, [1, 2], [1, 2]],
    ['four times', 3, [1, 2], undefined],
  ])('%s on one path', (_title, times, value, outcome) => {
    const call = { text: JSON.stringify({ a: encoded(value, times) }) };
    const found = Reflect.get(interpretArguments(closedOf({ a: listOf(whole) }), call), 'value');
    expect(found).toEqual(outcome && { a: outcome });
  });

  test('three times is nearly three times the text: beyond twice it is not read', () => {
    const outcomeOf = (length: number): string => {
      const ones = Array.from({ length }, () => 1);
      const call = { text: JSON.stringify({ a: encoded(ones, 2) }) };
      return interpretArguments(closedOf({ a: listOf(whole) }), call).status;
    };
    expect([15, 25].map(outcomeOf)).toEqual(['repaired', 'rejected']);
  });

  test('the same text at many places of a union counts once', () => {
    const keys = Array.from({ length: 20 }, (_branch, at) => `key${at}`);
    const branches = keys.map((key) => closedOf({ [key]: whole }, [key]));
    const sent = { a: '{"key7": 5}', b: 5 };
    const repaired = { status: 'repaired', value: { a: { key7: 5 }, b: 5 } };
    expect(interpretArguments(pair(anyOf(...branches)), { value: sent })).toMatchObject(repaired);
  });

  const below: Schema = { $ref: '#/$defs/deep' };
  const $defs = { deep: listOf(below) };
  const deep: Schema = { ...closedOf({ a: below, b: closedOf({ c: below }) }), $defs };
  const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  test.each([
    ['63 lists inside the arguments', { a: lists(63) }, 'repaired'],
    ['64 lists inside the arguments', { a: lists(64) }, 'rejected'],
    ['62 lists one object deeper', { b: { c: lists(62) } }, 'repaired'],
    ['63 lists one object deeper', { b: { c: lists(63) } }, 'rejected'],
  ])('%s', (_title, sent, outcome) => {
    expect(interpretArguments(deep, { value: sent }).status).toBe(outcome);
  });

  test('elements of a list of lists are asked once each, before the list as one', () => {
    const { validator, asked } = countingValidator();
    const sent = { value: { a: [['x'], 'y'], b: 5 } };
    const result = interpretArguments(pair(listOf(texts)), sent, { validator });
    expect(result).toMatchObject({ value: { a: [['x'], ['y']], b: 5 } });
    expect(asked()).toBeLessThanOrEqual(9);
  });
});

test('a list of lists of itself is refused, whatever is in it', () => {
  const self: Schema = { $ref: '#/$defs/self' };
  const schema = objectOf({ self }, ['self'], { $defs: { self: listOf(self) } });
  for (const value of ['a', 5, [1, 2], ['a'], [['a'], 1]])
    expect(interpretArguments(schema, { value: { self: value } }).status).toBe('rejected');
});

test('members of an enum are folded once, not for each element', () => {
  const members = Array.from({ length: 250 }, (_member, index) => `member_name_${index}`);
  const schema = objectOf({ modes: listOf({ enum: members }) });
  const modes = Array.from({ length: 16_000 }, (_element, index) => `Member Name-${index % 250}`);
  const { result, cost } = costOf(() => interpretArguments(schema, { value: { modes } }));
  expect(cost).toBeLessThan(150);
  expect(result).toMatchObject({ status: 'repaired' });
  expect(Reflect.get(result, 'value').modes.at(-1)).toBe('member_name_249');
});

test('text for a list costs no more for each character if it is long', () => {
  const schema = objectOf({ names: texts });
  for (const part of [
    ' ',
    'a',
    '“',
    'a ',
    '- ',
    '-> ',
    '" ',
    "'a' ",
    '1. ',
    'A and ',
    '<item> ',
    'a: [ ',
  ]) {
    const names = `${part.repeat(20_000)}x y`;
    const { cost } = costOf(() => interpretArguments(schema, { value: { names } }));
    expect(cost, part).toBeLessThan(60);
  }
});
