// Markup that no chat template writes: what servers left of it, what agents' prompts ask for, and
// what only looks like a call.
import { CallReader, readCalls } from 'toolmend';
import { closedOf, text, whole } from '../schemas.ts';

const tools = [
  { name: 'search', inputSchema: closedOf({ q: text, limit: whole }, ['q']) },
  { name: 'save_file', inputSchema: closedOf({ path: text, content: text }, ['path', 'content']) },
  { name: 'open_note', inputSchema: { type: 'object', properties: { title: text } } },
  { name: 'wipe', inputSchema: closedOf({ path: text }, ['path']), effects: 'destructive' },
] as const;

/** The calls in a text, which are the same in a stream of its characters; no character is lost. */
function found(answer: string): readonly (readonly [string, unknown])[] {
  const { calls, text: rest } = readCalls(answer, tools);
  const reader = new CallReader(tools);
  const parts = [...Array.from(answer, (part) => reader.add(part)), reader.end()];
  const withoutIds = (all: typeof calls) => all.map(({ id: _id, ...call }) => call);
  expect(withoutIds(parts.flatMap((part) => part.calls))).toEqual(withoutIds(calls));
  expect(parts.map((part) => part.text).join('')).toBe(rest);
  const places = [...new Map(calls.map((call) => [call.start, call])).values()];
  const around = [{ end: 0 }, ...places].map(({ end }, index) =>
    answer.slice(end, places[index]?.start),
  );
  expect(rest).toBe(around.join(''));
  return calls.map((call) => [call.name, JSON.parse(call.arguments)]);
}

type Rows = readonly (readonly [string, string, ReturnType<typeof found>])[];

const a = ['search', { q: 'a' }] as const;
const b = ['search', { q: 'b' }] as const;

