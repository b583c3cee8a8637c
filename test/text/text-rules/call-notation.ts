import { interpretArguments } from 'toolmend';
import { objectOf, type Schema, text, texts, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('call_notation', {
  schema: objectOf({ path: text, limit: whole, names: texts }, ['path']),
  untouched: [
    { title: 'markup inside a value', text: '{"path": "<parameter=path>b</parameter>"}' },
  ],
  repaired: [
    {
      title: 'closed twice',
      text: '<parameter=path>a </call> b</parameter></function>\n</call>',
      becomes: { path: 'a </call> b' },
    },
    {
      title: 'named in quotes',
      text: '<parameter name="path">a</parameter>',
      becomes: { path: 'a' },
    },
    { title: 'no text', text: '<parameter=path></parameter>', becomes: { path: '' } },
    {
      title: 'blanks before a name in quotes',
      text: '<parameter\n  name="path">a</parameter>',
      becomes: { path: 'a' },
    },
    {
      title: 'with another closing tag',
      text: '<tool_call><parameter=path>a</parameter></function>',
      becomes: { path: 'a' },
    },
    {
      title: 'in a function',
      text: '\n<function=a.b-c_2> <parameter=path>a</parameter> </function>\n',
      becomes: { path: 'a' },
    },
    {
      title: 'in a tag',
      text: '<function>\n<parameter=path>a</parameter>\n</function>',
      becomes: { path: 'a' },
    },
    {
      title: 'in three',
      text: '<tool_call><call><invoke><parameter=path>a</parameter></invoke></call>',
      becomes: { path: 'a' },
    },
    {
      title: 'line breaks of Windows',
      text: '<parameter=path>\r\na\r\nb\r\n</parameter>\r\n',
      becomes: { path: 'a\r\nb' },
    },
  ],
  refused: [
    {
      title: 'a tag that is closed with another prefix',
      text: '<minimax:parameter name="path">a</parameter>',
    },
    {
      title: 'a tag that is not closed',
      text: '<tool_call><parameter=path>a</parameter>',
      issue: 'truncated',
    },
    {
      title: 'an open function',
      text: '<function=read><parameter=path>a</parameter>',
      issue: { advice: 'close every tag' },
    },
    {
      title: 'an undeclared key',
      text: '<parameter=evil>b</parameter>',
      issue: { advice: 'evil is not a parameter' },
    },
    {
      title: 'a name that a call has not',
      text: '<tool_call=read><parameter=path>a</parameter></tool_call>',
    },
    { title: 'a closing tag of no name', text: '<tool_call><parameter=path>a</parameter></>' },
    {
      title: 'words behind a wrapper',
      text: '<tool_call><parameter=path>a</parameter></tool_call> done',
    },
    { title: 'no name', text: '<parameter=>a</parameter>' },
    { title: 'no name in quotes', text: '<parameter name="">a</parameter>' },
    { title: 'a name that is markup', text: '<parameter=<path>>a</parameter>' },
    { title: 'another tag', text: '<argument=path>a</argument>' },
    { title: 'a tag that is not opened', text: 'path>a</parameter>' },
    { title: 'words before', text: 'I read <parameter=path>a</parameter>' },
    { title: 'no parameters', text: '<tool_call></tool_call>' },
  ],
});

describe('a call that ended normally', () => {
  testTextRule('call_notation', {
    schema: objectOf({ path: text, limit: whole }, ['path']),
    options: { finishReason: 'stop' },
    untouched: [{ title: 'a call as it should be', text: '{"path": "a"}' }],
    repaired: [
      {
        title: 'a call without its closing tags',
        text: '<function=read><parameter=path>a</parameter>',
        becomes: { path: 'a' },
      },
      {
        title: 'no closer',
        text: '<tool_call>\n{"path": "a"\n</tool_call>',
        becomes: { path: 'a' },
        rules: ['call_notation', 'broken_json'],
      },
    ],
    refused: [{ title: 'a parameter that isn’t closed', text: '<function=read><parameter=path>a' }],
  });
});

describe('a tool whose open schema would take the envelope as it is', () => {
  const envelope = '{"name": "list", "arguments": {"query": "a"}}';
  const query = { query: 'a' };
  const opened = ['call_notation', 'unwrap_envelope'];
  const asText = '{"name": "list", "arguments": "{\\"query\\": \\"a\\"}"}';
  testTextRule('call_notation', {
    schema: objectOf({ query: text, limit: whole }),
    options: { tool: 'list' },
    untouched: [{ title: 'an envelope as it is', text: envelope }],
    repaired: [
      {
        title: 'an envelope in tags',
        text: `<tool_call>${envelope}</tool_call>`,
        becomes: query,
        rules: opened,
      },
      {
        title: 'an envelope whose arguments are JSON text',
        text: `<tool_call>${asText}</tool_call>`,
        becomes: query,
        rules: opened,
      },
      {
        title: 'a name alone',
        text: '<tool_call>{"name": "list"}</tool_call>',
        becomes: {},
        rules: opened,
      },
      {
        title: 'no arguments',
        text: '<tool_call>{"name": "list", "args": null}</tool_call>',
        becomes: {},
        rules: opened,
      },
      {
        title: 'no envelope',
        text: '<tool_call>{"tool": "list", "args": 5}</tool_call>',
        becomes: { tool: 'list', args: 5 },
      },
      {
        title: 'an envelope behind words',
        text: `Now: ${envelope}`,
        becomes: query,
        rules: ['surrounding_text', 'unwrap_envelope'],
      },
      {
        title: 'in an array',
        text: `[${envelope}]`,
        becomes: query,
        rules: ['single_root', 'unwrap_envelope'],
      },
      {
        title: 'a name alone with other quotes',
        text: "{'name': 'list'}",
        becomes: { name: 'list' },
        rules: 'loose_json',
      },
    ],
    refused: [
      {
        title: 'another tool',
        text: '<tool_call>{"name": "remove", "arguments": {"query": "a"}}</tool_call>',
      },
      { title: 'a name without arguments', text: '[TOOL_CALLS]list[ARGS]' },
      { title: 'a name before a closing tag', text: 'list</tool_call>' },
      {
        title: 'arguments in an array',
        text: '<tool_call>{"name": "remove", "arguments": [{"query": "a"}]}</tool_call>',
      },
      {
        title: 'another key',
        text: `<tool_call>${envelope.replace('}}', '}, "why": "b"}')}</tool_call>`,
      },
      {
        title: 'another tool behind words',
        text: 'Now: {"name": "remove", "arguments": {"query": "a"}}',
      },
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
    untouched: [{ title: 'its own arguments as they are', text: sent }],
    repaired: [
      { title: 'its own', text: `<tool_call>${sent}</tool_call>`, becomes: its },
      {
        title: 'an envelope around',
        text: `<tool_call>${around}</tool_call>`,
        becomes: its,
        rules: ['call_notation', 'unwrap_envelope'],
      },
    ],
    refused: [
      {
        title: 'either',
        text: `<tool_call>${around.replace('name', 'tool')}</tool_call>`,
        issue: 'ambiguous',
      },
    ],
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
