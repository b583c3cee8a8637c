import { closedOf, listOf, objectOf, text, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('surrounding_text', {
  schema: objectOf({ path: text }, ['path']),
  untouched: [{ title: 'words and braces inside a value', text: '{"path": "see {a} and <b>"}' }],
  repaired: [
    {
      title: 'words before',
      text: 'Here are the arguments: {"path": "a"}',
      becomes: { path: 'a' },
    },
    { title: 'the rest of a tag before', text: '>{"path": "a"}', becomes: { path: 'a' } },
    { title: 'words behind', text: '{"path": "a"} Done.\n', becomes: { path: 'a' } },
    { title: 'tokens behind', text: '{"path": "a"} [END] <|im_end|>', becomes: { path: 'a' } },
    {
      title: 'reasoning tags',
      text: '<think>I read it.</think>\n{"path": "a"}',
      becomes: { path: 'a' },
    },
    {
      title: 'reasoning in another case',
      text: '<Think>So.</THINK>\n{"path": "a"}',
      becomes: { path: 'a' },
    },
    {
      title: 'what is said in reasoning',
      text: '<think>path = b ...</think>\n{"path": "a"}',
      becomes: { path: 'a' },
    },
    {
      title: 'reasoning behind',
      text: '{"path": "a"}\n<think>So.</think>',
      becomes: { path: 'a' },
    },
    {
      title: 'reasoning in tokens behind',
      text: '{"path": "a"}\n[THINK]So.[/THINK]',
      becomes: { path: 'a' },
    },
    {
      title: 'control tokens',
      text: '<|assistant|>{"path": "a"}<|im_end|>',
      becomes: { path: 'a' },
    },
    {
      title: 'tags in brackets',
      text: '[FUNCTION_CALL]{"path": "a"}[/FUNCTION_CALL]',
      becomes: { path: 'a' },
    },
    {
      title: 'a closing tag and words',
      text: '{"path": "a"}</tool_call> Done.',
      becomes: { path: 'a' },
    },
    { title: 'words in parentheses', text: 'Note(as said): {"path": "a"}', becomes: { path: 'a' } },
    { title: 'a sentence before', text: 'The path to read: {"path": "a"}', becomes: { path: 'a' } },
    { title: 'a link behind', text: '{"path": "a"} [see](x)', becomes: { path: 'a' } },
    { title: 'a heading before', text: '# Call\n{"path": "a"}\n\nDone.', becomes: { path: 'a' } },
    {
      title: 'a block comment that has ended',
      text: '/* as\nsaid */\n{"path": "a"} so',
      becomes: { path: 'a' },
    },
    { title: 'a star in a sentence', text: 'Read src/*: {"path": "a"}', becomes: { path: 'a' } },
    {
      title: 'a comment on a line of its own',
      text: '// as said\n{"path": "a"} so',
      becomes: { path: 'a' },
    },
    { title: 'a heading behind', text: 'So: {"path": "a"}\n# Done', becomes: { path: 'a' } },
    ...[
      'Sorry, here is the corrected call:',
      'Instead, I call it with:',
      'Which file? I read it:',
      '<think>I should not.</think> Here it is:',
      'I should look it up first.',
      'No problem, here it is:',
      'It is not in the cache. I look it up:',
      "I don't know it, so I look it up:",
      'I look it up at example.com:',
      '特别查询：',
      '级别查询：',
      '非洲天气：',
      '区別して検索：',
      '案例查询：',
    ].map((words) => ({
      title: `words that introduce it: ${words}`,
      text: `${words}\n{"path": "a"}`,
      becomes: { path: 'a' },
    })),
    {
      title: 'an address before',
      text: 'As in http://x.org/#b\n{"path": "a"}',
      becomes: { path: 'a' },
    },
    {
      title: 'an address on its line',
      text: 'See http://x.org/a: {"path": "a"}',
      becomes: { path: 'a' },
    },
    {
      title: 'blanks before it on its line',
      text: 'As said\n  {"path": "a"} so',
      becomes: { path: 'a' },
    },
    {
      title: 'an object that is loosely written',
      text: "Now: {path: 'a',} so",
      becomes: { path: 'a' },
    },
    { title: 'a comment of HTML before', text: '<!-- so -->{"path": "a"}', becomes: { path: 'a' } },
    {
      title: 'a turn of the assistant',
      text: '<|im_start|>assistant\n{"path": "a"}<|im_end|>',
      becomes: { path: 'a' },
    },
    {
      title: 'a turn of the user that has ended',
      text: '<|im_start|>user\nRead.<|im_end|>\n{"path": "a"}',
      becomes: { path: 'a' },
    },
    {
      title: 'reasoning in tokens that has ended',
      text: '◁think▷so◁/think▷{"path": "a"}',
      becomes: { path: 'a' },
    },
    { title: 'a tag that has ended', text: '<b>So</b>\n{"path": "a"}', becomes: { path: 'a' } },
    {
      title: 'a tag that is not closed in HTML',
      text: 'So:<br>{"path": "a"}',
      becomes: { path: 'a' },
    },
    {
      title: 'words around a list of one',
      text: 'Now: [ {"path": "a"} , ] so',
      becomes: { path: 'a' },
    },
    {
      title: 'a list of one before words',
      text: 'Now: [{"path": "a"}] so',
      becomes: { path: 'a' },
    },
    {
      title: 'a surplus bracket before a token',
      text: 'Now: {"path": "a"}]<|im_end|>',
      becomes: { path: 'a' },
    },
    { title: 'a surplus bracket at the end', text: 'Now: {"path": "a"} ]', becomes: { path: 'a' } },
    { title: 'a surplus closer at the end', text: 'Now: {"path": "a"}}', becomes: { path: 'a' } },
    {
      title: 'a closer in a fence',
      text: 'Now:\n```json\n{"path": "a"}}\n```',
      becomes: { path: 'a' },
      rules: ['code_fence', 'broken_json'],
    },
    {
      title: 'a token behind a list',
      text: '[{"path": "a"}] <|im_end|>\n',
      becomes: { path: 'a' },
      rules: ['surrounding_text', 'single_root'],
    },
    {
      title: 'an object with a quote in a text',
      text: "Now: {path: 'it's'}",
      becomes: { path: "it's" },
    },
    { title: 'an object without a comma', text: 'Now: {"path" "a"} so', becomes: { path: 'a' } },
    {
      title: 'braces inside its strings',
      text: 'Now: {"path": "a{b}c"}',
      becomes: { path: 'a{b}c' },
    },
  ],
  refused: [
    ...['> ', ' > ', 'The docs say:\n> ', 'The docs say:\n>', '> Call it so:\n> '].map((start) => ({
      title: `in a line that is quoted: ${JSON.stringify(start)}`,
      text: `${start}{"path": "a"}`,
    })),
    ...['// ', '# ', '/* ', '  /* old:\n', 'As said:\n  // '].map((start) => ({
      title: `commented out by ${JSON.stringify(start)}`,
      text: `${start}{"path": "a"}`,
    })),
    ...[
      'Do not run this:',
      'This would be the call:',
      'Shall I call it?',
      'Nicht ausführen:',
      '我不会运行：',
      '别运行：',
      '并非运行：',
      'Example:',
      'Sample call:',
      'Here is an example.',
      'Вот пример.',
      '这是示例。',
      'Here is an example of the call:',
      'e.g.:',
      'Zum Beispiel:',
      'z. B.:',
      'Par exemple :',
      'Por ejemplo:',
      'Por exemplo:',
      'Per esempio:',
      'Na przykład:',
      'Например:',
      'उदाहरण:',
      '例：',
      '例えば：',
      '예시:',
      '**For example:**',
      'Tool result:',
      '# do not run this',
    ].flatMap((words) => [
      { title: `words that deny or show it: ${words}`, text: `${words}\n{"path": "a"}` },
      { title: `in a fence: ${words}`, text: `${words}\n\`\`\`json\n{"path": "a"}\n\`\`\`` },
      { title: `in markup: ${words}`, text: `${words}\n<tool_call>{"path": "a"}</tool_call>` },
    ]),
    ...['That was only an example.', 'Das ist ein Beispiel.', '这是例子。', 'これは例です。'].map(
      (words) => ({
        title: `words that show it behind: ${words}`,
        text: `{"path": "a"}\n${words}`,
      }),
    ),
    { title: 'a quote before', text: '"{"path": "a"} and' },
    { title: 'a single quote before', text: '\'{"path": "a"} and', issue: 'truncated' },
    { title: 'a backslash before', text: '\\{"path": "a"} and' },
    { title: 'a comma before', text: '1, {"path": "a"} and' },
    { title: 'a key in single quotes before', text: '\'to\' : {"path": "a"} and' },
    { title: 'a list with blanks before', text: '[ ] {"path": "a"}' },
    { title: 'a key in a schema before', text: '$to_2 : {"path": "a"} and' },
    ...['"', "'", '} so', ':', '\\', '["a"]', '[ ]', '[1]', '[-1]', '[[1]]', '[{'].map((rest) => ({
      title: `${rest} behind`,
      text: `so {"path": "a"} ${rest}`,
    })),
    { title: 'two objects', text: 'First {"path": "a"} then {"path": "b"}' },
    { title: 'an open brace behind', text: '{"path": "a"} and {' },
    { title: 'an object that was cut', text: 'Now: {"path": "a"' },
    { title: 'a loosely written object that was cut', text: "Now: {path: 'a'" },
    { title: 'a closing brace behind', text: '{"path": "a"} and } so' },
    { title: 'a comment of HTML around', text: '<!-- {"path": "a"} -->' },
    { title: 'an object in a list', text: '[1, {"path": "a"}]', issue: 'type' },
    { title: 'an object in a cut list', text: '[{"path": "a"}, ', issue: 'truncated' },
    { title: 'an object that a key stands before', text: '"arguments": {"path": "a"}' },
    {
      title: 'an object in an object that was cut',
      text: '{"input": {"path": "a"}',
      issue: 'truncated',
    },
    { title: 'an object that a bare key stands before', text: 'target: {"path": "a"}' },
    { title: 'a value behind a comma', text: '{"path": "a"}, "limit": 5' },
    {
      title: 'an object in a sentence behind a colon',
      text: 'So: I call it with {"path": "a"} now',
    },
    { title: 'an object in a sentence', text: 'I will not call it with {"path": "a"}.' },
    { title: 'a broken object in a sentence', text: 'I will not call it with {"path" "a"}' },
    { title: 'a broken number among words', text: 'Now: {"path": 5"} so' },
    { title: 'an object without a declared key', text: 'Now: {"title": "a"}' },
    { title: 'an object in reasoning', text: '<think>maybe {"path": "a"}?</think>' },
    { title: 'an object in reasoning that is open', text: '<think>maybe\n{"path": "a"}' },
    { title: 'a result', text: '<tool_response>{"path": "a"}</tool_response>' },
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
    ].map((sent) => ({
      title: `an object in ${sent}`,
      text: sent.replace('OBJECT', '{"path": "a"}'),
    })),
    {
      title: 'an object in the tag of another tool',
      text: '<delete_file>{"path": "a"}</delete_file>',
    },
    { title: 'an object in a tag of HTML', text: 'So: <b>{"path": "a"}</b>' },
    { title: 'words that leave something out', text: '{"path": "a"} ... (rest omitted)' },
    { title: 'an argument among the words', text: '{"path": "a"} and path = b' },
    { title: 'an argument in a tag', text: '<path>b</path>\n{"path": "a"}' },
    { title: 'words alone', text: 'I cannot do that.' },
    { title: 'words before a list of two', text: 'Now: [{"path": "a"}, {"path": "b"}]' },
    { title: 'words before a list of one and something', text: 'Now: [{"path": "a"}, 1]' },
    { title: 'words before a list in a list', text: 'Now: [[{"path": "a"}]]' },
    { title: 'words behind a surplus closer', text: 'Now: {"path": "a"}} so' },
    {
      title: 'a missing closer in a tag, of which nobody says that it ended',
      text: '<tool_call>{"path": "a"</tool_call>',
    },
    {
      title: 'tags around a list of two',
      text: '<tool_call>[{"path": "a"}, {"path": "b"}]</tool_call>',
    },
  ],
});