describe('Gemma’s calls without their tokens are calls without markup:', () => {
  const call = 'call:search{q:<|"|>a<|"|>}';
  test.each<Rows[number]>([
    ['the whole answer', call, [a]],
    ['several', `Let me look.\n${call}\n${call.replace('a<', 'b<')}`, [a, b]],
    ['with a blank before the colon', call.replace(':', ' : '), [a]],
    ['a remark behind', `${call}\nI look at it.`, [a]],
    ['among words', `Let me look.\n${call}\nSo it goes.\nThe end.`, []],
    ['after a colon', `A call looks like this:\n${call}`, []],
    ['in a log', `Sent.\n${call} 200\nDone.`, []],
    ['with its token', `It looks like this:\n<|tool_call>${call}<tool_call|>`, [a]],
    ['of a destructive tool', 'call:wipe{path:<|"|>a<|"|>}', [['wipe', { path: 'a' }]]],
    ['of a destructive tool, among words', 'Sure.\ncall:wipe{path:<|"|>a<|"|>}', []],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});

describe('a closing tag with a key closes that key’s value:', () => {
  const saved = (ending: string, last = '</parameter>'): string =>
    `<function=save_file><parameter=path>a${ending}<parameter=content>b${last}</function>`;
  test.each<Rows[number]>([
    ['its own', saved('</parameter=path>', '</parameter=content>'), [savedFile('b')]],
    ['without a key', saved('</parameter>'), [savedFile('b')]],
    ['another one’s', saved('</parameter=content>'), []],
    ['another one’s, in a value', saved('</parameter>', '</parameter=path>c</parameter>'), []],
    [
      'another one’s, in quotes',
      saved('</parameter>', ' and "</parameter=path>"</parameter>'),
      [savedFile('b and "</parameter=path>"')],
    ],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });

  function savedFile(content: string) {
    return ['save_file', { path: 'a', content }] as const;
  }
});

describe('only a template’s words in brackets close a call:', () => {
  const call = '{"name": "search", "arguments": {"q": "a"}}';
  test.each<Rows[number]>([
    ['of Mistral', `[TOOL_CALLS] [${call}][/TOOL_CALLS]`, [a]],
    ['of LM Studio', `[TOOL_REQUEST]\n${call}\n[END_TOOL_REQUEST]`, [a]],
    ['the last one alone', `${call}\n[END_TOOL_REQUEST]`, [a]],
    ['another word', `${call}\n[CANCELLED]`, []],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });

  test('behind markup, another word stays text', () => {
    const answer = `<tool_call>${call}</tool_call>[CANCELLED]`;
    expect(found(answer)).toEqual([a]);
    expect(readCalls(answer, tools).text).toBe('[CANCELLED]');
    expect(found(answer.replaceAll(call, '{"name": "wipe", "arguments": {"path": "a"}}'))).toEqual(
      [],
    );
  });
});

describe('the declaration of a tool is not a call of it:', () => {
  const declaration =
    '{"name": "open_note", "parameters": {"type": "object", "properties": {"title": {"type": "string"}}}}';
  test.each<Rows[number]>([
    ['the whole answer', declaration, []],
    ['in tags', `<tools>\n${declaration}\n</tools>`, []],
    ['in one tag', `<tool>${declaration}</tool>`, []],
    ['in OpenAI’s form', `[{"type": "function", "function": ${declaration}}]`, []],
    [
      'a call of the tool',
      '{"name": "open_note", "parameters": {"title": "a"}}',
      [['open_note', { title: 'a' }]],
    ],
    [
      'a call with a schema as its arguments',
      declaration.replace('parameters', 'arguments'),
      [['open_note', { type: 'object', properties: { title: { type: 'string' } } }]],
    ],
    [
      'a declaration before a call',
      `<tools>${declaration}</tools>\n<tool_call>{"name": "search", "arguments": {"q": "a"}}</tool_call>`,
      [a],
    ],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});

describe('a change of a file is none of the model’s calls:', () => {
  const call = '<tool_call>{"name": "search", "arguments": {"q": "a"}}</tool_call>';
  const bare = '{"name": "search", "arguments": {"q": "a"}}';
  test.each<Rows[number]>([
    ['the whole answer in a fence', `\`\`\`diff\n-${call}\n+${call}\n\`\`\``, []],
    ['a line that stays', `\`\`\`diff\n ${bare}\n\`\`\``, []],
    ['a patch without a fence', `--- a/x\n+++ b/x\n@@ -1 +1,2 @@ x\n-x\n+${call}\n ${call}`, []],
    ['a call behind it', `@@ -1 +1 @@\n-x\n+${call}\nSo it is.\n${call}`, [a]],
    ['another fence', `\`\`\`json\n${bare}\n\`\`\``, [a]],
    ['two at signs in words', `I ask @@ you.\n${bare}`, [a]],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});

const inTool = (inside: string, tag = 'tool'): string => `<${tag}>${inside}</${tag}>`;

describe('elements that agents’ prompts ask for are read:', () => {
  test.each<Rows[number]>([
    [
      'a name before elements in one',
      inTool('\n<name>search</name>\n<arguments>\n<q>a</q>\n<limit>3</limit>\n</arguments>\n'),
      [['search', { q: 'a', limit: '3' }]],
    ],
    [
      'a name beside elements',
      `I look.\n${inTool('\n<name>search</name>\n<q>a</q>\n', 'use_tool')}\nI wait.`,
      [a],
    ],
    [
      'several, each in its tag',
      ['a', 'b']
        .map((q) =>
          inTool(`<tool_name>search</tool_name><parameters><q>${q}</q></parameters>`, 'tool_use'),
        )
        .join('\n'),
      [a, b],
    ],
    ['a value with a tag of its own', inTool('<name>search</name><q><name>x</name></q>'), []],
    ['a name that isn’t closed', inTool('<name>search<q>a</q>'), []],
    ['a name that nobody offered', inTool('<name>find</name><q>a</q>'), []],
    ['a parameter that the call’s tag closes', inTool('<name>search</name><q>a'), [a]],
    ['a call that isn’t closed', '<tool><name>search</name><q>a</q>', []],
    ['no tag around them', '<name>search</name><q>a</q>', []],
    ['of a destructive tool', inTool('<name>wipe</name><path>a</path>'), [['wipe', { path: 'a' }]]],
    ['several behind each other', '<search><q>a</q></search>\n<search><q>b</q></search>', [a, b]],
    [
      'of two tools',
      '<search><q>a</q></search>\n<wipe><path>a</path></wipe>',
      [a, ['wipe', { path: 'a' }]],
    ],
    ['several among words', '<search><q>a</q></search>\nor\n<search><q>b</q></search>', []],
    ['parameters of Qwen', '<search><parameter=q>a</parameter></search>', [a]],
    ['parameters of Qwen, destructive', '<wipe><parameter=path>a</parameter></wipe>', []],
    ['parameters of Qwen, cut', '<search><parameter=q>a</parameter>', []],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});

describe('arguments beside the tool’s name are read in markup:', () => {
  test.each<Rows[number]>([
    ['in tags', '<tool_call>{"tool": "search", "q": "a"}</tool_call>', [a]],
    ['among words', 'So:\n<tool_call>{"name": "search", "q": "a"}</tool_call>\nYes?', [a]],
    ['with an undeclared key', '<tool_call>{"tool": "search", "q": "a", "x": 1}</tool_call>', []],
    ['with no other key', '<tool_call>{"tool": "search", "x": 1}</tool_call>', []],
    ['with two names', '<tool_call>{"tool": "search", "name": "search", "q": "a"}</tool_call>', []],
    [
      'with a value that the tool refuses',
      '<tool_call>{"tool": "search", "q": [1, 2]}</tool_call>',
      [],
    ],
    ['of a destructive tool', '<tool_call>{"tool": "wipe", "path": "a"}</tool_call>', []],
    ['without markup, any object', '{"tool": "search", "q": "a"}', []],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});

describe('what servers and proxies left of markup is read:', () => {
  const call = '{"name": "search", "arguments": {"q": "a"}}';
  const gemma = 'search{q:<|"|>a<|"|>}';
  test.each<Rows[number]>([
    ['Gemma’s, without "call"', gemma, [a]],
    ['Gemma’s, without "call", among words', `It is\n${gemma}\nin Gemma.`, []],
    ['Gemma’s, without "call", destructive', 'wipe{path:<|"|>a<|"|>}', []],
    ['a block without a quote token', 'search{q: a}', []],
    ['a tag without its first character', 'function=search>{"q": "a"}', [a]],
    ['the same with its end', 'Sure.\nfunction=search> {"q": "a"}</function>', [a]],
    ['the same after a colon', 'Write:\nfunction=search>{"q": "a"}', []],
    ['the same of a destructive tool', 'function=wipe>{"path": "a"}', []],
    [
      'Kimi’s, with a fence',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.search\n```json\n{"q": "a"}\n```\n<|tool_call_end|><|tool_calls_section_end|>',
      [a],
    ],
    ['a proxy’s tokens', `I look.\n<<<TOOL_CALL>>>\n${call}\n<<<END_TOOL_CALL>>>\n`, [a]],
    ['a proxy’s tokens around two', `<<TOOL_CALLS>>[${call}, ${call}]<</TOOL_CALLS>>`, [a, a]],
    ['a proxy’s tokens around words', `<<<TOOL_CALL>>> search it <<<END_TOOL_CALL>>>`, []],
    [
      'ReAct in a fence',
      '```\nThought: I look.\nAction: search\nAction Input: {"q": "a"}\n```',
      [a],
    ],
    ['ReAct in a fence, destructive', '```\nAction: wipe\nAction Input: {"path": "a"}\n```', []],
    [
      'two in a fence, destructive',
      '```\n{"name": "wipe", "arguments": {"path": "a"}}\n{"name": "wipe", "arguments": {"path": "b"}}\n```',
      [],
    ],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });

  test('a name behind a namespace is the tool’s that has it, whatever others are called', () => {
    const both = ['Search', 'search'];
    const answer = call.replace('search', 'functions.search');
    expect(readCalls(answer, both).calls).toMatchObject([{ name: 'search' }]);
    expect(readCalls(answer.replace('.search', '.SEARCH'), both).calls).toEqual([]);
  });
});

describe('ReAct in other words is read:', () => {
  const lines = 'Tool: search\nArguments: {"q": "a"}';
  test.each<Rows[number]>([
    ['a tool and its arguments', lines, [a]],
    ['behind a sentence, with a remark', `I look.\n${lines}\nI look at it.`, [a]],
    ['an input on its own line', 'Tool: `search`\nTool Input:\n{"q": "a"}', [a]],
    ['among words', `It is\n${lines}\nin a log.`, []],
    ['behind a colon', `Write:\n${lines}`, []],
    ['a question behind it', `${lines}\nShall I?`, []],
    ['arguments that are no object', 'Tool: search\nArguments: q is a', []],
    ['a tool of nobody', 'Tool: find\nArguments: {"q": "a"}', []],
    ['a destructive tool', 'Tool: wipe\nInput: {"path": "a"}', [['wipe', { path: 'a' }]]],
    ['a destructive tool, behind words', 'Sure.\nTool: wipe\nInput: {"path": "a"}', []],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });

  const toolsOfOne = [
    { name: 'look', inputSchema: closedOf({ q: text }, ['q']) },
    { name: 'pair', inputSchema: closedOf({ q: text, r: text }, ['q', 'r']) },
    { name: 'count', inputSchema: closedOf({ n: whole }, ['n']) },
    { name: 'wipe', inputSchema: closedOf({ path: text }, ['path']), effects: 'destructive' },
  ] as const;
  test.each([
    ['one text', 'Thought: I look.\nAction: look[old maps, Ulm]', ['"old maps, Ulm"']],
    ['behind a sentence', 'I look.\nAction: look[maps]', ['"maps"']],
    ['two parameters', 'Action: pair[a, b]', []],
    ['a number', 'Action: count[5]', []],
    ['quotes', 'Action: look["maps"]', []],
    ['brackets inside', 'Action: look[a[0]]', []],
    ['a keyword', 'Action: look[q=maps]', []],
    ['words behind it', 'Action: look[maps] is what I write.', []],
    ['no end', 'Action: look[maps', []],
    ['a link', 'Action: look[maps](https://example.org)', []],
    ['a destructive tool', 'Action: wipe[a]', []],
  ])('text in brackets: %s', (_title, answer, sent) => {
    const { calls } = readCalls(answer, toolsOfOne);
    expect(calls.map((call) => call.arguments)).toEqual(sent);
  });
});

describe('a statement of Python in a tag is its call:', () => {
  const inCode = (code: string): string => `<tool_code>\n${code}\n</tool_code>`;
  test.each<Rows[number]>([
    ['awaited', inCode('await search(q="a")'), [a]],
    ['assigned', inCode('result = search(q="a")'), [a]],
    ['assigned and printed', inCode('hits = await search(q="a")\nprint(hits)'), [a]],
    ['with an expression', inCode('hits = search(q=word)'), []],
    ['of a destructive tool', inCode('result = wipe(path="a")'), []],
    ['of no tool', inCode('result = find(q="a")'), []],
    ['without a tag', 'result = search(q="a")', []],
    ['awaited, without a tag', 'await search(q="a")', []],
  ])('%s', (_title, answer, calls) => {
    expect(found(answer)).toEqual(calls);
  });
});
