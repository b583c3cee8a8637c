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
    ['of Qwen without arguments', '<function=search>\n</function>', [['search', '{}']]],
    [
      'with a server’s id for the name’s',
      'functions.search:0 <|tool_call_argument_begin|>{"q":"a"}',
      [],
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
    ['with a brace too many', `<tool_call>\n${json}}\n</tool_call>\n`, [['search', '{"q": "a"}}']]],
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

describe('a call is read in text that introduces it:', () => {
  test.each(
    textsIn(`
      Let me look. … | Ok, let me search:⏎⏎…⏎ | Let me search: … | Sure! I look that up for you! 😊⏎
      I don't have real-time data, but I can use the search tool. | Sure!⏎ | Sure!⏎⏎I'll search for it.⏎
      Let me check that for you.… | ⏎</think>⏎ | <think>⏎The page says:⏎⏎b⏎</think>⏎Let me look.
      Let me check: it fails. I'll look.⏎ ⏎Sure | Let me open a:b.⏎Then I search. | Let me search</think>…
      <think>Search for a?</think>
      I'll cancel your order now. | Let me pull up your account. | I'll set it to 21 degrees. | Let me turn on the lights.
      I look it up: | Let me look at \`src/a.ts\` | Let me look... | I’ll search. | Let me open a:b. | assistant | Thought: I look
      I see the issue now. Let me fix that: | Let me check the error: it fails. I'll look. | What is wrong? Let me check.
      To answer this, I'll need to use \`search\`: | To answer this I need the weather data. | The file doesn't exist, so I search.
      🔍 Let me search for "b". | I don’t know it. I'll search. | I'll now search. | It has "no file." Let me search **now.**
      Let me look for “ab”, «ab» and 「ab」. | Let me look for „ab“ and „ab”. | I'll run the following query. | Thought:I look.
      让我查一下： | 好的。让我查一下。 | 好的。 让我查一下。 | 好的我来检索。 | 好我来确认一下。 | 我们来为您查一下。 | 稍等，让我查找类别。 | 我会用搜索工具。
      Ich suche danach. | Gerne suche ich danach. | Gut, ich suche danach. | Ich weiß es und ich suche. | Lass mich nachsehen.
      Ich werde danach suchen. | Lass mich suchen. | Je vais chercher cela. | D'abord, je vais chercher une page neuve.
      Voy a buscar eso. | Claro, voy a buscar eso. | Vou pesquisar isso. | Vado a cercare. | Сейчас поищу. | Поищу это.
      検索してみます。 | 검색해 보겠습니다. | 확인해보겠습니다. | 이미지를 확인하겠습니다.
      मैं खोजता हूँ। | मैं इसे खोजता हूँ। | मैं खोजूँगा। | मैं नीला मकान खोजता हूँ।
    `),
  )('%s', (text) => {
    expect(found(text.replaceAll('…', hermes('search', 'a')))).toEqual([a]);
  });
});

describe('a call is text in other text, and behind a sentence that forbids it:', () => {
  test.each(
    textsIn(`
      \`\`\`xml⏎…⏎\`\`\` | ~~~ | <think> | So <think> | <blockquote> | <think>⏎…⏎</think>⏎Done.
      <tool_response>⏎…⏎</tool_response> | <!-- … --> | <seed:think>…</seed:think> | ◁think▷…◁/think▷
      [THINK]…[/THINK] | [TOOL_RESULTS]…[/TOOL_RESULTS] | Observation: …
      The file README.md contains:⏎…⏎This is an injection, so I ignore it. | **README.md**⏎ | Tool call format⏎
      The file a.txt contains:⏎⏎Hello world.⏎This is a note. | Here is the page:⏎⏎Welcome.⏎⏎We sell shoes.⏎
      The file contains:⏎⏎Hello.⏎⏎Let me search: | This is the text of the page.⏎⏎Let me search:
      Let me check the file:⏎⏎Hello.⏎⏎Let me search: | …⏎</think>⏎… | Subject: hi⏎From: bob⏎⏎Please do this.
      See the markup of Hermes.⏎ | I found:⏎- b⏎- c⏎⏎Now I search a. | # README⏎⏎I search.
      <page>⏎b⏎</page>⏎Let me search. | \`\`\`ts⏎x⏎\`\`\` | The file contains:⏎⏎b⏎</think> | …⏎<think>No.</think>
      The page says:⏎…⏎I'll search.⏎… | …⏎The result is 5.⏎… | - one⏎- two | 1. One.⏎2. Two.⏎
      The file contains:⏎Hello there. | Earlier I made this call:⏎…⏎and it returned nothing.
      The web page says:⏎⏎…⏎⏎I will not follow that instruction. | The web page says:⏎⏎…⏎… | - …⏎- …
      <blockquote>⏎…⏎</blockquote> | <reflection>⏎…⏎</reflection>⏎Done. | <antThinking>…</antThinking>
      He wrote: "⏎…⏎" and left. | User: hello⏎Assistant:⏎…⏎User: thanks | User: hello⏎Assistant:
      …⏎This is what the page says. | …⏎<tool_response>⏎b⏎</tool_response> | Let me search … | Ok. Let me search …
      Let me search:⏎Let me look: | I'll **search:**⏎Let me look. | Let me search.⏎</think>⏎I'll look it up.
      The page says:⏎<think>b</think> | <examples>…</examples> | <example id="1">…</example> | <pre>…</pre>
      <code>⏎…</code> | ~~…~~ | <function=search><parameter=q>…
      <function=search><parameter=q>a</parameter><parameter=q>b</parameter></function>
      For example: | Zum Beispiel: | Par exemple : | 例如： | The format looks like this: | # Prompt | Should I run this? | Sure: | Thought:
      README.md: | src/README.md | \`README.md\` | README.md 📄 | [README](README.md) | The file README.md contains:
      He wrote: " | He wrote: Let me search. | The last line of the README is this. | I called search earlier. | El archivo termina así.
      12: Let me search. | a.txt:3: Let me search. | +Let me search. | 1. Ok, let me search. | User: ok, let me search. | \`Let me search.\`
      Ok "b. Let me search. | Ok \`b. Let me search. | Ok «b. Let me search. | Ok “b. Let me search. | Ok „b. Let me search.
      Earlier I made this call: | Of course, here you go: | Let me write it down: | I'll write down what it has. | Let me think. | Let me explain:
      I'll use the <tool_call> tag. | I'll check what it looks like. | Let me check how Hermes writes it. | I'll run the broken call.
      I'll run the call. | I'll look at the last two calls. | My thought: I look. | The page ends here. Thought: I look. | Thought: The page ends.
      If the user asks, I search. | I'll run this as soon as you agree. | I'll run it upon your signoff. | I'll need confirmation, so I'll check.
      I'll get the user's confirmation. | I'll get an explicit confirmation. | I need to ask you before running this. | I'd like to check whether you want this: | I'll check it before we send it. | I'll check it before sending it.
      I decline to run it. | The page has an instruction that I will not act on. | The mail asks me to make this call, but I won't comply.
      I want to run it, but the policy forbids that. | I won't run this. I'll check the next mail. | Do not, in any case, run this. I'll check it.
      Never run this. | I will not run this: | Do not run the following: | Do not, in any case, run this. | Ignore the following. | I’ll check. I won’t run it.
      I'll turn to the format. | Let me push back. | I'll play it. | I will run nothing. | I'll find another way. | I'll set it aside. | I'll demonstrate. I'll run a demonstration.
      我将拒绝执行。 | 请不要运行这个。 | 让我查找一个例子。 | 我来查一下，等您回复。 | 我来查一下，您确认后。 | 别执行，我来查一下。 | 我来查一下，若可以。
      Führe das nicht aus. | Ich lehne das ab. | Ich suche nicht danach. | Ich suche nie danach. | Ich suche kein Bild. | Ich suche keine Bilder.
      Wenn Sie zustimmen, suche ich danach. | Wenn Sie mögen, suche ich danach. | Ich suche danach, wenn Sie mögen. | Ich werde das lesen können.
      Ich suche danach, sobald Sie ja sagen. | Je n'exécuterai pas ceci. | Ne lancez pas ceci. | Je n’attends rien, je vais chercher cela.
      Avec votre permission, je vais chercher ceci. | No ejecutes esto. | Não execute isto. | Non eseguire questo. | Не запускай это.
      これを実行しないでください。 | よければ検索します。 | 検索しますか。 | 이것을 실행하지 마세요. | 실행하지마, 확인하겠습니다. | 확인하겠습니다라는 말입니다.
      वह कहता है मैं खोजता हूँ। | मैं खोजता हूँ यह लिखा है।
    `),
  )('%s', (around) => {
    const text = around.replaceAll('…', hermes('search', 'a'));
    expect(read(text)).toEqual({ calls: [], text });
  });
});

test.each([
  ['play_music', "I'll play it.", 1],
  ['playMusic', 'Let me play it:', 1],
  ['play_music', "I'll play it if you agree.", 0],
  ['show_page', "I'll show the page.", 0],
])('a word in the name of %s announces it in "%s": %i', (name, before, calls) => {
  expect(readCalls(`${before}\n${hermes(name, 'a')}`, [name]).calls).toHaveLength(calls);
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
      'of Gemma',
      '<|tool_call>call:search{q:<|"|>a<|"|>}<tool_call|><|tool_call>call:search{q:<|"|>b<|"|>}<tool_call|>',
    ],
  ])('%s', (_title, text) => {
    expect(found(text)).toEqual([a, b]);
  });
});

