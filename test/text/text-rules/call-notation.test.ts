import { interpretArguments } from 'toolmend';
import { objectOf, type Schema, text, texts, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('call_notation', {
  schema: objectOf({ path: text, limit: whole, names: texts }, ['path']),
  untouched: [['markup inside a value', '{"path": "<parameter=path>b</parameter>"}']],
  repaired: [
    [
      'closed twice',
      '<parameter=path>a </call> b</parameter></function>\n</call>',
      { path: 'a </call> b' },
    ],
    ['named in quotes', '<parameter name="path">a</parameter>', { path: 'a' }],
    ['no text', '<parameter=path></parameter>', { path: '' }],
    ['blanks before a name in quotes', '<parameter\n  name="path">a</parameter>', { path: 'a' }],
    [
      'with another closing tag',
      '<tool_call><parameter=path>a</parameter></function>',
      { path: 'a' },
    ],
    [
      'in a function',
      '\n<function=a.b-c_2> <parameter=path>a</parameter> </function>\n',
      { path: 'a' },
    ],
    ['in a tag', '<function>\n<parameter=path>a</parameter>\n</function>', { path: 'a' }],
    [
      'in three',
      '<tool_call><call><invoke><parameter=path>a</parameter></invoke></call>',
      { path: 'a' },
    ],
    [
      'line breaks of Windows',
      '<parameter=path>\r\na\r\nb\r\n</parameter>\r\n',
      { path: 'a\r\nb' },
    ],
  ],
  refused: [
    ['a tag that is closed with another prefix', '<minimax:parameter name="path">a</parameter>'],
    ['a tag that is not closed', '<tool_call><parameter=path>a</parameter>', 'truncated'],
    [
      'an open function',
      '<function=read><parameter=path>a</parameter>',
      { advice: 'close every tag' },
    ],
    ['an undeclared key', '<parameter=evil>b</parameter>', { advice: 'evil is not a parameter' }],
    ['a name that a call has not', '<tool_call=read><parameter=path>a</parameter></tool_call>'],
    ['a closing tag of no name', '<tool_call><parameter=path>a</parameter></>'],
    ['words behind a wrapper', '<tool_call><parameter=path>a</parameter></tool_call> done'],
    ['no name', '<parameter=>a</parameter>'],
    ['no name in quotes', '<parameter name="">a</parameter>'],
    ['a name that is markup', '<parameter=<path>>a</parameter>'],
    ['another tag', '<argument=path>a</argument>'],
    ['a tag that is not opened', 'path>a</parameter>'],
    ['words before', 'I read <parameter=path>a</parameter>'],
    ['no parameters', '<tool_call></tool_call>'],
  ],
});

describe('a call that ended normally', () => {
  testTextRule('call_notation', {
    schema: objectOf({ path: text, limit: whole }, ['path']),
    options: { finishReason: 'stop' },
    untouched: [['a call as it should be', '{"path": "a"}']],
    repaired: [
      [
        'a call without its closing tags',
        '<function=read><parameter=path>a</parameter>',
        { path: 'a' },
      ],
      [
        'no closer',
        '<tool_call>\n{"path": "a"\n</tool_call>',
        { path: 'a' },
        'call_notation, broken_json',
      ],
    ],
    refused: [['a parameter that isn’t closed', '<function=read><parameter=path>a']],
  });
});

describe('a tool whose open schema would take the envelope as it is', () => {
  const envelope = '{"name": "list", "arguments": {"query": "a"}}';
  const query = { query: 'a' };
  const opened = 'call_notation, unwrap_envelope';
  const asText = '{"name": "list", "arguments": "{\\"query\\": \\"a\\"}"}';
  testTextRule('call_notation', {
    schema: objectOf({ query: text, limit: whole }),
    options: { tool: 'list' },
    untouched: [['an envelope as it is', envelope]],
    repaired: [
      ['an envelope in tags', `<tool_call>${envelope}</tool_call>`, query, opened],
      [
        'an envelope whose arguments are JSON text',
        `<tool_call>${asText}</tool_call>`,
        query,
        opened,
      ],
      ['a name alone', '<tool_call>{"name": "list"}</tool_call>', {}, opened],
      ['no arguments', '<tool_call>{"name": "list", "args": null}</tool_call>', {}, opened],
      [
        'no envelope',
        '<tool_call>{"tool": "list", "args": 5}</tool_call>',
        { tool: 'list', args: 5 },
      ],
      ['an envelope behind words', `Now: ${envelope}`, query, 'surrounding_text, unwrap_envelope'],
      ['in an array', `[${envelope}]`, query, 'single_root, unwrap_envelope'],
      ['a name alone with other quotes', "{'name': 'list'}", { name: 'list' }, 'loose_json'],
    ],
    refused: [
      ['another tool', '<tool_call>{"name": "remove", "arguments": {"query": "a"}}</tool_call>'],
      ['a name without arguments', '[TOOL_CALLS]list[ARGS]'],
      ['a name before a closing tag', 'list</tool_call>'],
      [
        'arguments in an array',
        '<tool_call>{"name": "remove", "arguments": [{"query": "a"}]}</tool_call>',
      ],
      ['another key', `<tool_call>${envelope.replace('}}', '}, "why": "b"}')}</tool_call>`],
      ['another tool behind words', 'Now: {"name": "remove", "arguments": {"query": "a"}}'],
    ],
  });
});

describe('a tool that declares the keys of an envelope', () => {
  const its = { tool: 'X', arguments: { a: 1 } };
  const sent = JSON.stringify(its);
  const around = `{"name": "composio", "arguments": ${sent}}`;
  testTextRule('call_notation', {
    schema: objectOf({ tool: text, arguments: objectOf({}) }, ['tool', 'arguments']),
    options: { tool: 'composio' },
    untouched: [['its own arguments as they are', sent]],
    repaired: [
      ['its own', `<tool_call>${sent}</tool_call>`, its],
      [
        'an envelope around',
        `<tool_call>${around}</tool_call>`,
        its,
        'call_notation, unwrap_envelope',
      ],
    ],
    refused: [['either', `<tool_call>${around.replace('name', 'tool')}</tool_call>`, 'ambiguous']],
  });
});

test('a call in tags may be arguments of a tool that declares a name, if its schema is open', () => {
  const open = objectOf({ name: text, x: whole }, ['name']);
  const read = (schema: Schema, sent: string) =>
    interpretArguments(
      schema,
      { text: `<call>{"name": "read", "arguments": ${sent}</call>` },
      { tool: 'read' },
    );
  for (const sent of ['{"name": "a", "x": "1"}}', '{"x": 1,}}', '{"x": 1]}'])
    expect(read(open, sent).status).toBe('rejected');
  const closed = { ...open, additionalProperties: false };
  expect(read(closed, '{"name": "a", "x": "1"}}')).toMatchObject({ value: { name: 'a', x: 1 } });
});
