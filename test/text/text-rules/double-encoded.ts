import { objectOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const encoded = (value: unknown, times: number): string =>
  times === 0 ? JSON.stringify(value) : JSON.stringify(encoded(value, times - 1));

testTextRule('double_encoded', {
  schema: objectOf({ path: text }),
  untouched: [
    { title: 'a string inside is what it is', text: '{"path": "{\\"path\\": \\"b\\"}"}' },
  ],
  repaired: [
    { title: 'once', text: encoded({ path: 'a' }, 1), becomes: { path: 'a' } },
    {
      title: 'twice',
      text: encoded({ path: 'a' }, 2),
      becomes: { path: 'a' },
      rules: ['double_encoded', 'double_encoded'],
    },
    {
      title: 'three times',
      text: encoded({}, 3),
      becomes: {},
      rules: ['double_encoded', 'double_encoded', 'double_encoded'],
    },
    {
      title: 'blanks around a string inside',
      text: `" \\n\\"{}\\" "`,
      becomes: {},
      rules: ['double_encoded', 'double_encoded'],
    },
  ],
  refused: [
    { title: 'four times', text: encoded({ path: 'a' }, 4), issue: 'type' },
    { title: 'a list inside', text: encoded(['a'], 1), issue: 'type' },
    {
      title: 'an object among words inside',
      text: JSON.stringify('So: {"path": "a"}'),
      issue: 'type',
    },
    { title: 'a list of the string', text: JSON.stringify(['{"path": "a"}']), issue: 'type' },
    { title: 'words inside', text: '"read a"', issue: 'type' },
    { title: 'an object that was cut inside', text: '"{\\"path\\": \\"a"', issue: 'type' },
    { title: 'the string itself was cut', text: '"{\\"path\\": \\"a\\"}', issue: 'truncated' },
    {
      title: 'keys that came twice inside',
      text: '"{\\"path\\": \\"a\\", \\"path\\": \\"b\\"}"',
      issue: 'duplicate_key',
    },
  ],
});
