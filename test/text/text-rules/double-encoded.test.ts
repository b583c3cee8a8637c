import { objectOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const encoded = (value: unknown, times: number): string =>
  times === 0 ? JSON.stringify(value) : JSON.stringify(encoded(value, times - 1));

testTextRule('double_encoded', {
  schema: objectOf({ path: text }),
  untouched: [['a string inside is what it is', '{"path": "{\\"path\\": \\"b\\"}"}']],
  repaired: [
    ['once', encoded({ path: 'a' }, 1), { path: 'a' }],
    ['twice', encoded({ path: 'a' }, 2), { path: 'a' }, 'double_encoded, double_encoded'],
    ['three times', encoded({}, 3), {}, 'double_encoded, double_encoded, double_encoded'],
    ['blanks around a string inside', `" \\n\\"{}\\" "`, {}, 'double_encoded, double_encoded'],
  ],
  refused: [
    ['four times', encoded({ path: 'a' }, 4), 'type'],
    ['a list inside', encoded(['a'], 1), 'type'],
    ['an object among words inside', JSON.stringify('So: {"path": "a"}'), 'type'],
    ['a list of the string', JSON.stringify(['{"path": "a"}']), 'type'],
    ['words inside', '"read a"', 'type'],
    ['an object that was cut inside', '"{\\"path\\": \\"a"', 'type'],
    ['the string itself was cut', '"{\\"path\\": \\"a\\"}', 'truncated'],
    [
      'keys that came twice inside',
      '"{\\"path\\": \\"a\\", \\"path\\": \\"b\\"}"',
      'duplicate_key',
    ],
  ],
});
