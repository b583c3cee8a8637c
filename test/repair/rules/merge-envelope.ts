import { missingAndUnknown, testRule } from '../rule-case.ts';
import { closedOf, objectOf, text, texts, whole } from '../../schemas.ts';

const exec = closedOf({ cmd: text, dir: text, limit: whole }, ['cmd']);

const incomplete = missingAndUnknown;
const twice = [...incomplete, 'additionalProperties'];
const open = objectOf({ cmd: text, n: whole }, ['cmd']);
const named = closedOf({ cmd: text, name: text, n: whole }, ['cmd']);
testRule('merge_envelope', {
  untouched: [
    {
      title: 'a declared envelope',
      schema: closedOf({ args: objectOf({}), cmd: text }),
      value: { args: { cmd: 'a' }, cmd: 'b' },
    },
    {
      title: 'an open object that takes both',
      schema: objectOf({ cmd: text }),
      value: { arguments: { cmd: 'a' }, cmd: 'b' },
    },
  ],
  repaired: [
    {
      title: 'an empty one',
      schema: named,
      sent: { cmd: 'a', args: {} },
      becomes: { cmd: 'a' },
      repairs: 'drop_empty_key /args',
    },
    {
      title: 'a name and more',
      schema: named,
      sent: { name: 'Bo', n: 1, args: { cmd: 'a' } },
      becomes: { cmd: 'a', name: 'Bo', n: 1 },
    },
    ...['arguments', 'args', 'input', 'parameters', 'params', 'kwargs'].map((key) => ({
      title: `under ${key}`,
      schema: exec,
      sent: { [key]: { cmd: 'ls' }, dir: 'a' },
      becomes: { cmd: 'ls', dir: 'a' },
    })),
    {
      title: 'a key in both, equal',
      schema: exec,
      sent: { limit: 5, args: { cmd: 'ls', limit: 5 } },
      becomes: { cmd: 'ls', limit: 5 },
    },
    {
      title: 'beside an action that is a member of an enum',
      schema: closedOf({ action: { enum: ['find', 'add'] }, tags: texts }, ['action']),
      sent: { action: 'find', params: { tags: ['a'] } },
      becomes: { action: 'find', tags: ['a'] },
    },
  ],
  refused: [
    {
      title: 'an undeclared key in it',
      schema: open,
      sent: { args: { cmd: 'ls', x: 5 }, n: 6 },
      issues: 'required',
    },
    {
      title: 'a name alone',
      schema: named,
      sent: { name: 'Bo', args: { cmd: 'a' } },
      issues: incomplete,
    },
    {
      title: 'a key in both',
      schema: exec,
      sent: { args: { cmd: 'ls', limit: 5 }, limit: 6, dir: 'a' },
      issues: incomplete,
    },
    {
      title: 'an undeclared one beside it',
      schema: exec,
      sent: { args: { cmd: 'ls' }, x: 6 },
      issues: twice,
    },
    {
      title: 'two envelopes',
      schema: exec,
      sent: { args: { cmd: 'ls' }, input: { limit: 5 } },
      issues: twice,
    },
    { title: 'an empty object', schema: exec, sent: { args: {}, limit: 6 }, issues: 'required' },
  ],
});
