// Is one call in markup read as its named parameters, each as the text that it is?
import { objectOf, text, texts, whole } from '../../repair/sample-schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule({
  schema: objectOf({ path: text, limit: whole, names: texts }, ['path']),
  untouched: [['markup inside a value', '{"path": "<parameter=path>b</parameter>"}']],
  repaired: [
    ['parameters alone', '<parameter=path>a</parameter>', { path: 'a' }, ['call_syntax']],
    ['named in quotes', '<parameter name="path">a</parameter>', { path: 'a' }, ['call_syntax']],
    [
      'in a function in a call',
      '<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>',
      { path: 'a', limit: 5 },
      ['call_syntax', 'text_to_integer'],
    ],
    [
      'read by the schema',
      '<parameter=path>a</parameter><parameter=names>["x"]</parameter>',
      { path: 'a', names: ['x'] },
      ['call_syntax', 'json_text_to_array'],
    ],
    [
      'lines and blanks of a value stay',
      '<parameter=path>\n  a\n\nb \n</parameter>',
      { path: '  a\n\nb ' },
      ['call_syntax'],
    ],
    [
      'what looks like JSON stays text',
      '<parameter=path>{"a": "\\n"}</parameter>',
      { path: '{"a": "\\n"}' },
      ['call_syntax'],
    ],
  ],
  refused: [
    ['words before', 'I read <parameter=path>a</parameter>', 'not_json'],
    ['words between', '<parameter=path>a</parameter> and <parameter=limit>5</parameter>', 'not_json'],
    ['a parameter twice', '<parameter=path>a</parameter><parameter=path>b</parameter>', 'not_json'],
    ['a parameter in a parameter', '<parameter=path><parameter=x>b</parameter></parameter>', 'not_json'],
    ['cut in a value', '<parameter=path>a', 'not_json'],
    ['cut in a wrapper', '<tool_call><function=read><parameter=path>a</parameter>', 'not_json'],
    ['a closing tag in a value', '<parameter=path>a</parameter>b</parameter>', 'not_json'],
    [
      'two calls',
      '<tool_call><parameter=path>a</parameter></tool_call><tool_call><parameter=path>a</parameter></tool_call>',
      'not_json',
    ],
    ['no parameters', '<tool_call></tool_call>', 'not_json'],
  ],
});
