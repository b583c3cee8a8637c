import { objectOf, text, texts } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('single_root', {
  schema: objectOf({ path: text, ids: texts }, ['path']),
  untouched: [['a list inside', '{"path": "a", "ids": ["x"]}']],
  repaired: [
    ['one object', '[{"path": "a"}]', { path: 'a' }],
    ['blanks around', ' [ {"path": "a"} ] \n', { path: 'a' }],
    [
      'digits',
      '[{"path": "", "ids": [1.50]}]',
      { path: '', ids: ['1.50'] },
      'single_root, literal_to_text',
    ],
  ],
  refused: [
    ['two objects', '[{"path": "a"}, {"path": "b"}]', 'type'],
    ['the same object twice', '[{"path": "a"}, {"path": "a"}]', 'type'],
    ['none', '[]', 'type'],
    ['text', '["a"]', 'type'],
    ['a list in a list', '[[{"path": "a"}]]', 'type'],
  ],
});
