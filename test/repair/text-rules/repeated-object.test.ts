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
    ['as models write it', "{'path': 'a'}{'path': 'a'}", { path: 'a' }],
    ['an empty object before one that models write', "{}{path: 'a',}", { path: 'a' }],
    ['an empty one before a surplus closer', '{} {"path": "a"}}', { path: 'a' }, 'repeated_object, readings'],
    ['an empty object behind it', '{"path": "a"}{}', { path: 'a' }],
    ['empty quotes behind it', '{"path": "a"}""', { path: 'a' }],
    ['a token and a closer behind it', '{"path": "a"}<|im_end|>}', { path: 'a' }],
    ['a closer behind a fence', '```json\n{"path": "a"}\n```}', { path: 'a' }, 'repeated_object, code_fence'],
    ['a closer behind text', '"{\\"path\\": \\"a\\"}"}', { path: 'a' }, 'repeated_object, double_encoded'],
    ['a stream that started again', '{"path": "ab{"path": "ab", "n": 1}', { path: 'ab', n: 1 }],
    ['an empty one before a list of one', '{}[{"path": "a"}]', { path: 'a' }, 'repeated_object, single_root'],
  ],
  refused: [
    ['the same in two spellings', `{'path': 'a'}{"path": "a"}`],
    ['an empty object before a list of two', '{}[{"path": "a"}, {"path": "b"}]'],
    ['a key twice inside', `{'path': 'a', 'path': 'b'}`.repeat(2), 'duplicate_key'],
    ['empty objects alone where something is required', '{}{}', 'required'],
    ['different objects', '{"path": "a"}{"path": "b"}'],
    ['different digits', '{"path": "a", "n": 12345678901234567890}{"path": "a", "n": 12345678901234567891}'],
    ['an empty object before two different ones', '{}{"path": "a"}{"path": "b"}'],
    ['another beginning before it', '{"path": "b{"path": "ab"}'],
    ['a beginning that may hold it', '{"n": {"n": {"path": "a"}}', 'truncated'],
    ['a second one that was cut', '{"path": "a"}{"path": "a'],
    ['a comma between', '{"path": "a"},{"path": "a"}'],
    ['words between', '{"path": "a"} or {"path": "a"}'],
    ['a list behind it', '{"path": "a"}[]'],
  ],
});
