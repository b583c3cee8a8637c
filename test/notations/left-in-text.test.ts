// Calls that stay in the text of an answer are reported, because an agent that waits for them stops.
import {
  type CallInText,
  type CallLeftInText,
  CallReader,
  type ReadCallsOptions,
  readCalls,
} from 'toolmend';

const tools = [
  {
    name: 'search',
    inputSchema: {
      type: 'object',
      properties: { q: { type: 'string' }, limit: { type: 'integer' } },
      required: ['q'],
      additionalProperties: false,
    },
  },
  { name: 'delete_all', inputSchema: { type: 'object' }, effects: 'destructive' },
];

const hermes = (name: string, inside: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${inside}}\n</tool_call>`;

const search = hermes('search', '{"q": "a"}');
const bare = '{"name": "search", "arguments": {"q": "a"}}';

const withoutMessages = (calls: readonly CallLeftInText[]) =>
  calls.map(({ message: _message, ...call }) => call);

const leftIn = (text: string, options?: ReadCallsOptions) =>
  withoutMessages(readCalls(text, tools, options).leftInText);

test.each([
  { what: 'a call that is read', text: `I'll search.\n${search}` },
  { what: 'a call without markup that is read', text: bare },
  { what: 'text without a call', text: 'A search finds <b>words</b>.' },
  { what: 'the name of a tool beside a tag', text: 'The tag `<tool_call>` begins a search.' },
  { what: 'a call of a tool that was not offered', text: hermes('other', '{"q": "a"}') },
  { what: 'a call in code', text: `Write this:\n\`\`\`\n${search}\n\`\`\`\nIt searches.` },
  { what: 'a call in quotation marks', text: `The model wrote “${search}” and stopped.` },
  { what: 'a call in a result', text: `<tool_response>\n${search}\n</tool_response>\nSo it is.` },
  { what: 'a draft in closed reasoning', text: `<think>${search}</think>\nNo, I ask first.` },
  {
    what: 'a refused call in closed reasoning',
    text: `${bare.replace('"q"', '"r"')}\n</think>\nNo, I ask first.`,
  },
])('$what is not left', ({ text }) => {
  expect(leftIn(text)).toEqual([]);
});

test.each([
  {
    what: 'markup that ends before the call',
    text: search.slice(0, 50),
    left: { name: 'search', reason: 'unreadable', notation: 'json_in_tags', start: 0 },
  },
  {
    what: 'markup with arguments that nothing explains',
    text: `Now.\n${hermes('search', '{"q" "a" "b" "c"}')}`,
    left: { name: 'search', reason: 'unreadable', notation: 'json_in_tags', start: 5 },
  },
  {
    what: 'a call without markup that the tool does not take',
    text: bare.replace('"q"', '"limit"'),
    left: { name: 'search', reason: 'refused', notation: 'json_envelope', start: 0 },
  },
  {
    what: 'the same in a fence',
    text: `Now.\n\`\`\`json\n${bare.replace('"q"', '"limit"')}\n\`\`\``,
    left: { name: 'search', reason: 'refused', notation: 'json_envelope', start: 5 },
  },
  {
    what: 'a call without markup behind a colon',
    text: `I would call:\n${bare}`,
    left: { name: 'search', reason: 'uncertain', notation: 'json_envelope', start: 14 },
  },
  {
    what: 'a call of a destructive tool behind a condition',
    text: `If you agree, I delete all.\n${hermes('delete_all', '{}')}`,
    left: { name: 'delete_all', reason: 'uncertain', notation: 'json_in_tags', start: 28 },
  },
  {
    what: 'the last call in reasoning that goes on and does not end',
    text: `<think>${search}\n${search}\nOr not.`,
    left: { name: 'search', reason: 'uncertain', notation: 'json_in_tags', start: 76 },
  },
])('$what is left', ({ text, left }) => {
  expect(readCalls(text, tools).text).toBe(text);
  expect(leftIn(text)).toEqual([left]);
});

const withoutIds = (calls: readonly CallInText[]) => calls.map(({ id: _id, ...call }) => call);

