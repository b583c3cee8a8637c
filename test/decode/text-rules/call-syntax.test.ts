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
    [
      'line breaks of Windows',
      '<parameter=path>\r\na\r\nb\r\n</parameter>\r\n',
      { path: 'a\r\nb' },
      ['call_syntax'],
    ],
    [
      'only one line break beside a tag is its own',
      '<parameter=path>\n\na\n\n</parameter>',
      { path: '\na\n' },
      ['call_syntax'],
    ],
    ['a line break inside is its own', '<parameter=path>a\nb</parameter>', { path: 'a\nb' }, ['call_syntax']],
    ['no text', '<parameter=path></parameter>', { path: '' }, ['call_syntax']],
    [
      'blanks before a name in quotes',
      '<parameter\n  name="path">a</parameter>',
      { path: 'a' },
      ['call_syntax'],
    ],
    [
      'a name with blanks',
      '<parameter name="path">a</parameter><parameter name="at all">b</parameter>',
      { path: 'a', 'at all': 'b' },
      ['call_syntax'],
    ],
    ...[
      ['<tool_call>', '</tool_call>'],
      ['<function=read.the-file_2>', '</function>'],
      ['<function_call>', '</function_call>'],
      ['<invoke name="read.the-file_2">', '</invoke>'],
      ['<invoke>', '</invoke>'],
      ['<tool_call><function_call><invoke>', '</invoke></function_call></tool_call>'],
    ].map(
      ([start, end]) =>
        [
          `in ${start}`,
          `\n${start} <parameter=path>a</parameter> ${end}\n`,
          { path: 'a' },
          ['call_syntax'],
        ] as const,
    ),
  ],
  refused: [
    ['a closing tag of something else', '<tool_call><parameter=path>a</parameter></function>', 'not_json'],
    ['a name that a call has not', '<tool_call=read><parameter=path>a</parameter></tool_call>', 'not_json'],
    ['a function of no name', '<function><parameter=path>a</parameter></function>', 'not_json'],
    ['a closing tag of no name', '<tool_call><parameter=path>a</parameter></>', 'not_json'],
    [
      'four wrappers',
      '<tool_call><tool_call><tool_call><tool_call><parameter=path>a</parameter></tool_call></tool_call></tool_call></tool_call>',
      'not_json',
    ],
    ['words before a wrapper', 'Now <tool_call><parameter=path>a</parameter></tool_call>', 'not_json'],
    ['words behind a wrapper', '<tool_call><parameter=path>a</parameter></tool_call> done', 'not_json'],
    ['words behind', '<parameter=path>a</parameter> done', 'not_json'],
    ['no name', '<parameter=>a</parameter>', 'not_json'],
    ['no name in quotes', '<parameter name="">a</parameter>', 'not_json'],
    ['a name that is markup', '<parameter=<path>>a</parameter>', 'not_json'],
    ['another tag', '<argument=path>a</argument>', 'not_json'],
    ['a tag that is not opened', 'path>a</parameter>', 'not_json'],
    ['words before', 'I read <parameter=path>a</parameter>', 'not_json'],
    ['words between', '<parameter=path>a</parameter> and <parameter=limit>5</parameter>', 'not_json'],
    ['a parameter twice', '<parameter=path>a</parameter><parameter=path>b</parameter>', 'not_json'],
    ['a parameter in a parameter', '<parameter=path><parameter=x>b</parameter></parameter>', 'not_json'],
    [
      'a parameter that isn’t closed before the next',
      '<parameter=path>a<parameter=limit>5</parameter>',
      'not_json',
    ],
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
