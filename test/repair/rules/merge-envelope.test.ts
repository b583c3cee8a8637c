import { missingAndUnknown, testRule } from '../rule-case.ts';
import { closedOf, objectOf, text, texts, whole } from '../../schemas.ts';

const exec = closedOf({ cmd: text, dir: text, limit: whole }, ['cmd']);

const incomplete = missingAndUnknown;
const twice = `${incomplete}, additionalProperties`;
const open = objectOf({ cmd: text, n: whole }, ['cmd']);
const named = closedOf({ cmd: text, name: text, n: whole }, ['cmd']);
testRule('merge_envelope', {
  untouched: [
    [
      'a declared envelope',
      closedOf({ args: objectOf({}), cmd: text }),
      { args: { cmd: 'a' }, cmd: 'b' },
    ],
    [
      'an open object that takes both',
      objectOf({ cmd: text }),
      { arguments: { cmd: 'a' }, cmd: 'b' },
    ],
  ],
  repaired: [
    ['an empty one', named, { cmd: 'a', args: {} }, { cmd: 'a' }, 'drop_empty_key /args'],
    [
      'a name and more',
      named,
      { name: 'Bo', n: 1, args: { cmd: 'a' } },
      { cmd: 'a', name: 'Bo', n: 1 },
    ],
    ...['arguments', 'args', 'input', 'parameters', 'params', 'kwargs'].map(
      (key) =>
        [
          `under ${key}`,
          exec,
          { [key]: { cmd: 'ls' }, dir: 'a' },
          { cmd: 'ls', dir: 'a' },
        ] as const,
    ),
    [
      'a key in both, equal',
      exec,
      { limit: 5, args: { cmd: 'ls', limit: 5 } },
      { cmd: 'ls', limit: 5 },
    ],
    [
      'beside an action that is a member of an enum',
      closedOf({ action: { enum: ['find', 'add'] }, tags: texts }, ['action']),
      { action: 'find', params: { tags: ['a'] } },
      { action: 'find', tags: ['a'] },
    ],
  ],
  refused: [
    ['an undeclared key in it', open, { args: { cmd: 'ls', x: 5 }, n: 6 }, 'required'],
    ['a name alone', named, { name: 'Bo', args: { cmd: 'a' } }, incomplete],
    ['a key in both', exec, { args: { cmd: 'ls', limit: 5 }, limit: 6, dir: 'a' }, incomplete],
    ['an undeclared one beside it', exec, { args: { cmd: 'ls' }, x: 6 }, twice],
    ['two envelopes', exec, { args: { cmd: 'ls' }, input: { limit: 5 } }, twice],
    ['an empty object', exec, { args: {}, limit: 6 }, 'required'],
  ],
});
