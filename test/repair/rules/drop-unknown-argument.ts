import { interpretArguments } from 'toolmend';
import { missingAndUnknown, testRule } from '../rule-case.ts';
import { closedOf, listOf, objectOf, text } from '../../schemas.ts';

const read = closedOf({ path: text }, ['path']);

testRule(
  'drop_unknown_argument',
  {
    untouched: [
      { title: 'declared keys', schema: read, value: { path: 'a' } },
      {
        title: 'an open object keeps what it takes',
        schema: objectOf({ path: text }),
        value: { path: 'a', reason: 'x' },
      },
    ],
    repaired: [
      {
        title: 'an unknown key',
        schema: read,
        sent: { path: 'a', reason: 'x' },
        becomes: { path: 'a' },
        repairs: '/reason',
      },
      {
        title: 'in a list',
        argument: 'reads',
        schema: listOf(read),
        sent: [{ path: 'a', x: [1] }],
        becomes: [{ path: 'a' }],
        repairs: '/reads/0/x',
      },
      {
        title: 'a misspelt key is renamed still',
        schema: read,
        sent: { Path: 'a', x: 1 },
        becomes: { path: 'a' },
        repairs: ['rename_key /Path', '/x'],
      },
    ],
    refused: [
      {
        title: 'an open object',
        schema: objectOf({}, [], { maxProperties: 1 }),
        sent: { x: 1, a: '' },
        issues: 'maxProperties',
      },
      {
        title: 'a required key is missing',
        schema: read,
        sent: { reason: 'x' },
        issues: missingAndUnknown,
      },
      {
        title: 'nearly an optional key',
        schema: closedOf({ path: text, days: text }, ['path']),
        sent: { path: 'a', day: '3' },
      },
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
