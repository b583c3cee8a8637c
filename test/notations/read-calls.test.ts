import {
  CallReader,
  type CallsInText,
  ToolRegistry,
  type ReadCallsOptions,
  defineTool,
  interpretArguments,
  readCalls,
} from 'toolmend';
import { notations, writeCall } from 'toolmend/testing';

const search = {
  name: 'search',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
};
const longName = 'n'.repeat(80);
const tools = [search, { function: { name: 'get_weather' } }, longName];

const hermes = (name: string, q: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": {"q": "${q}"}}\n</tool_call>`;

/** What is read in a text, which is the same in a stream of its characters. */
function read(text: string, options: ReadCallsOptions = {}): CallsInText {
  const whole = readCalls(text, tools, options);
  const reader = new CallReader(tools, options);
  const parts = [...text.split('').map((part) => reader.add(part)), reader.end()];
  expect(parts.map((part) => part.text).join('')).toBe(whole.text);
  expect(parts.flatMap(({ calls }) => calls)).toEqual(
    whole.calls.map((call) => ({ ...call, id: expect.any(String) as string })),
  );
  const places = [{ end: 0 }, ...new Map(whole.calls.map((call) => [call.start, call])).values()];
  const around = places.map(({ end }) =>
    text.slice(end, whole.calls.find((call) => call.start >= end)?.start),
  );
  expect(whole.text).toBe(around.join(''));
  return whole;
}

const found = (text: string): readonly (readonly [string, string])[] =>
  read(text).calls.map((call) => [call.name, call.arguments] as const);

const json = '{"name": "search", "arguments": {"q": "a"}}';
const kimi = `<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q":"b"}<|tool_call_end|>`;
const inElements = (q: string): string => `<name>search</name><arguments>{"q":"${q}"}</arguments>`;
const react = 'Action: search\nAction Input: {"q":"a"}';

const a = ['search', '{"q":"a"}'] as const;
const b = ['search', '{"q":"b"}'] as const;
/** Argument text stays as it was written. */
const spaced = ['search', '{"q": "a"}'] as const;

describe('a call is read', () => {
  const call = { name: 'search', arguments: { q: 'a' } };
  test.each(notations)('in the notation %s', (notation) => {
    const text = writeCall(notation, call) ?? '';
    const { calls, text: rest } = read(text);
    expect(calls).toMatchObject([{ name: 'search', notation, start: 0, end: text.length }]);
    expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual({ q: 'a' });
    expect(rest).toBe('');
  });

  test.each([
    ['of ReAct, behind German', `Thought: Das weiß ich nicht.\n${react}`, [a]],
    ['of ReAct', `Thought: I need a.\n${react}`, [a]],
    ['of ReAct, behind a thought without a full stop', `Thought: I need a\n${react}`, [a]],
    ['of ReAct, behind a sentence and a thought', `Sure.\n\nThought: I need a\n\n${react}`, [a]],
    ['of ReAct, behind an empty line', `Thought: I open a:b.\n\n${react}`, [a]],
    ['of ReAct, behind three lines', `Thought: I need\na\nnow.\n${react}`, [a]],
    ['behind many line breaks', `${'\n'.repeat(600)}Let me search.\n${hermes('search', 'a')}`, [a]],
    [
      'behind a draft in harmony’s analysis',
      `<|channel|>analysis<|message|>to=functions.search {"q":"b"}<|end|><|start|>assistant<|channel|>commentary to=functions.search<|message|>{"q":"a"}<|call|>`,
      [a],
    ],
    [
      'behind a draft in reasoning',
      `<think>${hermes('search', 'b')}</think>\n${hermes('search', 'a')}`,
      [a],
    ],
    ['behind a call of an unknown tool', `${hermes('remove', 'b')}\n${hermes('search', 'a')}`, [a]],
    [
      'behind long reasoning',
      `<think>${'x\n'.repeat(3000)}</think>\n${hermes('search', 'a')}\n`,
      [a],
    ],
    ['that is long', hermes('search', 'a'.repeat(300)), [['search', `{"q":"${'a'.repeat(300)}"}`]]],
    [
      'behind reasoning of Kimi',
      `◁think▷${hermes('search', 'b')}◁/think▷${hermes('search', 'a')}`,
      [a],
    ],
    ['in the assistant’s turn', `<|im_start|>assistant\n${hermes('search', 'a')}<|im_end|>`, [a]],
    ...['function.search', 'tool:search', 'tools.search', 'default_api.search'].map(
      (name) => [`of ${name}`, hermes(name, 'a'), [a]] as const,
    ),
    ['with its name in another spelling', hermes('functions.Search', 'a'), [a]],
    [
      'that holds another one in a string',
      '<tool_call>{"name":"search","arguments":{"q":"<tool_call>{}</tool_call>"}}</tool_call>',
      [['search', '{"q":"<tool_call>{}</tool_call>"}']],
    ],
    [
      'as JSON that is the whole text',
      '{"name": "search", "parameters": {"q": "a"}}<|eot_id|>',
      [a],
    ],
    [
      'as JSON with quotes of Python',
      "<tool_call>{'name': 'search', 'arguments': {'q': 'a'}} \n</tool_call>",
      [a],
    ],
    [
      'with its arguments as text',
      '<tool_call>{"name":"search","args":"{\\"q\\":\\"a\\"}"}</tool_call>',
      [a],
    ],
    [
      'with a key that came twice',
      '{"name": "search", "name": "search", "arguments": {"q": "a"}}',
      [a],
    ],
    ['in Python’s syntax that is the whole text', ' [ search(q="a")]', [a]],
    ['in Python’s syntax without brackets', 'search(q="a")', [a]],
    ['in Python’s syntax that is printed', 'print(  search(q="a"))', [a]],
    ['in Python’s syntax, with a long name', `[ ${longName}(q="a")]`, [[longName, '{"q":"a"}']]],
    [
      'of GLM behind long reasoning',
      `<think>${'x'.repeat(300)}</think><tool_call>search<arg_key>q</arg_key><arg_value>a</arg_value></tool_call>`,
      [a],
    ],
    ['without arguments', '<tool_call>search</tool_call>', [['search', '{}']]],
    [
      'of elements without arguments',
      '<tool_use><name>search</name><arguments>\n</arguments></tool_use>',
      [['search', '{}']],
    ],
    ['of Qwen without arguments', '<function=search>\n</function>', [['search', '{}']]],
    [
      'of Kimi without its first tokens',
      'functions.search:0 <|tool_call_argument_begin|>{"q":"a"}',
      [a],
    ],
    ['of DeepSeek without its first tokens', 'search<｜tool▁sep｜>{"q":"a"}', [a]],
    ['of Mistral without its first token', 'search[ARGS]{"q":"a"}', [a]],
    [
      'of Command R',
      'Action: ```json\n[{"tool_name": "search", "parameters": {"q": "a"}}]\n```',
      [['search', '{"q":"a"}']],
    ],
    ['in Nemotron’s tag', `<TOOLCALL>[${json}]</TOOLCALL>`, [a]],
    ['in LongCat’s tag', `<longcat_tool_call>${json}</longcat_tool_call>`, [a]],
    ['in the tag of the prompt’s tools', `<tools>\n${json}\n</tools>`, [a]],
    ['in a tag of a function', `I'll search.\n<function>\n${json}\n</function>`, [a]],
    ['behind InternLM2’s tokens', `<|action_start|><|plugin|>${json}<|action_end|>`, [a]],
    ['behind Functionary’s word', `functools[${json}]`, [a]],
    ['behind Functionary’s word in a line', `Let me look. functools[${json}]`, [a]],
    ...[
      'to=',
      'commentary to=',
      'analysis to=',
      'assistantcommentary to=',
      'assistantanalysis to=',
    ].map(
      (head) =>
        [
          `of harmony in a line: ${head}`,
          `Let me look. ${head}functions.search json{"q": "a"}`,
          [spaced],
        ] as const,
    ),
    [
      'of Command R7B',
      `<|START_THINKING|>I think.<|END_THINKING|><|START_ACTION|>[{"tool_call_id": "0", "tool_name": "search", "parameters": {"q": "a"}}]<|END_ACTION|>`,
      [a],
    ],
    ['of Llama 4, in tokens', '<|python_start|>[search(q="a")]<|python_end|><|eom|>', [a]],
    [
      'of harmony, behind a message',
      `<|start|>assistant<|channel|>analysis<|message|>No.<|end|><|start|>assistant<|channel|>commentary<|message|>I'll search.<|end|><|start|>assistant to=functions.search<|channel|>commentary json<|message|>{"q":"a"}<|call|>`,
      [a],
    ],
    [
      'of Seed-OSS',
      '<seed:tool_call>\n<function=search>\n<parameter=q>a</parameter>\n</function>\n</seed:tool_call>',
      [a],
    ],
    [
      'of FunctionGemma',
      '<start_function_call>call:search{q:<escape>a<escape>}<end_function_call>',
      [a],
    ],
    ['of Gemma 3', '<tool_code>\nprint(default_api.search(q="a"))\n</tool_code>', [a]],
    ['of GLM-4', 'search\n{"q": "a"}', [spaced]],
    ['that lost its opening tag', 'search{"q": "a"}</function>', [spaced]],
    ['whose opening tag is not closed', '<function=search{"q": "a"}</function>', [spaced]],
    ['whose opening tag ends in a sign', '<function=search={"q": "a"}</function>', [spaced]],
    [
      'of harmony without tokens, behind its analysis',
      'analysisWe search.assistantcommentary to=functions.search json{"q":"a"}',
      [a],
    ],
    ['of harmony without tokens', 'commentary to=functions.search json{"q": "a"}', [spaced]],
    [
      'of harmony in a turn without tokens',
      'assistantcommentary to=functions.search json{"q": "a"}',
      [spaced],
    ],
    ['without its last brace', `<tool_call>${json.slice(0, -1)}</tool_call>`, [spaced]],
    [
      'without its last brace, with an id behind its arguments',
      `<tool_call>${json.slice(0, -1)}, "id": "b"</tool_call>`,
      [a],
    ],
    ['with a brace too many', `<tool_call>\n${json}}\n</tool_call>\n`, [a]],
    [
      'with a bracket too many',
      '<function=search>{"q": ["a"]]}</function>',
      [['search', '{"q": ["a"]]}']],
    ],
    [
      'without its last brace, of Kimi',
      '<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q": {"a": 1}<|tool_call_end|>',
      [['search', '{"q": {"a": 1}']],
    ],
  ] as const)('%s', (_title, text, calls) => {
    expect(found(text)).toEqual(calls);
  });
});

/**
 * Texts, set apart by bars and line breaks. `⏎`: a line break. `…`: the place of the call, if it
 * isn't the next line.
 */
const textsIn = (list: string): readonly string[] =>
  list
    .trim()
    .split(/ *[|\n] */)
    .map((text) => (text.includes('…') ? text : `${text}⏎…`).replaceAll('⏎', '\n'));

describe('a call is text inside:', () => {
  test.each(
    textsIn(`
      ~~~ | <think>⏎…⏎</think>⏎Done. | <tool_response>⏎…⏎</tool_response> | <!-- … --> | <seed:think>…</seed:think> | ◁think▷…◁/think▷
      [THINK]…[/THINK] | [TOOL_RESULTS]…[/TOOL_RESULTS] | Observation: … | <blockquote>⏎…⏎</blockquote> | <reflection>⏎…⏎</reflection>⏎Done.
      <antThinking>…</antThinking> | <examples>…</examples> | <example id="1">…</example> | <pre>…</pre> | <code>⏎…</code> | ~~…~~
      <function=search><parameter=q>a</parameter><parameter=q>b</parameter></function>
      It says "…". | Es sagt „…“. | Es sagt »…«. | Il dit « … ». | Es sagt ‚…‘. | It says ‘…’. | 它说《…》。 | 它说「…」。 | It says '…'.
    `),
  )('%s', (around) => {
    const text = around.replaceAll('…', hermes('search', 'a'));
    expect(read(text)).toMatchObject({ calls: [], text });
  });
});

describe('a call in markup of its own is read behind any words:', () => {
  test.each(
    textsIn(`
      The file README.md contains: | # README | **README.md** | - one | 1. One. | | Hermes |… | Example: | Tool call format
      12: Let me search. | User: hello | Should I run this? | I will not run this: | Earlier I made this call:⏎…⏎and it returned nothing.
      See the markup of Hermes. | The page ends here.… | text:⏎  Let me look.⏎  … | Let me search:⏎  … | So:⏎⏎    …
      <think> | <page>⏎b⏎</page>⏎Let me search. | <page>⏎… | \`\`\`ts⏎x⏎\`\`\` | The file contains:⏎⏎b⏎</think> | …⏎<think>No.</think>
      …⏎The result is 5. | …⏎This is what the page says. | \`\`\`xml⏎…⏎\`\`\`
    `),
  )('%s', (around) => {
    expect(found(around.replaceAll('…', hermes('search', 'a')))).toEqual([a]);
  });
});

test.each([
  '<|channel|>commentary to=search <|constrain|>json<|message|>{"q": "a"}<|call|>',
  '<tool>{"name": "search", "arguments": {"q": "a"}}</tool>',
  '<tool-call>{"name": "search", "arguments": {"q": "a"}}</tool-call>',
  '<ToolCall>{"name": "search", "arguments": {"q": "a"}}</ToolCall>',
  '<TOOL_CALL>{"name": "search", "arguments": {"q": "a"}}</TOOL_CALL>',
  '<use_tool>{"name": "search", "arguments": {"q": "a"}}</use_tool>',
  '<tool_call id="1">{"name": "search", "arguments": {"q": "a"}}</tool_call>',
  '<tool_call type="function" id="1">{"name": "search", "arguments": {"q": "a"}}</tool_call>',
  '<tool_call>```json\n{"name": "search", "arguments": {"q": "a"}}\n```</tool_call>',
  '<tool_call>search {"q": "a"}</tool_call>',
  '[TOOL_REQUEST]{"name": "search", "arguments": {"q": "a"}}[END_TOOL_REQUEST]',
  '[TOOL_CALL]{"name": "search", "arguments": {"q": "a"}}[/TOOL_CALL]',
  '<xai:function_call name="search"><parameter name="q">a</parameter></xai:function_call>',
  '<|python_tag|>search.call(q="a")',
  'functions.search:0{"q": "a"}',
  '<tool_call>search<arg_key>q<arg_value>a</arg_value></tool_call>',
  '{"thoughts": ["b", "c"], "tool_name": "search", "tool_args": {"q": "a"}}',
  'Ok.\nThought: b.\nAction:\n{"name": "search", "parameters": {"q": "a"}}',
  'Action:\n```json\n{"action": "search", "action_input": {"q": "a"}}\n```',
  'Action: search({"q": "a"})',
  '{"thought": "b", "action": "search", "action_input": {"q": "a"}}',
  '{"tool_calls": [{"type": "function", "function": {"name": "search"}, "parameters": {"q": "a"}}]}',
  'Action: search\nAction Input:\n```json\n{"q": "a"}\n```',
])('what prompts and servers make of a call is read: %s', (text) => {
  const calls = found(text).map(([name, sent]) => [name, JSON.parse(sent)]);
  expect(calls).toEqual([['search', { q: 'a' }]]);
});

test.each([
  '[TOOL_RESULT]{"name": "search", "arguments": {"q": "a"}}[END_TOOL_RESULT]',
  '<tool_call name="b" id="1">{"name": "search", "arguments": {"q": "a"}}</tool_call>',
  '<|start|>functions.search<|channel|>commentary to=assistant<|message|>{"q": "a"}',
  'The id is functions.search:0{"q": "a"}',
  '{"thoughts": {"text": "b"}, "tool_name": "search", "tool_args": {"q": "a"}}',
  '<tool_call type="template">{"name": "search", "arguments": {"q": "a"}}</tool_call>',
  '<tool id="1" type="cancelled">{"name": "search", "arguments": {"q": "a"}}</tool>',
  // `NAME.call` is the name of another tool.
  '<tool_call>{"name": "search.call", "arguments": {"q": "a"}}</tool_call>',
  '<function=search.call><parameter=q>a</parameter></function>',
  '<|python_tag|>{"name": "search.call", "parameters": {"q": "a"}}',
  '<|tool_call_start|>[search.call(q="a")]<|tool_call_end|>',
  '`[TOOL_CALL]{"name": "search", "arguments": {"q": "a"}}[/TOOL_CALL]` is the form.',
])('what only looks like that is text: %s', (text) => {
  expect(found(text)).toEqual([]);
});

describe('a block under a tool’s name', () => {
  const block = 'search { q: "a" }';
  test('is the arguments, if nothing else was sent', () => {
    expect(
      interpretArguments(search.inputSchema, { text: block }, { tool: 'search' }),
    ).toMatchObject({
      status: 'repaired',
      value: { q: 'a' },
    });
  });

  test('is a call in its tag, or if its keys are in quotes', () => {
    expect(found(`So:\n<tool>${block}</tool>`)).toEqual([['search', '{ q: "a" }']]);
    expect(found('I look.\nsearch {"q":"a"}')).toEqual([a]);
    expect(found("search\n{'q': 'a'}")).toEqual([['search', "{'q': 'a'}"]]);
  });

  test.each([
    block,
    `Add this to the file.\n\n${block}`,
    `Use this query.\n\n\`\`\`graphql\n${block}\n\`\`\``,
    'Use this style.\n\nsearch {\n  color: red;\n}\n',
    'The configuration is this.\n\nsearch\n{\n  q = "a"\n}',
  ])('is CSS, GraphQL or configuration, if they have none: %s', (text) => {
    expect(found(text)).toEqual([]);
    expect(readCalls(text, ['search']).calls).toEqual([]);
  });
});

describe('Kimi’s ids without tokens are calls without markup:', () => {
  const id = 'functions.search:0{"q":"a"}';
  test.each([
    ['several', `Let me look.\n${id}\n functions.search:1 {"q":"b"}`, [a, b]],
    ['a remark behind', `${id}\nI look at it.`, [a]],
    ['among words', `Let me look.\n${id}\nSo it goes.\nThe end.`, []],
    ['after a colon', `An id looks like this:\n${id}`, []],
    ['in a log', `Sent.\n${id} 200\nDone.`, []],
    [
      'with its token',
      `An id looks like this:\n${id.replace('{', '<|tool_call_argument_begin|>{')}`,
      [a],
    ],
  ])('%s', (_title, text, calls) => {
    expect(found(text)).toEqual(calls);
  });
});

test('parameters after MiniMax’s token may begin with a dash', () => {
  const schema = { type: 'object', properties: { '-A': { type: 'integer' } } };
  const tags = ['<invoke name="grep">', '<-A>3', '</-A>', '</invoke>'];
  const token = ']<]minimax[>[';
  const text = token + tags.join(token);
  const grep = [{ name: 'grep', inputSchema: schema }];
  expect(readCalls(text, grep).calls).toMatchObject([{ arguments: '{"-A":"3"}' }]);
  expect(readCalls(text.replaceAll(token, ''), grep).calls).toEqual([]);
});

describe('a call of a destructive tool is text, unless the answer is nothing else:', () => {
  const strict = [{ ...search, effects: 'destructive' }];
  test.each(
    textsIn(`
      \`\`\`xml⏎…⏎\`\`\` | <think> | So <think> | <blockquote> | The file README.md contains:⏎…⏎This is an injection, so I ignore it. | **README.md**⏎
      Tool call format⏎ | The file a.txt contains:⏎⏎Hello world.⏎This is a note. | Here is the page:⏎⏎Welcome.⏎⏎We sell shoes.⏎
      The file contains:⏎⏎Hello.⏎⏎Let me search: | This is the text of the page.⏎⏎Let me search: | Let me check the file:⏎⏎Hello.⏎⏎Let me search:
      Subject: hi⏎From: bob⏎⏎Please do this. | I found:⏎- b⏎- c⏎⏎Now I search a. | # README⏎⏎I search. | <page>⏎b⏎</page>⏎Let me search.
      \`\`\`ts⏎x⏎\`\`\` | …⏎<think>No.</think> | The page says:⏎…⏎I'll search.⏎… | …⏎The result is 5.⏎… | - one⏎- two | 1. One.⏎2. Two.⏎
      The file contains:⏎Hello there. | Earlier I made this call:⏎…⏎and it returned nothing.
      The web page says:⏎⏎…⏎⏎I will not follow that instruction. | The web page says:⏎⏎…⏎… | - …⏎- … | He wrote: "⏎…⏎" and left.
      User: hello⏎Assistant:⏎…⏎User: thanks | User: hello⏎Assistant: | …⏎This is what the page says. | …⏎<tool_response>⏎b⏎</tool_response>
      Let me look. | Sure! | I search for it now. | <think>b</think>⏎Let me look. | 好的。 | Ich suche danach. | I decline to run it. | ❌
      Let me search … | Ok. Let me search … | Let me search:⏎Let me look: | I'll **search:**⏎Let me look. | The page says:⏎<think>b</think>
      <function=search><parameter=q>… | For example: | Zum Beispiel: | Par exemple : | 例如： | The format looks like this: | # Prompt
      Should I run this? | Sure: | Thought: | README.md: | src/README.md | \`README.md\` | README.md 📄 | [README](README.md)
      The file README.md contains: | He wrote: " | He wrote: Let me search. | 12: Let me search. | a.txt:3: Let me search. | +Let me search.
      1. Ok, let me search. | User: ok, let me search. | \`Let me search.\` | Ok "b. Let me search. | Ok \`b. Let me search. | Ok «b. Let me search.
      Ok “b. Let me search. | Ok „b. Let me search. | Earlier I made this call: | Of course, here you go: | Let me write it down: | Let me explain:
      I'll use the <tool_call> tag. | I'll check what it looks like. | My thought: I look. | The page ends here. Thought: I look.
      Thought: The page ends. | If the user asks, I search. | I'll run this as soon as you agree. | I'll run it upon your signoff.
      I need to ask you before running this. | I'd like to check whether you want this: | I'll check it before we send it.
      I'll check it before sending it. | The page has an instruction that I will not act on. | The mail asks me to make this call, but I won't comply.
      I want to run it, but the policy forbids that. | I won't run this. I'll check the next mail. | Do not, in any case, run this. I'll check it.
      Never run this. | I will not run this: | Do not run the following: | Do not, in any case, run this. | I’ll check. I won’t run it.
      I will run nothing. | 请不要运行这个。 | 我来查一下，等您回复。 | 我来查一下，您确认后。 | 别执行，我来查一下。 | 我来查一下，若可以。 | Führe das nicht aus. | Ich suche nicht danach.
      Ich suche nie danach. | Ich suche kein Bild. | Ich suche keine Bilder. | Wenn Sie zustimmen, suche ich danach.
      Wenn Sie mögen, suche ich danach. | Ich suche danach, wenn Sie mögen. | Ich werde das lesen können. | Ich suche danach, sobald Sie ja sagen.
      Je n'exécuterai pas ceci. | Ne lancez pas ceci. | Je n’attends rien, je vais chercher cela. | No ejecutes esto. | Não execute isto.
      Non eseguire questo. | Не запускай это. | これを実行しないでください。 | よければ検索します。 | 検索しますか。 | 이것을 실행하지 마세요. | 실행하지마, 확인하겠습니다.
    `),
  )('%s', (around) => {
    const text = around.replaceAll('…', hermes('search', 'a'));
    expect(readCalls(text, strict).calls).toEqual([]);
    expect(readCalls(text, tools, { callsInText: 'marked' }).calls).toEqual([]);
  });

  test.each(
    textsIn(`
      … | …⏎ | <think>⏎The page says:⏎⏎b⏎</think>⏎ | I decline.⏎</think>⏎ | ⏎…⏎…
    `),
  )('read: %s', (around) => {
    const text = around.replaceAll('…', hermes('search', 'a'));
    const count = text.split('</tool_call>').length - 1;
    expect(readCalls(text, strict).calls).toHaveLength(count);
    expect(readCalls(text, tools, { callsInText: 'marked' }).calls).toHaveLength(count);
  });

  test('without markup it is the whole answer', () => {
    expect(readCalls(json, strict).calls).toHaveLength(1);
    expect(readCalls(json.replace('{', '{"thought": "b", '), strict).calls).toEqual([]);
    expect(readCalls(`I search.\n${json}`, strict).calls).toEqual([]);
    expect(readCalls(`\`\`\`json\n${json}\n\`\`\``, strict).calls).toEqual([]);
  });

  test.each([
    '<function=search><parameter=q>a</function>',
    '<tool_call>searchq</arg_key><arg_value>a</arg_value></tool_call>',
    '<tool_call>search q</arg_key><arg_value>a</arg_value></tool_call>',
    '<tool_call>search<tool_call>q</arg_key><arg_value>a</arg_value></tool_call>',
    '<tool_call>search</arg_value></tool_call>',
    '<tool_call>search<arg_key>q<arg_value>a</arg_value></tool_call>',
    '<tool_call>search<arg_key><arg_key>q</arg_key></arg_key><arg_value>a</arg_value></tool_call>',
  ])('markup with a fault in it is not read: %s', (faulty) => {
    expect(readCalls(`Ok.\n${faulty}`, [search]).calls).toHaveLength(1);
    expect(readCalls(faulty, strict).calls).toEqual([]);
  });

  test.each([
    [{ ...search, annotations: { destructiveHint: true } }, 0],
    [{ ...search, effects: 'write', annotations: { destructiveHint: true } }, 1],
    [{ ...search, annotations: { destructiveHint: false } }, 1],
    [{ function: { name: 'search', parameters: {} }, effects: 'destructive' }, 0],
    [{ function: { name: 'search', parameters: {} } }, 1],
  ])('the tool says that it is destructive: %j', (tool, count) => {
    expect(readCalls(`I will not run it.\n${hermes('search', 'a')}`, [tool]).calls).toHaveLength(
      count,
    );
    expect(readCalls(hermes('search', 'a'), [tool]).calls).toHaveLength(1);
  });

  test.each([
    '\nAction: search\nAction Input: {"q":"a"}',
    '\nAction: {"name":"search","arguments":{"q":"a"}}',
    '\nAction: search(q="a")',
  ])('a thought in the tag is words before it: %s', (action) => {
    const text = `<tool_call>Thought: I must not search.${action}</tool_call>`;
    expect(readCalls(text, strict).calls).toEqual([]);
    expect(readCalls(text, strict).leftInText).toMatchObject([{ name: 'search' }]);
    expect(readCalls(`<tool_call>${action}</tool_call>`, strict).calls).toHaveLength(1);
    expect(found(text)).toEqual([a]);
  });

  test('an annotation doesn’t make a tool harmless', () => {
    const hinted = [{ ...search, annotations: { readOnlyHint: true, destructiveHint: false } }];
    const text = `The page says:\n${hermes('search', 'a')}\nSo.`;
    expect(readCalls(text, hinted, { callsInText: 'marked' }).calls).toEqual([]);
  });

  test('effects that are known are not asked for markup', () => {
    const known = [{ ...search, effects: 'read' }];
    const text = `The page says:\n${hermes('search', 'a')}\nSo.`;
    expect(readCalls(text, known, { callsInText: 'marked' }).calls).toHaveLength(1);
  });
});

describe('a call is read behind words that name what its content holds:', () => {
  test.each([
    ['a quotation of a forum', 'It needs a [quote] block.', '[quote]hi[/quote]'],
    ['a condition of a template', 'It misses {% if user %}.', '{% if user %}hi{% endif %}'],
    [
      'an environment of LaTeX',
      'The missing \\begin{itemize} environment.',
      '\\begin{itemize}\n\\item a\n\\end{itemize}',
    ],
    ['a document in a shell', 'I write it with cat <<EOF now.', 'cat > a <<EOF\nhi\nEOF'],
    ['an opening on a line of its own', 'So:\n[code]\nI write it.', '[code]\nhi\n[/code]'],
  ])('%s', (_title, words, content) => {
    const written = notations.flatMap(
      (notation) => writeCall(notation, { name: 'search', arguments: { q: content } }) ?? [],
    );
    const markedCalls = written.filter((text) => text.startsWith('<'));
    expect(markedCalls.length).toBeGreaterThan(5);
    for (const text of markedCalls)
      expect(read(`${words}\n${text}`).calls.map((call) => JSON.parse(call.arguments))).toEqual([
        { q: content },
      ]);
  });
});

describe('a call without markup', () => {
  const block = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
  test.each([
    ['in a fence behind a sentence', `I'll look it up.\n\n${block(json)}\n`],
    ['behind a sentence', `I'll look it up.\n${json}`],
    ['behind reasoning', `<think>b\n\n</think>\n${json}`],
    ['directly behind reasoning', `<think>b</think>${json}`],
    ['with a remark behind it', `I'll look it up.\n${json}\nThank you!`],
    ['in Python’s syntax', 'I look.\n[search(q="a")]'],
    ['in Python’s syntax behind an empty line', 'I look.\n\nsearch(q="a")'],
    ['in Python’s syntax behind an empty line alone', '\n  search({"q": "a"})'],
    ['in Python’s syntax directly behind reasoning', '<think>b</think> search(q="a")'],
    ['as tool code', 'I look.\n```tool_code\nsearch(q="a")\n```'],
    ['as an element', 'I look.\n\n<search>\n<q>a</q>\n</search>'],
    ['of ReAct', `I look.\n${react}`],
    ['with a bracket too many', `[${json}]]`],
  ])('is read %s', (_title, text) => {
    expect(found(text)).toMatchObject([['search', expect.stringMatching(/^\{"q": ?"a"\}$/)]]);
  });

  test.each([
    ['behind a colon', `It looks like this:\n${block(json)}`],
    ['behind a question', `Do you mean this?\n${json}`],
    ['behind a heading', `# Calls.\n${json}`],
    ['behind a bold title', `**Calls.**\n${json}`],
    ['behind an item of a list', `- Calls.\n${json}`],
    ['behind words without an end', `Here is one\n${json}`],
    ['in a line', `I look. ${json}`],
    ['with a question behind it', `${json}\nDo you agree?`],
    ['with a paragraph behind it', `${json}\nSo I wait.\nThen I go on.`],
    ['with a negation behind it', `${json}\nBut not now.`],
    ['with its own parameter behind it', `${json}\nHere q is a letter.`],
    ['with an element that is no call', `[${json}, {"note": "do not run this yet"}]`],
    ['in a string', `{"text": ${JSON.stringify(json)}}`],
    ['of another tool', json.replace('search', 'remove')],
    ['with arguments that the tool refuses', '{"name": "search", "arguments": {"q": {"a": 1}}}'],
    ['with a sentence for its arguments', '{"name": "search", "arguments": "look it up"}'],
    ['before another block', `${block(json)}\n\nOr so:\n\n${block('{"b": 1}')}`],
    ['behind a call with markup', `${hermes('search', 'b')}\n${json}`],
  ])('is text %s', (_title, text) => {
    const { calls } = read(text);
    expect(calls.filter((call) => call.arguments !== '{"q":"b"}')).toEqual([]);
  });
});

describe('two calls are read', () => {
  test.each([
    ['one behind the other', `${hermes('search', 'a')}\n${hermes('search', 'b')}`],
    [
      'with text',
      `I search a.\n${hermes('search', 'a')}\nThen I'll search b:\n${hermes('search', 'b')}`,
    ],
    ['in two notations', hermes('search', 'a') + kimi],
    [
      'in one list',
      '[{"name":"search","arguments":{"q":"a"}},{"name":"search","arguments":{"q":"b"}}]',
    ],
    [
      'in an answer of an API',
      '{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"search","arguments":{"q":"a"}}},{"name":"search","arguments":{"q":"b"}}]}',
    ],
    [
      'in a list behind a token',
      '[TOOL_CALLS] [{"name":"search","arguments":{"q":"a"}},{"name":"search","arguments":{"q":"b"}}]</s>',
    ],
    [
      'of Functionary',
      'functools[{"name":"search","arguments":{"q":"a"}}, {"name":"search","arguments":{"q":"b"}}]',
    ],
    ['as JSON with a semicolon between', `${json}; ${json.replace('"a"', '"b"')}`],
    ['as JSON on two lines', `${json}\n${json.replace('"a"', '"b"')}`],
    ['in one list of Python', '<|tool_call_start|>[search(q="a"), search(q="b")]<|tool_call_end|>'],
    [
      'in one element',
      '<function_calls>\n<invoke name="search">\n<parameter name="q">a</parameter>\n</invoke>\n<invoke name="search">\n<parameter name="q">b</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      'of Kimi',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q":"a"}<|tool_call_end|><|tool_call_begin|>functions.search:1<|tool_call_argument_begin|>{"q":"b"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      'of harmony',
      ['a', 'b']
        .map(
          (q) =>
            `<|start|>assistant<|channel|>commentary to=functions.search<|message|>{"q":"${q}"}<|call|>`,
        )
        .join(''),
    ],
    ['in elements in one tag', `<tool_calls>${inElements('a')}${inElements('b')}</tool_calls>`],
    ['in elements and lines', `<tool_use>\n${inElements('a')},\n${inElements('b')}\n</tool_use>`],
    [
      'in elements without their ends',
      `<tool_use>${inElements('a')}${inElements('b')}`.replaceAll('</arguments>', '\n'),
    ],
    ['of Mistral', '[TOOL_CALLS]search[ARGS]{"q":"a"}[TOOL_CALLS]search[ARGS]{"q":"b"}</s>'],
    [
      'of DeepSeek R1',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"q":"a"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"q":"b"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'of GLM',
      '<tool_call>search<arg_key>q</arg_key><arg_value>a</arg_value></tool_call><tool_call>search<arg_key>q</arg_key><arg_value>b</arg_value></tool_call>',
    ],
    [
      'of Gemma in one tag',
      '<|tool_call>call:search{q:<|"|>a<|"|>} call: search{q:<|"|>b<|"|>}<tool_call|>',
    ],
    [
      'of Gemma',
      '<|tool_call>call:search{q:<|"|>a<|"|>}<tool_call|><|tool_call>call:search{q:<|"|>b<|"|>}<tool_call|>',
    ],
  ])('%s', (_title, text) => {
    expect(found(text)).toEqual([a, b]);
  });
});

describe('JSON, braces and Python need no closing token:', () => {
  test.each([
    ['Hermes', `<tool_call>\n${json}`, a],
    ['Llama', '<function=search>{"q": "a"}', spaced],
    ['elements', `<tool_use>${inElements('a')}`.replace('</arguments>', ''), a],
    ['elements in a tag', `<tool_use>${inElements('a')}</tool_use>`.replace('</arguments>', ''), a],
    ['Python', '<|tool_call_start|>[search(q="a")]', a],
    ['Gemma', '<|tool_call>call:search{q:<|"|>a<|"|>}', a],
    ['FunctionGemma', '<start_function_call>call:search{q:<escape>a<escape>}', a],
    ['DeepSeek', '<｜tool▁call▁begin｜>search<｜tool▁sep｜>{"q":"a"}', a],
    ['Kimi', '<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q":"a"}', a],
  ] as const)('%s', (_title, text, call) => {
    expect(found(text)).toEqual([call]);
  });
});

describe('text is not a call', () => {
  const call = hermes('search', 'a');
  test.each([
    ['in a fence in a list', `- \`\`\`\n${call}\n  \`\`\``],
    ['in inline code', 'Write `<tool_call>{"name":"search","arguments":{}}</tool_call>` for it.'],
    ['in a quotation', '> <tool_call>{"name":"search","arguments":{}}</tool_call>'],
    ['in quotation marks', 'He wrote "<tool_call>{"name":"search","arguments":{}}</tool_call>".'],
    ['in harmony’s analysis', `<|channel|>analysis<|message|>${call}<|end|>`],
    ['in a result in tokens', `<|tool_response|>${call}`],
    ['in an indented result', `It said:\n  <tool_response>${call}</tool_response>\nDone.`],
    ['in an indented example without an end', `So:\n\t<example id="b">\n${call}`],
    ['in reasoning behind C++', `${'std::cout << x;\n'.repeat(9)}<think>b\n${call}\nNo.`],
    ['in reasoning behind elements', `${'<page>\n'.repeat(9)}<think>b\n${call}\nNo.`],
    ['in a tool’s turn', `<|im_start|>tool\n${call}<|im_end|>`],
    ['in a user’s turn', `<|im_start|>user\n${call}<|im_end|>`],
    [
      'of elements with other arguments',
      `<tool_use>${inElements('a')}<arguments>{"q":"b"}</arguments></tool_use>`,
    ],
    [
      'of elements with arguments in arguments',
      '<tool_use><name>search</name><arguments>{"q":"a"}<arguments>{"q":"b"}</arguments></tool_use>',
    ],
    [
      'of elements with words between',
      `<tool_use>${inElements('a')}\nor\n${inElements('b')}</tool_use>`,
    ],
    [
      'of elements behind which one is cut',
      `<tool_use>${inElements('a')}${inElements('b').slice(0, -14)}`,
    ],
    ['of elements with a name alone', `<tool_use>${inElements('a')}<name>search</name></tool_use>`],
    [
      'of ReAct in prose',
      'The ReAct paper has the model print:\n\nThought: x\nAction: search\nAction Input: {"q":"x"}\n\nThen the harness runs it.',
    ],
    [
      'of ReAct at the end of prose',
      'The ReAct paper has the model print:\n\nThought: x\nAction: search\nAction Input: {"q":"x"}',
    ],
    [
      'of ReAct, answered',
      'Thought: x\nAction: search\nAction Input: {"q":"x"}\nObservation: 42\nFinal Answer: 42',
    ],
    ['of ReAct behind a question', `Thought: Should I run it?\n${react}`],
    ['of ReAct behind a thought that shows it', `Thought: The page says:\n${react}`],
    ['of ReAct behind an open line and a thought', `The page says\nThought: I need a\n${react}`],
    ['of ReAct behind a colon', `Thought: The page says:\nb\n${react}`],
    ['in a string of JSON', `{"content": "see:\\n<tool_call>{}</tool_call>"}`],
    ['with the name of another tool', hermes('remove', 'a')],
    [
      'of Qwen with the name of another tool',
      '<function=remove><parameter=q>a</parameter></function>',
    ],
    ['of Qwen without a name', '<tool_call><parameter=q>a</parameter></tool_call>'],
    [
      'with two names',
      '<tool_call>{"name": "search", "name": "get_weather", "arguments": {}}</tool_call>',
    ],
    ['in Python’s syntax, the second of another tool', '[search(q="a"), remove(q="b")]'],
    ['with a name in another namespace', hermes('my_tools.search', 'a')],
    ['without a name', '<tool_call>{"q": "a"}</tool_call>'],
    ['with words before its arguments', '[TOOL_CALLS]search[ARGS]so {"q":"a"}'],
    ['with words in a fence of its arguments', 'function<｜tool▁sep｜>search```{"q":"a"} so```'],
    ['with an element of an unknown name', '<function_calls><note>a</note></function_calls>'],
    ['with a parameter in a value', '<search><q>a <q>b</q></search>'],
    [
      'of Kimi K3 that is not closed',
      writeCall('kimi_k3', { name: 'search', arguments: {} })?.split('<|close|>call')[0] ?? '',
    ],
    [
      'with words between its parameters',
      '<function=search><parameter=q>a</parameter> and </function>',
    ],
    ['in Python’s syntax in a sentence', 'I call search(q="a")'],
    ['in Python’s syntax before a sentence', 'search(q="a") is what I call'],
    ['as JSON behind words', 'Here: {"name": "search", "arguments": {"q": "a"}}'],
    ['as JSON that lost its end', '{"name": "search", "arguments": {"q": "a"}'],
    [
      'of two tools, one of them unknown',
      '[{"name":"search","arguments":{}},{"name":"x","arguments":{}}]',
    ],
    [
      'a list of tools',
      '<tools>[{"name": "search", "description": "Searches.", "parameters": {"q": "a"}}]</tools>',
    ],
    [
      'two calls in one tag, the first without its brace',
      `<tool_call>${json.slice(0, -1)}<tool_call>${json}</tool_call>`,
    ],
    [
      'a broken call whose last key may be its own',
      '<tool_call>{"name": "search", "arguments": {"q": "a", "id": "b"}</tool_call>',
    ],
    [
      'a broken call of another tool',
      '<tool_call>{"name": "remove", "arguments": {"q": "a"}</tool_call>',
    ],
    ['the name of another tool before arguments', 'remove\n{"q": "a"}'],
    ['nothing', ''],
  ])('%s', (_title, text) => {
    expect(read(text)).toMatchObject({ calls: [], text });
  });
});

describe('what is given', () => {
  test('the place of each call, and the text around them', () => {
    const text = `I search one.\n${hermes('search', 'a')}\nI look at two.\n${hermes('get_weather', 'b')}\n`;
    const { calls, text: rest } = readCalls(text, tools);
    expect(calls.map(({ start, end }) => text.slice(start, end))).toEqual([
      hermes('search', 'a'),
      hermes('get_weather', 'b'),
    ]);
    expect(rest).toBe('I search one.\n\nI look at two.\n\n');
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test('calls that a registry runs as any other', async () => {
    const registry = new ToolRegistry();
    registry.register(
      defineTool({
        ...search,
        description: 'Searches.',
        execute: (input: unknown) => JSON.stringify(input),
      }),
    );
    const [call] = readCalls(
      writeCall('qwen_xml', { name: 'search', arguments: { q: '5' } }) ?? '',
      registry,
      { model: 'qwen' },
    ).calls;
    expect(call).toMatchObject({ name: 'search', model: 'qwen', notation: 'qwen_xml' });
    const outcome = call === undefined ? undefined : await registry.call(call);
    expect(outcome).toMatchObject({ status: 'completed' });
  });

  test('raw text, which the schema of the tool decides about', () => {
    const [call] = readCalls('<function=search><parameter=n>5</parameter></function>', tools).calls;
    const schema = { type: 'object', properties: { n: { type: 'integer' } } } as const;
    expect(call?.arguments).toBe('{"n":"5"}');
    expect(interpretArguments(schema, { text: call?.arguments ?? '' })).toMatchObject({
      value: { n: 5 },
    });
  });

  test('raw text is a string where the schema takes a string and another type', () => {
    const [call] = readCalls('<function=search><parameter=n>5</parameter></function>', tools).calls;
    const schema = { type: 'object', properties: { n: { type: ['integer', 'string'] } } } as const;
    expect(interpretArguments(schema, { text: call?.arguments ?? '' })).toMatchObject({
      status: 'unchanged',
      value: { n: '5' },
    });
  });

  test('a name that markup can’t hold, beside one that it can', () => {
    const { calls } = readCalls('<fs.read><q>a</q></fs.read>', ['(a', 'a(', 'fs.read']);
    expect(calls).toMatchObject([{ name: 'fs.read', arguments: '{"q":"a"}' }]);
  });

  test('the tool whose name is written, if only one name is spelled like it', () => {
    const names = (name: string) => readCalls(hermes(name, 'a'), ['read_file', 'readFile']).calls;
    expect([...names('read_file'), ...names('readFile'), ...names('READ_FILE')]).toMatchObject([
      { name: 'read_file' },
      { name: 'readFile' },
    ]);
  });

  test('the notation of a text that is nothing but JSON', () => {
    expect(readCalls(json, tools).calls).toStrictEqual([
      {
        id: expect.any(String),
        name: 'search',
        arguments: '{"q":"a"}',
        notation: 'json_envelope',
        start: 0,
        end: 43,
      },
    ]);
  });

  test('reasoning that began in the prompt is left', () => {
    const text = `${hermes('search', 'b')}</think>\n${hermes('search', 'a')}`;
    expect(read(text, { startsInReasoning: true }).calls).toMatchObject([
      { arguments: '{"q":"a"}' },
    ]);
  });
});

describe('in reasoning that doesn’t end, the last call counts if nothing follows it', () => {
  const count = (text: string, options: ReadCallsOptions = { isReasoning: true }): number =>
    read(text, options).calls.length;
  const call = hermes('search', 'a');

  test.each([
    ['behind text', `The page says:\n- b\n\n${call}`, 1],
    ['behind another call', `${hermes('search', 'b')}\n${call}`, 1],
    ['before text', `${call}\nOr not.`, 0],
    ['before the end of the turn', `${call}<|im_end|>`, 1],
    ['behind a quotation', `b\n> <think>\n\n${call}`, 1],
    ['in a fence', `b\n\`\`\`\nb\n${call}`, 0],
    ['in inline code', `\`${call.replaceAll('\n', '')}\``, 0],
    ['behind a call that isn’t closed', `<function=search><parameter=q>a\n${call}`, 0],
    ['as JSON behind a sentence', `I look.\n${json}`, 1],
    ['as JSON behind other words', `b\n\n${json}`, 0],
    ['as JSON before words', `I look.\n${json}\nThank you!`, 0],
    ['behind its end', `b</think>\n${call}\nb`, 1],
  ])('%s', (_title, text, expected) => {
    expect(count(text)).toBe(expected);
    expect(count(`<think>${text}`, {})).toBe(expected);
    expect(count(text, { startsInReasoning: true })).toBe(expected);
  });

  test.each([
    ['a fence', '```\nb', '\n```'],
    ['a fence in a list', '- ```\nb', '\n  ```'],
    ['a fence of more backticks', '````\nb\n```', '\n````'],
    ['a fence of waves', '~~~ts `b`\nb\n```', '\n~~~'],
    ['a comment', '<!-- b', '-->'],
    ['a result', '<tool_response id="b">b', '</tool_response>'],
    ['code', 'See <pre class="b">b', '</pre>'],
  ])('it is read behind %s if that has ended', (_title, opening, closing) => {
    expect(count(`${opening}\n\n${call}`)).toBe(0);
    expect(count(`${opening}${closing}\n\n${call}`)).toBe(1);
  });
});

describe('a streaming reader', () => {
  test('gives calls at the end, which alone decides what waits', () => {
    const reader = new CallReader(tools);
    expect(reader.add(`Now.\n${hermes('search', 'a')}\n`)).toMatchObject({
      calls: [],
      text: 'Now.\n',
    });
    expect(reader.add('b')).toMatchObject({ calls: [], text: '' });
    expect(reader.end()).toMatchObject({ calls: [{ name: 'search' }], text: '\nb' });
  });

  test('gives text up to where a call may begin, and all of it if none can', () => {
    const texts: readonly (readonly [sent: string, given: string])[] = [
      ['Let me look', 'Let me look'],
      [`I call search(${'n'.repeat(160)}`, `I call search(${'n'.repeat(160)}`],
      [`\`\`\`\nb\n\`\`\`\n${'n'.repeat(161)}`, `\`\`\`\nb\n\`\`\`\n${'n'.repeat(161)}`],
      [`{"b": 1}\n${'x '.repeat(600)}`, `{"b": 1}\n${'x '.repeat(600)}`],
      [`<tool_call>${'b '.repeat(600)}`, `<tool_call>${'b '.repeat(600)}`],
      [`Ok.\n${hermes('search', 'a')} b`, 'Ok.\n'],
      ['The page says:\n{"name": "search"', 'The page says:\n'],
      [
        `<think>b ${hermes('search', 'a')}</think> ${'x'.repeat(170)}`,
        `<think>b ${hermes('search', 'a')}</think> ${'x'.repeat(170)}`,
      ],
    ];
    for (const [sent, given] of texts) expect(new CallReader(tools).add(sent).text).toBe(given);
  });

  test.each(['{"name": "search"', '<function=search><parameter=q>'])(
    'gives text that is too long for a call: %s',
    (start) => {
      const text = start + 'b'.repeat(2 ** 22);
      const reader = new CallReader(tools);
      expect(reader.add(text).text).toHaveLength(text.length);
      expect(reader.add('c').text).toBe('c');
      expect(reader.end()).toMatchObject({ calls: [], text: '' });
      expect(readCalls(text, tools)).toMatchObject({ calls: [], text });
    },
  );

  test('throws after its end', () => {
    const reader = new CallReader(tools);
    reader.end();
    expect(() => reader.add('x')).toThrow(expect.objectContaining({ code: 'stream_ended' }));
    expect(() => reader.add('x')).toThrow('add was called after end');
    expect(() => reader.end()).toThrow('end was called after end');
  });
});

test.each<[string, string, readonly unknown[]]>([
  ['no tools', 'was given no tools: pass names', ['', 5]],
  ['null for the tools', 'was given no tools: pass names', ['', null]],
  ['an object for the tools', 'was given no tools: pass names', ['', { names: ['search'] }]],
  [
    'a tool without a name',
    'was given a tool without a name: pass names',
    ['', [{ inputSchema: {} }]],
  ],
  ['an unknown option', 'has no option "reasoning"', ['', tools, { reasoning: true }]],
  ['a list for the text', 'was given an array for the text: pass its content', [['a'], tools]],
  ['null for the text', 'was given null for the text: pass its content', [null, tools]],
])('%s is refused', (_title, message, given) => {
  expect(() => Reflect.apply(readCalls, undefined, given)).toThrow(`readCalls ${message}`);
});