/** What is read and what is left, which is the same however the text is cut. */
function readInAllParts(text: string) {
  const { calls, leftInText } = readCalls(text, tools);
  for (const size of [1, 7, 40]) {
    const reader = new CallReader(tools);
    const parts = (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((part) =>
      reader.add(part),
    );
    const whole = [...parts, reader.end()];
    expect(whole.flatMap((part) => withoutIds(part.calls))).toEqual(withoutIds(calls));
    expect(whole.flatMap((part) => part.leftInText)).toEqual(leftInText);
  }
  return {
    names: calls.map(({ name }) => name),
    left: leftInText.map(({ name, reason }) => `${name} ${reason}`),
  };
}

/** How a tag is written before a call that has the same one in its content. */
const tagsBefore = [
  { tag: 'element', opens: '<section>', closes: '</section>' },
  { tag: 'reasoning', opens: '<think>', closes: '</think>' },
];
const shownBefore = [
  { tag: 'preformatted text', opens: '<pre>', closes: '</pre>' },
  { tag: 'code', opens: '<code>', closes: '</code>' },
  { tag: 'a comment', opens: '<!--', closes: '-->' },
  { tag: 'a result', opens: '<output>', closes: '</output>' },
];
const callsWith = (name: string, content: string) => [
  hermes(name, JSON.stringify({ q: content })),
  `<tool_call>\n<function=${name}>\n<parameter=q>\n${content}\n</parameter>\n</function>\n</tool_call>`,
  JSON.stringify({ name, arguments: { q: content } }),
];

describe.each([...tagsBefore, ...shownBefore])('$tag whose end is only in the call', (row) => {
  const { opens, closes } = row;
  const content = `${opens}x${closes}`;
  const isShown = shownBefore.includes(row);

  test.each(callsWith('search', content))('%s', (call) => {
    const text = `\n${opens} is what I look for.\n${call}`;

    expect(readInAllParts(text)).toEqual(
      isShown ? { names: [], left: ['search uncertain'] } : { names: ['search'], left: [] },
    );
    expect(readInAllParts(`${opens}\n${call}\n${closes}\nSo it is.`)).toEqual({
      names: [],
      left: [],
    });
  });

  test.each(callsWith('delete_all', content))('of a destructive tool: %s', (call) => {
    expect(readInAllParts(`\n${opens} is what I look for.\n${call}`)).toEqual({
      names: [],
      left: ['delete_all uncertain'],
    });
  });
});

/** What no call is read in: how it begins, and how it ends. */
const places = [
  { place: 'a block of code', opens: '```\n', closes: '\n```\n' },
  { place: 'a block of code with a language', opens: '~~~json\n', closes: '\n~~~\n' },
  { place: 'a result of ReAct', opens: 'Observation: found.\n', closes: '\nThought: So it is.' },
  { place: 'a result in tokens', opens: '[TOOL_RESULTS] ', closes: '[/TOOL_RESULTS]' },
  { place: 'an instruction', opens: '[INST] ', closes: '[/INST]' },
  { place: 'the user’s turn', opens: '<|user|>\n', closes: '<|assistant|>' },
  { place: 'the user’s turn in ChatML', opens: '<|im_start|>user\n', closes: '<|im_end|>' },
];

describe.each(places)('$place', ({ opens, closes }) => {
  const before = `${'A sentence of some words. '.repeat(60)}\n`;

  test.each(callsWith('search', 'a'))('%s', (call) => {
    const text = `${before}${opens}${call}`;

    expect(readInAllParts(text)).toEqual({ names: [], left: ['search uncertain'] });
    expect(readCalls(text, tools).leftInText[0]?.start).toBe(before.length + opens.length);
    expect(readInAllParts(`${text}\nSo it is.\n${call}`).left).toHaveLength(2);
    // A block of code may itself be a call without markup.
    if (call.startsWith('<'))
      expect(readInAllParts(`${text}${closes}`)).toEqual({ names: [], left: [] });
    expect(readInAllParts(`${before}${opens}${call.slice(0, 40)}`).names).toEqual([]);
  });

  test('a call that can’t be read', () => {
    const text = `${before}${opens}${search.slice(0, 50)}`;

    expect(readInAllParts(text)).toEqual({ names: [], left: ['search unreadable'] });
    expect(readInAllParts(`${text}${closes}`)).toEqual({ names: [], left: [] });
  });
});

test('a call in an answer to the user, or in the last line that is quoted, is not left', () => {
  const answers = ['<|channel|>final<|message|>', 'to=user<|message|>', ' to=user<|message|>'];
  for (const opens of [...answers, '> ', 'A line.\n> '])
    expect(readInAllParts(opens + search.replaceAll('\n', ''))).toEqual({ names: [], left: [] });
});

test('a call that is read, and one behind it that can’t be', () => {
  const { calls, leftInText } = readCalls(`${search}\n${search.slice(0, 50)}`, tools);

  expect(calls).toHaveLength(1);
  expect(leftInText).toMatchObject([{ name: 'search', reason: 'unreadable', start: 69 }]);
});

test('marked: a call of a tool with unknown effects behind a question is left', () => {
  const text = `Shall I search?\n${search}`;

  expect(leftIn(text)).toEqual([]);
  expect(leftIn(text, { callsInText: 'marked' })).toMatchObject([{ reason: 'uncertain' }]);
});

test('a streaming reader knows them at the end, at their places in the whole text', () => {
  const before = 'A sentence of some words. '.repeat(100);
  const text = `${before}\n${search.slice(0, 50)}`;
  const reader = new CallReader(tools);
  const parts = (text.match(/[^]{1,4}/g) ?? []).map((part) => reader.add(part));

  expect(parts.flatMap(({ leftInText }) => leftInText)).toEqual([]);
  expect(reader.end().leftInText).toMatchObject([
    { name: 'search', reason: 'unreadable', start: before.length + 1 },
  ]);
});

test('a call of more than 4 Mi characters is left', () => {
  const text = `<tool_call>\n{"name": "search", "arguments": {"q": "${'a'.repeat(4 * 1024 * 1024)}"}}\n</tool_call>`;
  const reader = new CallReader(tools);
  reader.add(text);

  expect(withoutMessages(reader.end().leftInText)).toEqual([
    { name: 'search', reason: 'unreadable', start: 0 },
  ]);
});

/** The problem of the only call that is left, in the lines that all messages have. */
const messageAbout = (problem: string): string =>
  [
    'search was not executed.',
    `- ${problem}`,
    'Expected: { q: string, limit?: integer }',
    'Send the call alone, as JSON: {"name":"search","arguments":{"q":"…"}}',
  ].join('\n');

test.each([
  {
    what: 'markup that ends before the call',
    text: search.slice(0, 50),
    problem: 'The markup (json_in_tags) ends before the call is closed.',
  },
  {
    what: 'a parameter that is not closed',
    text: '<function=search>\n<parameter=q>\na',
    problem: 'The markup (qwen_xml) ends before the call is closed.',
  },
  {
    what: 'JSON with faults',
    text: hermes('search', '{"q" "a" "b" "c"}'),
    problem:
      'The markup (json_in_tags) of the call cannot be read in exactly one way: its JSON has faults.',
  },
  {
    what: 'a parameter that comes twice',
    text: '<function=search><parameter=q>a</parameter><parameter=q>b</parameter></function>',
    problem:
      'The markup (qwen_xml) of the call cannot be read in exactly one way: its tags don’t match, or a parameter comes twice.',
  },
  {
    what: 'an expression of Python',
    text: '<|tool_call_start|>[search(q=name + "a")]<|tool_call_end|>',
    problem:
      'The markup (pythonic) of the call cannot be read in exactly one way: it is not a call with literals of Python.',
  },
  {
    what: 'a colon that is missing',
    text: '<|tool_call>call:search{q <|"|>a<|"|>}<tool_call|>',
    problem:
      'The markup (gemma) of the call cannot be read in exactly one way: its braces have faults.',
  },
  {
    what: 'arguments that the tool does not take',
    text: bare.replace('"q"', '"limit"'),
    problem: 'The tool does not take the arguments of the call.',
  },
  {
    what: 'a call without markup behind a colon',
    text: `I would call:\n${bare}`,
    problem: 'Where the call stands, it may be an example or a part of the text.',
  },
])('the message about $what says so and shows the call to send', ({ text, problem }) => {
  expect(readCalls(text, tools).leftInText[0]?.message).toBe(messageAbout(problem));
});

test('the call that a message shows is read', () => {
  const { message = '' } = readCalls(search.slice(0, 50), tools).leftInText[0] ?? {};
  const shownCall = message.slice(message.indexOf('{"name"'));

  expect(readCalls(shownCall, tools).calls).toMatchObject([{ name: 'search' }]);
});

test('the message about a tool of which only the name is known has no arguments', () => {
  const { leftInText } = readCalls(search.slice(0, 50), ['search']);

  expect(leftInText[0]?.message).toMatch(/as JSON: \{"name":"search","arguments":\{…\}\}$/);
});
