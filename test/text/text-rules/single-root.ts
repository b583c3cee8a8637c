import { objectOf, text, texts } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('single_root', {
  schema: objectOf({ path: text, ids: texts }, ['path']),
  untouched: [{ title: 'a list inside', text: '{"path": "a", "ids": ["x"]}' }],
  repaired: [
    { title: 'one object', text: '[{"path": "a"}]', becomes: { path: 'a' } },
    { title: 'blanks around', text: ' [ {"path": "a"} ] \n', becomes: { path: 'a' } },
    {
      title: 'digits',
      text: '[{"path": "", "ids": [1.50]}]',
      becomes: { path: '', ids: ['1.50'] },
      rules: ['single_root', 'literal_to_text'],
    },
  ],
  refused: [
    { title: 'two objects', text: '[{"path": "a"}, {"path": "b"}]', issue: 'type' },
    { title: 'the same object twice', text: '[{"path": "a"}, {"path": "a"}]', issue: 'type' },
    { title: 'none', text: '[]', issue: 'type' },
    { title: 'text', text: '["a"]', issue: 'type' },
    { title: 'a list in a list', text: '[[{"path": "a"}]]', issue: 'type' },
  ],
});
