import { closedOf, listOf, objectOf, text, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('surrounding_text', {
  schema: objectOf({ path: text }, ['path']),
  untouched: [['words and braces inside a value', '{"path": "see {a} and <b>"}']],
  repaired: [
    ['words before', 'Here are the arguments: {"path": "a"}', { path: 'a' }],
    ['words behind', '{"path": "a"} Done.\n', { path: 'a' }],
    ['tokens behind', '{"path": "a"} [END] <|im_end|>', { path: 'a' }],
    ['reasoning tags', '<think>I read it.</think>\n{"path": "a"}', { path: 'a' }],
    ['reasoning in another case', '<Think>So.</THINK>\n{"path": "a"}', { path: 'a' }],
    ['what is said in reasoning', '<think>path = b ...</think>\n{"path": "a"}', { path: 'a' }],
    ['reasoning behind', '{"path": "a"}\n<think>So.</think>', { path: 'a' }],
    ['reasoning in tokens behind', '{"path": "a"}\n[THINK]So.[/THINK]', { path: 'a' }],
    ['control tokens', '<|assistant|>{"path": "a"}<|im_end|>', { path: 'a' }],
    ['tags in brackets', '[TOOL_CALL]{"path": "a"}[/TOOL_CALL]', { path: 'a' }],
    ['a closing tag and words', '{"path": "a"}</tool_call> Done.', { path: 'a' }],
    ['words in parentheses', 'Note(as said): {"path": "a"}', { path: 'a' }],
    ['a sentence before', 'The path to read: {"path": "a"}', { path: 'a' }],
    ['a link behind', '{"path": "a"} [see](x)', { path: 'a' }],
    ['a heading before', '# Call\n{"path": "a"}\n\nDone.', { path: 'a' }],
    ['a block comment that has ended', '/* as\nsaid */\n{"path": "a"} so', { path: 'a' }],
    ['a star in a sentence', 'Read src/*: {"path": "a"}', { path: 'a' }],
    ['a comment on a line of its own', '// as said\n{"path": "a"} so', { path: 'a' }],
    ['a heading behind', 'So: {"path": "a"}\n# Done', { path: 'a' }],
    ['an address before', 'As in http://x.org/#b\n{"path": "a"}', { path: 'a' }],
    ['an address on its line', 'See http://x.org/a: {"path": "a"}', { path: 'a' }],
    ['blanks before it on its line', 'As said\n  {"path": "a"} so', { path: 'a' }],
    ['an object that is loosely written', "Now: {path: 'a',} so", { path: 'a' }],
    ['a comment of HTML before', '<!-- so -->{"path": "a"}', { path: 'a' }],
    ['a turn of the assistant', '<|im_start|>assistant\n{"path": "a"}<|im_end|>', { path: 'a' }],
    [
      'a turn of the user that has ended',
      '<|im_start|>user\nRead.<|im_end|>\n{"path": "a"}',
      { path: 'a' },
    ],
    ['reasoning in tokens that has ended', '◁think▷so◁/think▷{"path": "a"}', { path: 'a' }],
    ['a tag that has ended', '<b>So</b>\n{"path": "a"}', { path: 'a' }],
    ['a tag that is not closed in HTML', 'So:<br>{"path": "a"}', { path: 'a' }],
    ['words around a list of one', 'Now: [ {"path": "a"} , ] so', { path: 'a' }],
    ['a list of one before words', 'Now: [{"path": "a"}] so', { path: 'a' }],
    ['a surplus bracket before a token', 'Now: {"path": "a"}]<|im_end|>', { path: 'a' }],
    ['a surplus bracket at the end', 'Now: {"path": "a"} ]', { path: 'a' }],
    ['a surplus closer at the end', 'Now: {"path": "a"}}', { path: 'a' }],
    [
      'a closer in a fence',
      'Now:\n```json\n{"path": "a"}}\n```',
      { path: 'a' },
      'code_fence, broken_json',
    ],
    [
      'a token behind a list',
      '[{"path": "a"}] <|im_end|>\n',
      { path: 'a' },
      'surrounding_text, single_root',
    ],
    ['an object with a quote in a text', "Now: {path: 'it's'}", { path: "it's" }],
    ['an object without a comma', 'Now: {"path" "a"} so', { path: 'a' }],
    ['braces inside its strings', 'Now: {"path": "a{b}c"}', { path: 'a{b}c' }],
  ],
  refused: [
    ...['// ', '# ', '/* ', '  /* old:\n', 'As said:\n  // '].map(
      (start) => [`commented out by ${JSON.stringify(start)}`, `${start}{"path": "a"}`] as const,
    ),
    ['a quote before', '"{"path": "a"} and'],
    ['a single quote before', '\'{"path": "a"} and', 'truncated'],
    ['a backslash before', '\\{"path": "a"} and'],
    ['a comma before', '1, {"path": "a"} and'],
    ['a key in single quotes before', '\'to\' : {"path": "a"} and'],
    ['a list with blanks before', '[ ] {"path": "a"}'],
    ['a key in a schema before', '$to_2 : {"path": "a"} and'],
    ...['"', "'", '} so', ':', '\\', '["a"]', '[ ]', '[1]', '[-1]', '[[1]]', '[{'].map(
      (rest) => [`${rest} behind`, `so {"path": "a"} ${rest}`] as const,
    ),
    ['two objects', 'First {"path": "a"} then {"path": "b"}'],
    ['an open brace behind', '{"path": "a"} and {'],
    ['an object that was cut', 'Now: {"path": "a"'],
    ['a loosely written object that was cut', "Now: {path: 'a'"],
    ['a closing brace behind', '{"path": "a"} and } so'],
    ['a comment of HTML around', '<!-- {"path": "a"} -->'],
    ['an object in a list', '[1, {"path": "a"}]', 'type'],
    ['an object in a cut list', '[{"path": "a"}, ', 'truncated'],
    ['an object that a key stands before', '"arguments": {"path": "a"}'],
    ['an object in an object that was cut', '{"input": {"path": "a"}', 'truncated'],
    ['an object that a bare key stands before', 'target: {"path": "a"}'],
    ['a value behind a comma', '{"path": "a"}, "limit": 5'],
    ['an object in a sentence behind a colon', 'So: I call it with {"path": "a"} now'],
    ['an object in a sentence', 'I will not call it with {"path": "a"}.'],
    ['a broken object in a sentence', 'I will not call it with {"path" "a"}'],
    ['a broken number among words', 'Now: {"path": 5"} so'],
    ['an object without a declared key', 'Now: {"title": "a"}'],
    ['an object in reasoning', '<think>maybe {"path": "a"}?</think>'],
    ['an object in reasoning that is open', '<think>maybe\n{"path": "a"}'],
    ['a result', '<tool_response>{"path": "a"}</tool_response>'],
    ...[
      '<seed:think>OBJECT</seed:think>',
      'So <think>OBJECT',
      '<result>So<result>so</result>OBJECT',
      'So</think><think>OBJECT',
      'OBJECT So.</think>',
      'OBJECT So.[/THINK]',
      '<think>{x}</think>OBJECT',
      '<think>So.</think> path = b\nOBJECT',
      'path = b <think>So.</think>\nOBJECT',
      '◁think▷OBJECT◁/think▷',
      '[THINK]OBJECT[/THINK]',
      '<|channel|>analysis<|message|>OBJECT<|end|>',
      '[TOOL_RESULTS]OBJECT[/TOOL_RESULTS]',
      '<|tool_response|>OBJECT',
      'Observation: OBJECT',
      'Observation: none\nOBJECT',
      '<|im_start|>tool\nOBJECT<|im_end|>',
      '<|im_start|>user\nOBJECT<|im_end|>',
      '<|im_start|>system\nOBJECT<|im_end|>',
      '<examples>OBJECT</examples>',
      '<pre>OBJECT</pre>',
      '<code>OBJECT</code>',
    ].map((sent) => [`an object in ${sent}`, sent.replace('OBJECT', '{"path": "a"}')] as const),
    ['an object in the tag of another tool', '<delete_file>{"path": "a"}</delete_file>'],
    ['an object in a tag of HTML', 'So: <b>{"path": "a"}</b>'],
    ['words that leave something out', '{"path": "a"} ... (rest omitted)'],
    ['an argument among the words', '{"path": "a"} and path = b'],
    ['an argument in a tag', '<path>b</path>\n{"path": "a"}'],
    ['words alone', 'I cannot do that.'],
    ['words before a list of two', 'Now: [{"path": "a"}, {"path": "b"}]'],
    ['words before a list of one and something', 'Now: [{"path": "a"}, 1]'],
    ['words before a list in a list', 'Now: [[{"path": "a"}]]'],
    ['words behind a surplus closer', 'Now: {"path": "a"}} so'],
    [
      'a missing closer in a tag, of which nobody says that it ended',
      '<tool_call>{"path": "a"</tool_call>',
    ],
    ['tags around a list of two', '<tool_call>[{"path": "a"}, {"path": "b"}]</tool_call>'],
  ],
});

describe('a tool that requires nothing', () => {
  testTextRule('surrounding_text', {
    schema: objectOf({ Input: text }),
    untouched: [['an empty object', '{}']],
    repaired: [
      ['words and an empty object', 'Now: {} so', {}],
      ['a tag of a call', '<tool_call>So: {"Input": "a"}', { Input: 'a' }],
    ],
    refused: [['a parameter’s tag', '<input>{"Input": "a"}</input>']],
  });
  testTextRule('surrounding_text', {
    schema: objectOf({}),
    untouched: [['any object', '{"a": 1}']],
    repaired: [['words and any object', 'Now: {"a": 1} so', { a: 1 }]],
    refused: [['words and two objects', 'Now: {"a": 1} or {"a": 2}']],
  });
});

describe('a list of many objects', () => {
  const call = {
    steps: Array.from({ length: 20 }, (_, index) => ({ path: `src/${index}`, why: 'so' })),
  };
  const sent = JSON.stringify(call);
  testTextRule('surrounding_text', {
    schema: objectOf({ steps: listOf(objectOf({ path: text, why: text })) }, ['steps']),
    untouched: [['alone', sent]],
    repaired: [
      ['before words', `${sent}\n\nI will look at the outcome now. Thank you!`, call],
      ['before a semicolon', `${sent};`, call],
      ['before a token and a channel', `${sent}<|call|>commentary`, call],
      ['before words that end like JSON', `${sent}\n\nThe plan has 20 parts in all: 1 to 20`, call],
    ],
    refused: [
      ['before a comma', `${sent},`],
      ['with a comma twice', sent.replace('},{', '},,{')],
      ['cut behind a comma', sent.slice(0, sent.lastIndexOf(',') + 1), 'truncated'],
      ['before a member', `${sent}, "limit": 20`],
      ['before an argument', `${sent}\n\nsteps = all`],
      ...[
        'and the steps are 5',
        'use --steps 5',
        'I will now wait',
        'No, use another one',
        '// no, use another one',
        'or later',
        "This isn't final",
        'Shall I run it?',
        'Nein, lieber später',
        '不，别运行',
        'Нет, не надо',
      ].map((words) => [`before words that take it back: ${words}`, `${sent}\n${words}`] as const),
    ],
  });
});

describe('a call that ended normally', () => {
  testTextRule('surrounding_text', {
    schema: objectOf({ path: text, limit: whole }),
    options: { finishReason: 'tool_calls' },
    untouched: [['as it should be', '{"path": "a"}']],
    repaired: [
      ['a missing closer', '{"limit": 5<|im_end|>', { limit: 5 }, 'surrounding_text, broken_json'],
    ],
    refused: [
      ['with a wrong closer, without a declared key', 'Now: {"title": ["a"}}'],
      ['with a missing closer among words', 'Now: {"path": "a"'],
      ['inside a text that ends like a tag', '{"path": "a <b>', 'truncated'],
      ['inside a text in a tag', '<tool_call>{"path": "a</tool_call>'],
    ],
  });
});

// Ways to name the tool before the object that are not whole calls in a notation.
const namings = [
  '<tool_use><name>NAME</name>{}</tool_use>',
  '>>>NAME\n{}',
  '<|recipient|>NAME\n<|content|>{}',
  'So:\n<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{}',
  'So:\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME\n{}',
  'await NAME({})',
  'I look.\nAction: NAME\nAction Input:\n{}',
  'functions.NAME:0 Here:\n{}',
  '<|tool_call_begin|>functions.NAME:0 Here: {}',
  '[TOOL_CALLS]NAME Here: {}',
  '<|channel|>commentary to=functions.NAME Here: {}',
];

describe('a call that names its tool', () => {
  const called = (name: string) =>
    namings.map(
      (form) => [form, form.replace('NAME', name).replace('{}', '{"path": "a"}')] as const,
    );

  testTextRule('surrounding_text', {
    schema: objectOf({ path: text }, ['path']),
    options: { tool: 'read_file' },
    untouched: [['a name inside a value', '{"path": "to=functions.other_tool"}']],
    repaired: [
      ...called('read_file').map(([title, sent]) => [title, sent, { path: 'a' }] as const),
      ['words with an equals sign', 'Moved from=a to=b: {"path": "a"}', { path: 'a' }],
    ],
    refused: called('other_tool'),
  });
});

describe('a tool with one parameter that takes an object', () => {
  testTextRule('surrounding_text', {
    schema: closedOf({ root: closedOf({ v: text }) }, ['root']),
    options: { tool: 'delete_all' },
    untouched: [['its argument', '{"root": {"v": "<root>"}}']],
    repaired: [
      ['keys', '<|i|>{"v": "x"}<|i|>', { root: { v: 'x' } }, 'surrounding_text, wrap_in_parameter'],
    ],
    refused: [
      ['in the tags of another tool', '<write_it><root>{"v": "x"}</root></write_it>'],
      ['in another tool’s tag', '<write_it>{"v": "x"}</write_it>'],
      ['in the parameter’s tag in another case', '<|assistant|><Root>{"v": "x"}</Root>'],
    ],
  });
});

describe('dots', () => {
  testTextRule('surrounding_text', {
    schema: objectOf({ path: text }, ['path']),
    untouched: [['in a string', '{"path": "a..."}']],
    repaired: [
      ['at the end of a sentence behind', '{"path": "a"}Let me look ...', { path: 'a' }],
      ['at the end of a sentence before', 'Let me look...\n{"path": "a"}', { path: 'a' }],
      ['in a sentence', 'Well … so:\n{"path": "a"}', { path: 'a' }],
    ],
    refused: [
      ['that touch it', '{"path": "a"}... Done.'],
      ['that touch it before', 'So: …{"path": "a"}'],
      ['on the rest of its line', '{"path": "a"} ...'],
      ['on a line of their own', '{"path": "a"}\n...\nDone.'],
      ['in a comment of their own', '// ...\n{"path": "a"} Done.'],
    ],
  });
});

describe('quotes and closers behind', () => {
  testTextRule('surrounding_text', {
    schema: objectOf({ path: text }, ['path']),
    untouched: [['in a string', '{"path": "a\\"}"}']],
    repaired: [
      ['a quote and a closer', '{"path": "a"}"}', { path: 'a' }],
      ['a quote', '{"path": "a"}"', { path: 'a' }],
      ['a line break between', '{"path": "a"}\n"}', { path: 'a' }],
      ['three of them', '{"path": "a"}"]}', { path: 'a' }],
    ],
    refused: [
      ['four of them', '{"path": "a"}"]}}'],
      ['the last string ends in a blank', '{"path": "echo "}"}'],
      ['the last string holds a bracket', '{"path": "[a"}"}'],
      ['the last string holds a quote', '{"path": "say \\"a"}"}'],
      ['words before', 'So: {"path": "a"}"}'],
      ['a word behind', '{"path": "a"}" b'],
    ],
  });
});