describe('a tool that requires nothing', () => {
  testTextRule('surrounding_text', {
    schema: objectOf({ Input: text }),
    untouched: [{ title: 'an empty object', text: '{}' }],
    repaired: [
      { title: 'words and an empty object', text: 'Now: {} so', becomes: {} },
      { title: 'a tag of a call', text: '<tool_call>So: {"Input": "a"}', becomes: { Input: 'a' } },
    ],
    refused: [{ title: 'a parameter’s tag', text: '<input>{"Input": "a"}</input>' }],
  });
  testTextRule('surrounding_text', {
    schema: objectOf({}),
    untouched: [{ title: 'any object', text: '{"a": 1}' }],
    repaired: [{ title: 'words and any object', text: 'Now: {"a": 1} so', becomes: { a: 1 } }],
    refused: [{ title: 'words and two objects', text: 'Now: {"a": 1} or {"a": 2}' }],
  });
});

describe('a list of many objects', () => {
  const call = {
    steps: Array.from({ length: 20 }, (_, index) => ({ path: `src/${index}`, why: 'so' })),
  };
  const sent = JSON.stringify(call);
  testTextRule('surrounding_text', {
    schema: objectOf({ steps: listOf(objectOf({ path: text, why: text })) }, ['steps']),
    untouched: [{ title: 'alone', text: sent }],
    repaired: [
      {
        title: 'before words',
        text: `${sent}\n\nI will look at the outcome now. Thank you!`,
        becomes: call,
      },
      { title: 'before a semicolon', text: `${sent};`, becomes: call },
      { title: 'before a token and a channel', text: `${sent}<|call|>commentary`, becomes: call },
      {
        title: 'before words that end like JSON',
        text: `${sent}\n\nThe plan has 20 parts in all: 1 to 20`,
        becomes: call,
      },
    ],
    refused: [
      { title: 'before a comma', text: `${sent},` },
      { title: 'with a comma twice', text: sent.replace('},{', '},,{') },
      {
        title: 'cut behind a comma',
        text: sent.slice(0, sent.lastIndexOf(',') + 1),
        issue: 'truncated',
      },
      { title: 'before a member', text: `${sent}, "limit": 20` },
      { title: 'before an argument', text: `${sent}\n\nsteps = all` },
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
      ].map((words) => ({
        title: `before words that take it back: ${words}`,
        text: `${sent}\n${words}`,
      })),
    ],
  });
});

