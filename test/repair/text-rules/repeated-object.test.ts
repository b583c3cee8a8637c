import { objectOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('repeated_object', {
  schema: objectOf({ path: text, n: {} }, ['path']),
  untouched: [['once', '{"path": "a"}']],
  repaired: [
    ['twice', '{"path": "a"}{"path": "a"}', { path: 'a' }],
    ['three times, set apart', '{"path": "a"}\n{"path": "a"} {"path": "a"}', { path: 'a' }],
    ['blanks before the first', '\n {"path": "a"}{"path": "a"}', { path: 'a' }],
    ['empty objects before it', '{}{ }\n{"path": "a"}\n', { path: 'a' }],
    ['an empty object before it', '{}{"path": "a"}', { path: 'a' }],
  ],
  refused: [
    ['the same in two spellings', `{'path': 'a'}{"path": "a"}`],
    ['an empty object before a list of two', '{}[{"path": "a"}, {"path": "b"}]'],
    ['a key twice inside', `{'path': 'a', 'path': 'b'}`.repeat(2), 'duplicate_key'],
    ['empty objects alone where something is required', '{}{}', 'required'],
    ['different objects', '{"path": "a"}{"path": "b"}'],
    ['a beginning that may hold it', '{"n": {"n": {"path": "a"}}', 'truncated'],
  ],
});
