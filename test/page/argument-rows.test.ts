import { interpretArguments } from 'toolmend/repair';
import { argumentRows, describedKind, memberTexts } from '../../page/argument-rows.ts';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    isNew: { type: 'boolean' },
    limit: { $ref: '#/$defs/limit' },
    tags: { type: 'array', items: { type: 'string' } },
    unit: { enum: ['a', 'b'] },
    size: { type: 'number' },
  },
  required: ['path'],
  $defs: { limit: { type: 'integer' } },
};

function rowsOf(sent: object, more: { readonly withheld?: readonly string[] } = {}) {
  const text = JSON.stringify(sent);
  const result = interpretArguments(schema, { text });
  if (result.status === 'rejected') throw new Error(result.message);
  const decision = {
    schema,
    arguments: JSON.stringify(result.value),
    withheld: [],
    metaKeys: ['_rationale'],
    ...more,
  };
  return argumentRows(decision, result, text);
}

test('members are told apart, with the literals of numbers', () => {
  const text = '{"a": 1.50, "b":{"c":[1e400]},"d/e":"x,", "f": []}';
  expect([...memberTexts(text)]).toEqual([
    ['a', '1.50'],
    ['b', '{\n  "c": [\n    1e400\n  ]\n}'],
    ['d/e', '"x,"'],
    ['f', '[]'],
  ]);
});

test('each argument has what was sent, under its name, and what will run', () => {
  const rows = rowsOf({ path: 'a', is_new: 'true', limit: '3', tags: ['x'] });
  expect(
    rows.map(({ name, sentName, sentText, runText, marks, isChanged }) => [
      name,
      sentName,
      sentText,
      runText,
      marks,
      isChanged,
    ]),
  ).toEqual([
    ['path', undefined, '"a"', '"a"', [], false],
    ['isNew', 'is_new', '"true"', 'true', [1, 3], true],
    ['limit', undefined, '"3"', '3', [2], true],
    ['tags', undefined, '[\n  "x"\n]', '[\n  "x"\n]', [], false],
    ['unit', undefined, undefined, undefined, [], false],
    ['size', undefined, undefined, undefined, [], false],
  ]);
});

test('what was sent and is left out has a row, the meta arguments of a call have none', () => {
  const left = rowsOf({ path: 'a', limit: null }).find(({ name }) => name === 'limit');
  expect(left).toMatchObject({ sentText: 'null', isChanged: true });
  expect(left).not.toHaveProperty('runText');
  const decision = { schema, arguments: '{"path":"a"}', withheld: [], metaKeys: ['_rationale'] };
  const rows = argumentRows(decision, { repairs: [] }, '{"path":"a","_rationale":"so","more":1}');
  expect(rows.map(({ name }) => name)).not.toContain('_rationale');
  expect(rows.find(({ name }) => name === 'more')).toMatchObject({ sentText: '1' });
});

test('text that is no object is not told apart', () => {
  const decision = { schema, arguments: '{"path":"a"}', withheld: ['path'], metaKeys: [] };
  const [path] = argumentRows(decision, { repairs: [] }, undefined);
  expect(path).toMatchObject({ isInText: true, isChanged: false, isWithheld: true });
});

test('kinds are those that the schema says', () => {
  expect(rowsOf({ path: 'a' }).map(describedKind)).toEqual([
    'string, required',
    'boolean',
    'integer',
    'array of strings',
    'one of 2',
    'number',
  ]);
});