describe('a call that ended normally', () => {
  testTextRule('surrounding_text', {
    schema: objectOf({ path: text, limit: whole }),
    options: { finishReason: 'tool_calls' },
    untouched: [{ title: 'as it should be', text: '{"path": "a"}' }],
    repaired: [
      {
        title: 'a missing closer',
        text: '{"limit": 5<|im_end|>',
        becomes: { limit: 5 },
        rules: ['surrounding_text', 'broken_json'],
      },
    ],
    refused: [
      { title: 'with a wrong closer, without a declared key', text: 'Now: {"title": ["a"}}' },
      { title: 'with a missing closer among words', text: 'Now: {"path": "a"' },
      { title: 'inside a text that ends like a tag', text: '{"path": "a <b>', issue: 'truncated' },
      { title: 'inside a text in a tag', text: '<tool_call>{"path": "a</tool_call>' },
    ],
  });
});

// Ways to name the tool before the object that are not whole calls in a notation.
const namings = [
  '<tool_use><name>NAME</name>{}</tool_use>',
  'So:\n>>>NAME\n{}',
  'So:\n<|recipient|>NAME\n<|content|>{}',
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
    untouched: [{ title: 'a name inside a value', text: '{"path": "to=functions.other_tool"}' }],
    repaired: [
      ...called('read_file').map(([title, sent]) => ({
        title,
        text: sent,
        becomes: { path: 'a' },
      })),
      {
        title: 'words with an equals sign',
        text: 'Moved from=a to=b: {"path": "a"}',
        becomes: { path: 'a' },
      },
    ],
    refused: called('other_tool').map(([title, sent]) => ({ title, text: sent })),
  });
});

