import { interpretArguments } from 'toolmend';
import { missingAndUnknown, testRule } from '../rule-case.ts';
import { closedOf, listOf, objectOf, text } from '../../schemas.ts';

const read = closedOf({ path: text }, ['path']);

testRule(
  'drop_unknown_argument',
  {
    untouched: [
      ['declared keys', read, { path: 'a' }],
      ['an open object keeps what it takes', objectOf({ path: text }), { path: 'a', reason: 'x' }],
    ],
    repaired: [
      ['an unknown key', read, { path: 'a', reason: 'x' }, { path: 'a' }, '/reason'],
      ['in a list', 'reads', listOf(read), [{ path: 'a', x: [1] }], [{ path: 'a' }], '/reads/0/x'],
      [
        'a misspelt key is renamed still',
        read,
        { Path: 'a', x: 1 },
        { path: 'a' },
        'rename_key /Path, /x',
      ],
    ],
    refused: [
      ['an open object', objectOf({}, [], { maxProperties: 1 }), { x: 1, a: '' }, 'maxProperties'],
      ['a required key is missing', read, { reason: 'x' }, missingAndUnknown],
      [
        'nearly an optional key',
        closedOf({ path: text, days: text }, ['path']),
        { path: 'a', day: '3' },
      ],
    ],
  },
  { tool: { name: 'read_file', unknownArguments: 'strip' } },
);

test('of a key that is nearly an optional one, the message names that', () => {
  const tool = { name: 'forecast', unknownArguments: 'strip' } as const;
  const forecast = closedOf({ city: text, days: text }, ['city']);
  const asked = (value: object) => interpretArguments(forecast, { value }, { tool });
  const message = expect.stringContaining('did you mean "days"?');
  expect(asked({ city: 'Graz', day: '3' })).toMatchObject({ message });
  const value = { city: 'Graz', days: '1' };
  expect(asked({ ...value, day: '3' })).toMatchObject({ value });
});

test('the model is told', () => {
  const tool = { name: 'read_file', unknownArguments: 'strip' } as const;
  const { notes } = interpretArguments(read, { value: { path: 'a', reason: 'x' } }, { tool });
  expect(notes).toMatchObject([{ rule: 'drop_unknown_argument', path: '/reason' }]);
});
