import { interpretArguments } from 'toolmend';
import { flag, objectOf, text, texts, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('call_notation', {
  schema: objectOf({ path: text, limit: whole, names: texts }, ['path']),
  untouched: [['markup inside a value', '{"path": "<parameter=path>b</parameter>"}']],
  repaired: [
    [
      'keys and values in pairs',
      '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>limit</arg_key><arg_value>5</arg_value>\n</tool_call>',
      { path: 'a', limit: 5 },
      'call_notation, text_to_integer',
    ],
    [
      'with closing tags that nothing opened',
      '<parameter=path>\na </tool_call> b\n</parameter>\n</function>\n</tool_call>',
      { path: 'a </tool_call> b' },
    ],
    ['a surplus end', '<function=read><parameter=path>a</parameter></function></tool_call>', { path: 'a' }],
    ['in prefixed tags', '<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>', { path: 'a' }],
    [
      'with a call that is closed in a tag that is not',
      '<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>',
      { path: 'a' },
    ],
    [
      'with an invocation that is closed in a tag that is not',
      '<minimax:tool_call><invoke name="read"><parameter name="path">a</parameter></invoke>\n',
      { path: 'a' },
    ],
    ['parameters alone', '<parameter=path>a</parameter>', { path: 'a' }],
    ['named in quotes', '<parameter name="path">a</parameter>', { path: 'a' }],
    [
      'in a function in a call',
      '<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>',
      { path: 'a', limit: 5 },
      'call_notation, text_to_integer',
    ],
    [
      'read by the schema',
      '<parameter=path>a</parameter><parameter=names>["x"]</parameter>',
      { path: 'a', names: ['x'] },
      'call_notation, json_text_to_array',
    ],
    ['lines and blanks of a value stay', '<parameter=path>\n  a\n\nb \n</parameter>', { path: '  a\n\nb ' }],
    ['what looks like JSON stays text', '<parameter=path>{"a": "\\n"}</parameter>', { path: '{"a": "\\n"}' }],
    ['line breaks of Windows', '<parameter=path>\r\na\r\nb\r\n</parameter>\r\n', { path: 'a\r\nb' }],
    ['one line break beside a tag is its own', '<parameter=path>\n\na\n\n</parameter>', { path: '\na\n' }],
    ['a line break inside is its own', '<parameter=path>a\nb</parameter>', { path: 'a\nb' }],
    ['no text', '<parameter=path></parameter>', { path: '' }],
    ['blanks before a name in quotes', '<parameter\n  name="path">a</parameter>', { path: 'a' }],
    ['with another closing tag', '<tool_call><parameter=path>a</parameter></function>', { path: 'a' }],
    ...[
      ['<tool_call>', '</tool_call>'],
      ['<function=read.the-file_2>', '</function>'],
      ['<function_call>', '</function_call>'],
      ['<invoke name="read.the-file_2">', '</invoke>'],
      ['<invoke>', '</invoke>'],
      ['<function_calls>', '</function_calls>'],
      ['<tool_calls>', '</tool_calls>'],
      ['<invoke name="read">', '</invoke>'],
      ['<minimax:tool_call>', '</minimax:tool_call>'],
      ['<｜DSML｜invoke name="read">', '</｜DSML｜invoke>'],
      ['<tool_call><function_call><invoke>', '</invoke></function_call></tool_call>'],
    ].map(
      ([start, end]) =>
        [`in ${start}`, `\n${start} <parameter=path>a</parameter> ${end}\n`, { path: 'a' }] as const,
    ),
  ],
  refused: [
    ['a tag that is closed with another prefix', '<minimax:parameter name="path">a</parameter>'],
    ['a key without its value', '<tool_call>read<arg_key>path</arg_key></tool_call>'],
    ['a key in a value', '<arg_key>path</arg_key><arg_value>a<arg_key>b</arg_key></arg_value>'],
    ['a call that is not closed', '<tool_call><function=read><parameter=path>a</parameter>', 'truncated'],
    [
      'two calls in a tag that is not closed',
      '<tool_call><function=read><parameter=path>a</parameter></function><function=read><parameter=path>b</parameter></function>',
    ],
    ['an undeclared parameter', '<parameter=path>a</parameter><parameter=mode>b</parameter>'],
    ['a name that a call has not', '<tool_call=read><parameter=path>a</parameter></tool_call>'],
    ['a function of no name', '<function><parameter=path>a</parameter></function>'],
    ['a closing tag of no name', '<tool_call><parameter=path>a</parameter></>'],
    ['words before a wrapper', 'Now <tool_call><parameter=path>a</parameter></tool_call>'],
    ['words behind a wrapper', '<tool_call><parameter=path>a</parameter></tool_call> done'],
    ['words behind', '<parameter=path>a</parameter> done'],
    ['no name', '<parameter=>a</parameter>'],
    ['no name in quotes', '<parameter name="">a</parameter>'],
    ['a name that is markup', '<parameter=<path>>a</parameter>'],
    ['another tag', '<argument=path>a</argument>'],
    ['a tag that is not opened', 'path>a</parameter>'],
    ['words before', 'I read <parameter=path>a</parameter>'],
    ['words between', '<parameter=path>a</parameter> and <parameter=limit>5</parameter>'],
    ['a parameter twice', '<parameter=path>a</parameter><parameter=path>b</parameter>'],
    ['a parameter in a parameter', '<parameter=path><parameter=x>b</parameter></parameter>'],
    ['a parameter that isn’t closed before the next', '<parameter=path>a<parameter=limit>5</parameter>'],
    ['cut in a value', '<parameter=path>a'],
    ['a closing tag in a value', '<parameter=path>a</parameter>b</parameter>'],
    ['two calls', '<tool_call><parameter=path>a</parameter></tool_call>'.repeat(2)],
    ['no parameters', '<tool_call></tool_call>'],
  ],
});

describe('a call that ended normally', () => {
  testTextRule('call_notation', {
    schema: objectOf({ path: text, limit: whole }, ['path']),
    options: { finishReason: 'stop' },
    untouched: [['a call as it should be', '{"path": "a"}']],
    repaired: [
      ['a call without its closing tags', '<function=read><parameter=path>a</parameter>', { path: 'a' }],
      [
        'JSON without a closer',
        '<tool_call>\n{"path": "a"\n</tool_call>',
        { path: 'a' },
        'call_notation, readings',
      ],
    ],
    refused: [['a parameter that isn’t closed', '<function=read><parameter=path>a']],
  });
});

describe('a tool whose open schema would take the envelope as it is', () => {
  testTextRule('call_notation', {
    schema: objectOf({ query: text, limit: whole }),
    options: { tool: 'list' },
    untouched: [['an envelope as it is', '{"name": "list", "arguments": {"query": "a"}}']],
    repaired: [
      [
        'an envelope in tags',
        '<tool_call>{"name": "list", "arguments": {"query": "a"}}</tool_call>',
        { query: 'a' },
        'call_notation, unwrap_envelope',
      ],
      [
        'an envelope whose arguments are JSON text',
        '<tool_call>{"name": "list", "arguments": "{\\"query\\": \\"a\\"}"}</tool_call>',
        { query: 'a' },
        'call_notation, unwrap_envelope',
      ],
      ['a name alone', '<tool_call>{"name": "list"}</tool_call>', {}, 'call_notation, unwrap_envelope'],
      [
        'no arguments',
        '<tool_call>{"name": "list", "arguments": null}</tool_call>',
        {},
        'call_notation, unwrap_envelope',
      ],
      [
        'an envelope behind words',
        'Calling now: {"name": "list", "arguments": {"query": "a"}}',
        { query: 'a' },
        'surrounding_text, unwrap_envelope',
      ],
      [
        'in an array',
        '[{"name": "list", "args": {"limit": 1}}]',
        { limit: 1 },
        'single_root, unwrap_envelope',
      ],
      ['a name alone with other quotes', "{'name': 'list'}", { name: 'list' }, 'loose_json'],
    ],
    refused: [
      ['another tool', '<tool_call>{"name": "remove", "arguments": {"query": "a"}}</tool_call>'],
      ['another tool behind words', 'Now: {"name": "remove", "arguments": {"query": "a"}}'],
    ],
  });
});

describe('a tool that declares the keys of an envelope', () => {
  testTextRule('call_notation', {
    schema: objectOf({ tool: text, arguments: objectOf({}) }, ['tool', 'arguments']),
    options: { tool: 'composio' },
    untouched: [['its own arguments as they are', '{"tool": "X", "arguments": {"a": 1}}']],
    repaired: [
      [
        'its own',
        '<tool_call>{"tool": "X", "arguments": {"a": 1}}</tool_call>',
        { tool: 'X', arguments: { a: 1 } },
      ],
      [
        'an envelope around them',
        '<tool_call>{"name": "composio", "arguments": {"tool": "X", "arguments": {"a": 1}}}</tool_call>',
        { tool: 'X', arguments: { a: 1 } },
        'call_notation, unwrap_envelope',
      ],
    ],
    refused: [
      [
        'what may be either',
        '<tool_call>{"tool": "composio", "arguments": {"tool": "X", "arguments": {"a": 1}}}</tool_call>',
        'ambiguous',
      ],
    ],
  });
});

describe('raw text where a string and another type are declared', () => {
  const call = (raw: string): string => `<function=read><parameter=target>${raw}</parameter></function>`;
  const read = (target: object, raw: string, tool = 'read') =>
    interpretArguments(
      { type: 'object', properties: { target }, additionalProperties: false },
      { text: call(raw) },
      { tool },
    );
  const schemas: Readonly<Record<string, object>> = {
    'a list': { anyOf: [text, texts] },
    'a number, as a list of types': { type: ['string', 'integer'] },
    'a boolean': { anyOf: [text, flag] },
    null: { type: ['string', 'null'] },
    'an object': { anyOf: [text, { type: 'object' }] },
    anything: {},
    'elements of any type': { type: 'array' },
    'elements of two types': { type: 'array', items: { type: ['string', 'number'] } },
  };

  test.each([
    ['a list', '["a", "b"]'],
    ['a number, as a list of types', '5'],
    ['a boolean', 'True'],
    ['null', 'None'],
    ['an object', '{"a": 1}'],
    ['anything', '5'],
    ['elements of any type', '5'],
    ['elements of two types', '5'],
  ])('is refused beside %s if it is JSON of that type: %s', (kind, raw) => {
    expect(read(schemas[kind] ?? {}, raw)).toMatchObject({
      status: 'rejected',
      issues: [
        { keyword: 'ambiguous', path: '', advice: expect.stringContaining('"target" may be a string or ') },
      ],
    });
  });

  test.each([
    ['a list', '5'],
    ['a list', '[not a list'],
    ['a number, as a list of types', '["a"]'],
    ['anything', 'a b'],
  ])('is a string beside %s if it is not: %s', (kind, raw) => {
    expect(read(schemas[kind] ?? {}, raw)).toMatchObject({ status: 'repaired', value: { target: raw } });
  });

  test.each([
    '<｜DSML｜invoke name="read"><｜DSML｜parameter name="target" string="true">5</｜DSML｜parameter></｜DSML｜invoke>',
    '<|open|>call tool="read" index="1"<|sep|><|open|>argument key="target" type="string"<|sep|>5<|close|>argument<|sep|><|close|>call<|sep|>',
  ])('is a string if the markup says so: %s', (sent) => {
    const target = { type: ['string', 'integer'] };
    const declared = { type: 'object', properties: { target } };
    expect(interpretArguments(declared, { text: sent }, { tool: 'read' })).toMatchObject({
      value: { target: '5' },
    });
  });

  test('is refused if the tool takes any key', () => {
    const sent = (raw: string) =>
      interpretArguments({ type: 'object' }, { text: call(raw) }, { tool: 'read' });
    expect(sent('5').status).toBe('rejected');
    expect(sent('five')).toMatchObject({ value: { target: 'five' } });
  });

  test('is a string in an array of strings', () => {
    expect(read(texts, '5')).toMatchObject({ value: { target: ['5'] } });
  });

  test('is JSON if the string may not be that text', () => {
    const size = { anyOf: [{ enum: ['auto'] }, whole] };
    expect(read(size, '5')).toMatchObject({ value: { target: 5 } });
    expect(read(size, 'auto')).toMatchObject({ value: { target: 'auto' } });
  });
});

describe('a call in tags, of a tool that itself declares a name', () => {
  const named = (additionalProperties: boolean) => ({
    type: 'object',
    properties: { name: text, x: whole },
    required: ['name'],
    additionalProperties,
  });
  const inTags = (json: string): string => `<tool_call>${json}</tool_call>`;

  test('is refused if its name is the tool’s and an open schema would take the call as arguments', () => {
    for (const sent of [
      '{"name": "read", "arguments": {"x": 1}}',
      '{"name": "read", "arguments": {"x": 1,}}',
      '{"name": "read", "arguments": {"x": 1]}',
      '{"name": "read", "arguments": {"name": "a", "x": "1"}}',
    ])
      expect(interpretArguments(named(true), { text: inTags(sent) }, { tool: 'read' }).status).toBe(
        'rejected',
      );
  });

  test('is opened if the schema is closed', () => {
    const sent = inTags('{"name": "read", "arguments": {"name": "a", "x": "1"}}');
    expect(interpretArguments(named(false), { text: sent }, { tool: 'read' })).toMatchObject({
      value: { name: 'a', x: 1 },
    });
  });
});