describe('a tool with one parameter that takes an object', () => {
  testTextRule('surrounding_text', {
    schema: closedOf({ root: closedOf({ v: text }) }, ['root']),
    options: { tool: 'delete_all' },
    untouched: [{ title: 'its argument', text: '{"root": {"v": "<root>"}}' }],
    repaired: [
      {
        title: 'keys',
        text: '<|i|>{"v": "x"}<|i|>',
        becomes: { root: { v: 'x' } },
        rules: ['surrounding_text', 'wrap_in_parameter'],
      },
    ],
    refused: [
      {
        title: 'in the tags of another tool',
        text: '<write_it><root>{"v": "x"}</root></write_it>',
      },
      { title: 'in another tool’s tag', text: '<write_it>{"v": "x"}</write_it>' },
      {
        title: 'in the parameter’s tag in another case',
        text: '<|assistant|><Root>{"v": "x"}</Root>',
      },
    ],
  });
});

describe('dots', () => {
  testTextRule('surrounding_text', {
    schema: objectOf({ path: text }, ['path']),
    untouched: [{ title: 'in a string', text: '{"path": "a..."}' }],
    repaired: [
      {
        title: 'at the end of a sentence behind',
        text: '{"path": "a"}Let me look ...',
        becomes: { path: 'a' },
      },
      {
        title: 'at the end of a sentence before',
        text: 'Let me look...\n{"path": "a"}',
        becomes: { path: 'a' },
      },
      { title: 'in a sentence', text: 'Well … so:\n{"path": "a"}', becomes: { path: 'a' } },
    ],
    refused: [
      { title: 'that touch it', text: '{"path": "a"}... Done.' },
      { title: 'that touch it before', text: 'So: …{"path": "a"}' },
      { title: 'on the rest of its line', text: '{"path": "a"} ...' },
      { title: 'on a line of their own', text: '{"path": "a"}\n...\nDone.' },
      { title: 'in a comment of their own', text: '// ...\n{"path": "a"} Done.' },
    ],
  });
});

describe('quotes and closers behind', () => {
  testTextRule('surrounding_text', {
    schema: objectOf({ path: text }, ['path']),
    untouched: [{ title: 'in a string', text: '{"path": "a\\"}"}' }],
    repaired: [
      { title: 'a quote and a closer', text: '{"path": "a"}"}', becomes: { path: 'a' } },
      { title: 'a quote', text: '{"path": "a"}"', becomes: { path: 'a' } },
      { title: 'a line break between', text: '{"path": "a"}\n"}', becomes: { path: 'a' } },
      { title: 'three of them', text: '{"path": "a"}"]}', becomes: { path: 'a' } },
    ],
    refused: [
      { title: 'four of them', text: '{"path": "a"}"]}}' },
      { title: 'the last string is empty', text: '{"path": ""}"}' },
      { title: 'the last string ends in a blank', text: '{"path": "echo "}"}' },
      { title: 'the last string holds a bracket', text: '{"path": "[a"}"}' },
      { title: 'the last string holds a quote', text: '{"path": "say \\"a"}"}' },
      { title: 'words before', text: 'So: {"path": "a"}"}' },
      { title: 'a word behind', text: '{"path": "a"}" b' },
    ],
  });
});
