import { missingAndUnknown, testRule } from '../rule-case.ts';
import { closedOf, objectOf, text, texts, whole } from '../../schemas.ts';

const exec = closedOf({ cmd: text, dir: text, limit: whole }, ['cmd']);

const incomplete = missingAndUnknown;
const twice = `${incomplete}, additionalProperties`;
testRule('merge_envelope', {
  untouched: [
    ['a declared envelope', closedOf({ args: objectOf({}), cmd: text }), { args: { cmd: 'a' }, cmd: 'b' }],
    ['an open object that takes both', objectOf({ cmd: text }), { arguments: { cmd: 'a' }, cmd: 'b' }],
  ],
  repaired: [
    ...['arguments', 'args', 'input', 'parameters', 'params', 'kwargs'].map(
      (key) => [`under ${key}`, exec, { [key]: { cmd: 'ls' }, limit: 5 }, { cmd: 'ls', limit: 5 }] as const,
    ),
    ['a key in both, equal', exec, { limit: 5, args: { cmd: 'ls', limit: 5 } }, { cmd: 'ls', limit: 5 }],
    [
      'beside an action that is a member of an enum',
      closedOf({ action: { enum: ['find', 'add'] }, tags: texts }, ['action']),
      { action: 'find', params: { tags: ['a'] } },
      { action: 'find', tags: ['a'] },
    ],
  ],
  refused: [
    ['a key in both with different values', exec, { args: { cmd: 'ls', limit: 5 }, limit: 6 }, incomplete],
    ['an undeclared key in it', exec, { args: { cmd: 'ls', x: 5 }, limit: 6 }, incomplete],
    ['an undeclared one beside it', exec, { args: { cmd: 'ls' }, x: 6 }, twice],
    ['two envelopes', exec, { args: { cmd: 'ls' }, input: { limit: 5 } }, twice],
    ['an empty object', exec, { args: {}, limit: 6 }, 'required'],
  ],
});