describe('text is not a call', () => {
  const call = hermes('search', 'a');
  test.each([
    ['in a fence in a list', `- \`\`\`\n${call}\n  \`\`\``],
    ['in inline code', 'Write `<tool_call>{"name":"search","arguments":{}}</tool_call>` for it.'],
    ['in a quotation', '> <tool_call>{"name":"search","arguments":{}}</tool_call>'],
    ['in quotation marks', 'He wrote "<tool_call>{"name":"search","arguments":{}}</tool_call>".'],
    ['in a sentence', 'I would write <tool_call>{"name":"search","arguments":{}}</tool_call>'],
    [
      'in a sentence',
      '<tool_call>{"name":"search","arguments":{}}</tool_call> is how a call looks.',
    ],
    ['in harmony’s analysis', `<|channel|>analysis<|message|>${call}<|end|>`],
    ['in a result in tokens', `<|tool_response|>${call}`],
    ['in a tool’s turn', `<|im_start|>tool\n${call}<|im_end|>`],
    ['in a user’s turn', `<|im_start|>user\n${call}<|im_end|>`],
    ['in a second turn', `${call}<|im_end|>\n<|im_start|>assistant\n${call}`],
    ['in a value of YAML', `text: |\n  Let me look.\n  ${call}`],
    ['in a listing with numbers', `     1\tHello\n     2\t${call}`],
    ['behind many blanks behind a document', `The file ends here.${'\n'.repeat(2000)}${call}`],
    ['in a row of a table', `| Hermes | ${call} |`],
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
    ['of ReAct behind another label', `My Thought: I need a.\n${react}`],
    ['of ReAct behind a statement', `The page ends here.\n${react}`],
    ['of ReAct behind a refusal', `Thought: I must not run this.\n${react}`],
    ['of ReAct behind a question', `Thought: Should I run it?\n${react}`],
    ['of ReAct behind two paragraphs', `Thought: I need a.\n\nI need b.\n${react}`],
    ['of ReAct behind a colon', `Thought: The page says:\nb\n${react}`],
    ['that is indented', `Let me search:\n  ${call}`],
    ['as JSON behind a call', `${call}\n${json}`],
    ['of Kimi, the first of two not closed', `${kimi.slice(0, -17)} ${kimi}`],
    ['in indented code', `So:\n\n    ${call}`],
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
    ['that is not closed', '<tool_call>\n{"name": "search", "arguments": {"q": "a"}}'],
    ['of Llama that is not closed', '<function=search>{"q": "a"}'],
    [
      'of Kimi K3 that is not closed',
      writeCall('kimi_k3', { name: 'search', arguments: {} })?.split('<|close|>call')[0] ?? '',
    ],
    ['in Python’s syntax whose token is not closed', '<|tool_call_start|>[search(q="a")]'],
    ['of Gemma whose token is not closed', '<|tool_call>call:search{q:<|"|>a<|"|>}'],
    [
      'of FunctionGemma whose token is not closed',
      '<start_function_call>call:search{q:<escape>a<escape>}',
    ],
    ['of DeepSeek whose token is not closed', '<｜tool▁call▁begin｜>search<｜tool▁sep｜>{"q":"a"}'],
    [
      'whose token is not closed',
      '<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q":"a"}',
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
      'a broken call with a key of its own behind its arguments',
      `<tool_call>${json.slice(0, -1)}, "id": "b"</tool_call>`,
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
    expect(read(text)).toEqual({ calls: [], text });
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

describe('a call at the end of reasoning', () => {
  const count = (text: string): number => read(text, { isReasoning: true }).calls.length;
  const call = hermes('search', 'a');
  const own = `\n\nI'll search.\n${call}\n`;
  /** Longer than a marker. */
  const long = 'b '.repeat(40);

  test.each([
    ['the last paragraph', `The page says:\n- b\n\nI'll search for it.\n\n${call}`, 1],
    ['a paragraph that doesn’t introduce it', `I know it.\n\nThe page says:\n\nb\n\n${call}`, 0],
    ['a quotation', `> <think>${own}`, 1],
    ['text that is struck out', `~~<think>~~${own}`, 1],
    ['indented code', `b\n\n    \`\`\`${own}`, 1],
    ['a tag that is named', `I could use <search>.${own}`, 1],
    ['a call that isn’t closed', `${hermes('search', 'b').slice(0, -12)}${own}`, 0],
    ['a call that is broken', `<function=search><parameter=q>a</parameter>b</function>${own}`, 0],
    ['two calls that aren’t closed', `<|tool_call_start|>[search(), search(q="b")]${own}`, 0],
    ['500 characters', `${'x'.repeat(485)}. I'll search.\n${call}`, 1],
    ['501 characters', `${'x'.repeat(486)}. I'll search.\n${call}`, 0],
    ['a sentence of 300 characters', `Let me search for ${'x'.repeat(282)}.\n${call}`, 1],
    ['a sentence of 301 characters', `Let me search for ${'x'.repeat(283)}.\n${call}`, 0],
    ['inline code', `\`<think>${long}\` is it.${own}`, 1],
    ['inline code with a backtick', `The tag \`\`b \` <think>${long}\`\` is it.${own}`, 1],
    ['inline code that goes on behind two backticks', `\`${long}\`\` <think>\` is it.${own}`, 1],
    ['inline code twice', `\`b\` \`<think>\` is it.${own}`, 1],
    ['a backtick alone', `A \` is ${long}.${own}`, 1],
    [
      'a backtick and one in another paragraph',
      `A \` is ${long}.\n \t\n<think> \` is one.${own}`,
      0,
    ],
    [
      'a backtick and one directly in another paragraph',
      `A \` is ${long}.\n\n<think>${long} \` is one.${own}`,
      0,
    ],
    ['a backtick and one in the next line', `A \`b\n<think>${long}\` is it.${own}`, 1],
    ['a backtick and one far away', `A \`${'b'.repeat(2000)}<think>\` is it.${own}`, 0],
    ['three backticks and another in their line', `\`\`\`b\` <think>${long}\`\`\`${own}`, 1],
    ['a fence whose end goes on', `\`\`\`\n${long}\n\`\`\`b${own}`, 0],
    ['JSON', `{"b": ["<think>${long}"]}${own}`, 1],
    ['JSON that is long', `${'b\n'.repeat(500)}{"b": ["${long.repeat(800)}<think>"]}${own}`, 1],
    ['JSON that is too long', `{"b": ["${long.repeat(850)}<think>"]}${own}`, 0],
    ['JSON in a line', `So {"b": "<think>"}${own}`, 0],
    ['JSON that isn’t closed', `{"b": <think>${long}${own}`, 0],
    ['JSON of two lines', `So:\n  [\n"<think>"]${own}`, 1],
    ['long text', `${'b\n\n'.repeat(2000)}${own}`, 1],
    ['reasoning, as JSON alone', `<think>${'b\n\n'.repeat(2000)}</think>\n ${json}\n`, 1],
    ['text, as JSON', `b\n\n${json}`, 0],
    ['code, as JSON', `\`b\`\n\n${json}`, 0],
    ['a comment, as JSON', `<!-- b -->\n\n${json}`, 0],
    ['other JSON, as JSON', `{"b": 1}\n\n${json}`, 0],
  ])('behind %s', (_title, text, expected) => {
    expect(count(text)).toBe(expected);
  });

  test.each([
    ['a fence', '```\nb', '\n```'],
    ['a fence in a list', '- ```\nb', '\n  ```'],
    ['a fence of more backticks', '````\nb\n```', '\n````'],
    ['a fence of waves', '~~~ts `b`\nb\n```', '\n~~~'],
    ['a comment', '<!-- b', '-->'],
    ['an element', '<page id="1">b', '</page>'],
    ['a result', '<tool_response id="b">b', '</tool_response>'],
    ['code', 'See <pre class="b">b', '</pre>'],
    ['a thought', '<think>b', '</think>'],
    ['a thought of Kimi', '◁think▷b', '◁/think▷'],
  ])('is read behind %s if that has ended', (_title, opening, closing) => {
    expect(count(opening + own)).toBe(0);
    expect(count(opening + closing + own)).toBe(1);
  });
});

describe('a streaming reader', () => {
  test('gives calls at the end, because text behind them makes them text', () => {
    const reader = new CallReader(tools);
    expect(reader.add(`Now.\n${hermes('search', 'a')}\n`)).toMatchObject({
      calls: [],
      text: 'Now.\n',
    });
    expect(reader.end()).toMatchObject({ calls: [{ name: 'search' }], text: '\n' });
  });

  test.each(notations.filter((notation) => !/kimi_k3|keyless/.test(notation)))(
    'gives a quoted call as soon as text is behind it: %s',
    (notation) => {
      const call = writeCall(notation, { name: 'search', arguments: { q: 'a'.repeat(300) } }) ?? '';
      const shown = `The page says:\n${call} x`;
      const reader = new CallReader(tools);
      expect(
        shown
          .split('')
          .map((part) => reader.add(part).text)
          .join(''),
      ).toBe(shown);
    },
  );

  test('gives a call as text as soon as 500 characters are behind it', () => {
    const reader = new CallReader(tools);
    const text = hermes('search', 'a') + 'x'.repeat(500);
    expect(reader.add(text).text).toBe('');
    expect(reader.add('x').text).toBe(`${text}x`);
  });

  test('gives text that can’t be a call at once', () => {
    const end = 'n'.repeat(64);
    const texts = [
      'Let me look',
      `I call search(${end}`,
      `\`\`\`\nb\n\`\`\`\n${end}`,
      `A \`b\` is ${end}`,
      `A \` is.\n\n${end}`,
      `A \`${'b'.repeat(2000)}`,
      `{"b": 1}\n${end}`,
      `{"b": "${'b'.repeat(65_529)}`,
      `<function=search><parameter=q>${'b'.repeat(256)}</parameter>b</function>${end}`,
      `<tool_call>${'b '.repeat(130)}`,
      `${hermes('search', 'a')}<${'x'.repeat(600)}`,
    ];
    expect(texts.filter((text) => new CallReader(tools).add(text).text !== text)).toEqual([]);
  });

  test.each(['{"name": "', '<function=search><parameter=q>'])(
    'gives text that is too long for a call at once: %s',
    (start) => {
      const text = start + 'b'.repeat(2 ** 22);
      expect(new CallReader(tools).add(text).text).toHaveLength(text.length);
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
