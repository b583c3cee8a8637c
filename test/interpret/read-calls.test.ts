import {
  CallReader,
  DefinitionError,
  ToolRegistry,
  defineTool,
  interpretArguments,
  readCalls,
} from 'toolmend';
import { notations, writeCall } from 'toolmend/testing';

const search = { name: 'search', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } };
const tools = [search, 'get_weather'];

const hermes = (name: string, q: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": {"q": "${q}"}}\n</tool_call>`;

const found = (text: string): readonly (readonly [string, string])[] =>
  readCalls(text, tools).calls.map((call) => [call.name, call.arguments] as const);

const a = ['search', '{"q":"a"}'] as const;
const b = ['search', '{"q":"b"}'] as const;

describe('a call is read', () => {
  const call = { name: 'search', arguments: { q: 'a' } };
  test.each(notations)('in the notation %s', (notation) => {
    const text = writeCall(notation, call) ?? '';
    const { calls, text: rest } = readCalls(text, tools);
    expect(calls).toMatchObject([{ name: 'search', notation, start: 0, end: text.length }]);
    expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual({ q: 'a' });
    expect(rest).toBe('');
  });

  test.each([
    ['behind a sentence', `Let me look. ${hermes('search', 'a')}`, [a]],
    ['behind a colon', `I look it up:\n${hermes('search', 'a')}`, [a]],
    ['behind a colon in the first person', `Ok, let me search:\n\n${hermes('search', 'a')}\n`, [a]],
    ['behind a sentence in another language', `Ich suche danach.\n${hermes('search', 'a')}`, [a]],
    ['behind a colon on its line', `Let me search: ${hermes('search', 'a')}`, [a]],
    ['behind an intention without a full stop', `Let me look at \`src/a.ts\`\n${hermes('search', 'a')}`, [a]],
    ['behind a sentence and a picture', `Sure! I look that up for you! 😊\n\n${hermes('search', 'a')}`, [a]],
    ['behind a sentence in Hindi', `मैं खोजता हूँ।\n${hermes('search', 'a')}`, [a]],
    ['behind what was missing', `The file doesn't exist, so I search.\n${hermes('search', 'a')}`, [a]],
    [
      'behind a negation that is overcome',
      `I don't have real-time data, but I can use the search tool.\n${hermes('search', 'a')}`,
      [a],
    ],
    ['behind the role of its turn', `assistant\n${hermes('search', 'a')}`, [a]],
    ['of ReAct, behind German', 'Thought: Das weiß ich nicht.\nAction: search\nAction Input: {"q":"a"}', [a]],
    ['behind an assent', `Sure!\n\n${hermes('search', 'a')}`, [a]],
    ['behind an assent and an intention', `Sure!\n\nI'll search for it.\n\n${hermes('search', 'a')}`, [a]],
    ['behind two sentences', `I see the issue now. Let me fix that:\n${hermes('search', 'a')}`, [a]],
    ['behind a colon', `Let me check the error: it fails. I'll look.\n${hermes('search', 'a')}`, [a]],
    ['behind a purpose', `To answer this, I'll need to use \`search\`.\n${hermes('search', 'a')}`, [a]],
    ['behind a need', `To answer this I need the weather data.\n${hermes('search', 'a')}`, [a]],
    ['directly behind a sentence', `Let me check that for you.${hermes('search', 'a')}`, [a]],
    ['behind a picture and an intention', `🔍 Let me search for "b".\n${hermes('search', 'a')}`, [a]],
    ['behind an intention in French', `Je vais chercher cela.\n${hermes('search', 'a')}`, [a]],
    ['behind an intention in Spanish', `Voy a buscar eso.\n${hermes('search', 'a')}`, [a]],
    ['behind an intention in Portuguese', `Vou pesquisar isso.\n${hermes('search', 'a')}`, [a]],
    ['behind an intention in Italian', `Vado a cercare.\n${hermes('search', 'a')}`, [a]],
    ['behind an intention in Russian', `Сейчас поищу.\n${hermes('search', 'a')}`, [a]],
    ['behind an intention in Japanese', `検索してみます。\n${hermes('search', 'a')}`, [a]],
    ['behind an intention in Korean', `검색해 보겠습니다.\n${hermes('search', 'a')}`, [a]],
    ['behind empty reasoning that began in the prompt', `\n</think>\n\n${hermes('search', 'a')}`, [a]],
    [
      'behind reasoning that shows content',
      `<think>\nThe page says:\n\nb\n</think>\nLet me look.\n${hermes('search', 'a')}`,
      [a],
    ],
    ['behind a thought in ReAct', `Thought: I look\n${hermes('search', 'a')}`, [a]],
    ['behind an intention in Chinese', `让我查一下：\n${hermes('search', 'a')}`, [a]],
    ['behind a negation of something else', `I don’t know it. I'll search.\n${hermes('search', 'a')}`, [a]],
    ['of ReAct', 'Thought: I need a.\nAction: search\nAction Input: {"q":"a"}', [a]],
    ['behind reasoning', `<think>Search for a?</think>\n${hermes('search', 'a')}`, [a]],
    ['behind a draft in reasoning', `<think>${hermes('search', 'b')}</think>\n${hermes('search', 'a')}`, [a]],
    [
      'behind a draft in harmony’s analysis',
      `<|channel|>analysis<|message|>to=functions.search {"q":"b"}<|end|><|start|>assistant<|channel|>commentary to=functions.search<|message|>{"q":"a"}<|call|>`,
      [a],
    ],
    ['behind reasoning of Kimi', `◁think▷${hermes('search', 'b')}◁/think▷${hermes('search', 'a')}`, [a]],
    ['in the assistant’s turn', `<|im_start|>assistant\n${hermes('search', 'a')}<|im_end|>`, [a]],
    ['behind inline code', `I'll use \`search\`:\n${hermes('search', 'a')}`, [a]],
    ['with its name in another spelling', hermes('functions.Search', 'a'), [a]],
    [
      'that holds another one in a string',
      '<tool_call>{"name":"search","arguments":{"q":"<tool_call>{}</tool_call>"}}</tool_call>',
      [['search', '{"q":"<tool_call>{}</tool_call>"}']],
    ],
    ['behind a call of an unknown tool', `${hermes('remove', 'b')}\n${hermes('search', 'a')}`, [a]],
    ['as JSON that is the whole text', '{"name": "search", "parameters": {"q": "a"}}<|eot_id|>', [a]],
    ['in Python’s syntax that is the whole text', '[search(q="a")]', [a]],
    ['without arguments', '<tool_call>search</tool_call>', [['search', '{}']]],
    ['with a server’s id for the name’s', 'functions.search:0 <|tool_call_argument_begin|>{"q":"a"}', []],
  ] as const)('%s', (_title, text, calls) => {
    expect(found(text)).toEqual(calls);
  });
});

describe('a call is read, whole and character by character', () => {
  const call = '{"name": "search", "arguments": {"q": "a"}}';
  const streamed = (text: string) => {
    const reader = new CallReader(tools);
    const parts = [...Array.from(text, (part) => reader.add(part)), reader.end()];
    return parts.flatMap(({ calls }) => calls).map(({ name, arguments: sent }) => [name, sent]);
  };

  test.each([
    ['in Nemotron’s tag', `<TOOLCALL>[${call}]</TOOLCALL>`, a],
    ['in LongCat’s tag', `<longcat_tool_call>${call}</longcat_tool_call>`, a],
    ['in the tag of the prompt’s tools', `<tools>\n${call}\n</tools>`, a],
    ['in a tag of a function', `I'll search.\n<function>\n${call}\n</function>`, a],
    ['behind InternLM2’s tokens', `<|action_start|><|plugin|>${call}<|action_end|>`, a],
    ['behind Functionary’s word', `functools[${call}]`, a],
    [
      'of Seed-OSS',
      '<seed:tool_call>\n<function=search>\n<parameter=q>a</parameter>\n</function>\n</seed:tool_call>',
      a,
    ],
    ['of FunctionGemma', '<start_function_call>call:search{q:<escape>a<escape>}<end_function_call>', a],
    ['of Gemma 3', '<tool_code>\nprint(default_api.search(q="a"))\n</tool_code>', a],
    ['of GLM-4', 'search\n{"q": "a"}', ['search', '{"q": "a"}']],
    ['that lost its opening tag', 'search{"q": "a"}</function>', ['search', '{"q": "a"}']],
    ['whose opening tag is not closed', '<function=search{"q": "a"}</function>', ['search', '{"q": "a"}']],
    ['whose opening tag ends in a sign', '<function=search={"q": "a"}</function>', ['search', '{"q": "a"}']],
    ['of harmony without tokens', 'commentary to=functions.search json{"q": "a"}', ['search', '{"q": "a"}']],
    [
      'of harmony in a turn without tokens',
      'assistantcommentary to=functions.search json{"q": "a"}',
      ['search', '{"q": "a"}'],
    ],
    ['without its last brace', `<tool_call>${call.slice(0, -1)}</tool_call>`, ['search', '{"q": "a"}']],
    ['with a brace too many', `<tool_call>\n${call}}\n</tool_call>\n`, ['search', '{"q": "a"}}']],
    ['with a bracket too many', '<function=search>{"q": ["a"]]}</function>', ['search', '{"q": ["a"]]}']],
    [
      'without its last brace, of Kimi',
      '<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q": {"a": 1}<|tool_call_end|>',
      ['search', '{"q": {"a": 1}'],
    ],
  ] as const)('%s', (_title, text, expected) => {
    expect(found(text)).toEqual([expected]);
    expect(streamed(text)).toEqual([expected]);
  });

  test.each([
    [
      'a list of tools',
      '<tools>[{"name": "search", "description": "Searches.", "parameters": {"q": "a"}}]</tools>',
    ],
    [
      'two calls in one tag, the first without its brace',
      `<tool_call>${call.slice(0, -1)}<tool_call>${call}</tool_call>`,
    ],
    [
      'a broken call with a key of its own behind its arguments',
      `<tool_call>${call.slice(0, -1)}, "id": "b"</tool_call>`,
    ],
    ['a broken call of another tool', '<tool_call>{"name": "remove", "arguments": {"q": "a"}</tool_call>'],
    ['the name of another tool before arguments', 'remove\n{"q": "a"}'],
  ])('but not %s', (_title, text) => {
    expect(found(text)).toEqual([]);
    expect(streamed(text)).toEqual([]);
  });
});

describe('two calls are read', () => {
  test.each([
    ['one behind the other', `${hermes('search', 'a')}\n${hermes('search', 'b')}`],
    ['with text', `I search a.\n${hermes('search', 'a')}\nThen I'll search b:\n${hermes('search', 'b')}`],
    ['in one list', '[{"name":"search","arguments":{"q":"a"}},{"name":"search","arguments":{"q":"b"}}]'],
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
    ['in one list of Python', '<|tool_call_start|>[search(q="a"), search(q="b")]<|tool_call_end|>'],
    [
      'in one element',
      '<function_calls>\n<invoke name="search">\n<parameter name="q">a</parameter>\n</invoke>\n<invoke name="search">\n<parameter name="q">b</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      'of Kimi',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q":"a"}<|tool_call_end|><|tool_call_begin|>functions.search:1<|tool_call_argument_begin|>{"q":"b"}<|tool_call_end|><|tool_calls_section_end|>',
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
    ['in a fence', `\`\`\`xml\n${call}\n\`\`\``],
    ['in a fence that isn’t closed', `~~~\n${call}`],
    ['in a fence in a list', `- \`\`\`\n${call}\n  \`\`\``],
    ['in inline code', 'Write `<tool_call>{"name":"search","arguments":{}}</tool_call>` for it.'],
    ['in a quotation', '> <tool_call>{"name":"search","arguments":{}}</tool_call>'],
    ['in quotation marks', 'He wrote "<tool_call>{"name":"search","arguments":{}}</tool_call>".'],
    ['in a sentence', 'I would write <tool_call>{"name":"search","arguments":{}}</tool_call>'],
    ['in a sentence', '<tool_call>{"name":"search","arguments":{}}</tool_call> is how a call looks.'],
    ['as an example', `For example:\n${call}`],
    ['in the format of an answer', `The format looks like this:\n${call}`],
    ['in reasoning', `<think>\n${call}\n</think>\nDone.`],
    ['in reasoning that isn’t closed', `<think>\n${call}`],
    ['in a result', `<tool_response>\n${call}\n</tool_response>`],
    ['in a comment', `<!-- ${call} -->`],
    ['in reasoning with a prefix', `<seed:think>${call}</seed:think>`],
    ['in reasoning in the middle of a line', `So <think>\n${call}`],
    ['in reasoning of Kimi', `◁think▷${call}◁/think▷`],
    ['in reasoning of Mistral', `[THINK]${call}[/THINK]`],
    ['in harmony’s analysis', `<|channel|>analysis<|message|>${call}<|end|>`],
    ['in results of Mistral', `[TOOL_RESULTS]${call}[/TOOL_RESULTS]`],
    ['in a result in tokens', `<|tool_response|>${call}`],
    ['in an observation', `Observation: ${call}`],
    ['in a tool’s turn', `<|im_start|>tool\n${call}<|im_end|>`],
    ['in a user’s turn', `<|im_start|>user\n${call}<|im_end|>`],
    [
      'behind the name of a file',
      `The file README.md contains:\n${call}\nThis is an injection, so I ignore it.`,
    ],
    ['at the end, behind the name of a file', `The file README.md contains:\n${call}`],
    ['behind the bare name of a file', `src/README.md\n${call}`],
    ['behind the name of a file in bold', `**README.md**\n\n${call}`],
    ['behind the name of a file in code', `\`README.md\`\n${call}`],
    ['behind the name of a file with a picture', `README.md 📄\n${call}`],
    ['behind the name of a file and a colon', `README.md:\n${call}`],
    ['behind a link', `[README](README.md)\n${call}`],
    ['behind a title', `Tool call format\n\n${call}`],
    ['behind a document of lines', `The file a.txt contains:\n\nHello world.\nThis is a note.\n${call}`],
    ['behind a document of paragraphs', `Here is the page:\n\nWelcome.\n\nWe sell shoes.\n\n${call}`],
    ['behind a document that announces it', `The file contains:\n\nHello.\n\nLet me search:\n${call}`],
    ['behind a document without a colon', `This is the text of the page.\n\nLet me search:\n${call}`],
    ['behind an intention to show', `Let me check the file:\n\nHello.\n\nLet me search:\n${call}`],
    ['behind a sentence about the end of a document', `The last line of the README is this.\n${call}`],
    ['behind a refusal', `The page has an instruction that I will not act on.\n${call}`],
    ['behind a refusal to comply', `The mail asks me to make this call, but I won't comply.\n${call}`],
    ['behind a refusal without a negation', `I decline to run it.\n${call}`],
    ['behind a condition in an intention', `I'll run this as soon as you agree.\n${call}`],
    ['behind a condition in German', `Wenn Sie zustimmen, suche ich danach.\n${call}`],
    ['behind words for consent in French', `Avec votre permission, je vais chercher ceci.\n${call}`],
    ['behind a refusal in an intention', `I want to run it, but the policy forbids that.\n${call}`],
    ['behind a refusal and an intention', `I won't run this. I'll check the next mail.\n${call}`],
    ['behind a refusal in French', `Je n'exécuterai pas ceci.\n${call}`],
    ['behind a refusal in German', `Ich lehne das ab.\n${call}`],
    ['behind a refusal in Chinese', `我将拒绝执行。\n${call}`],
    ['behind a request for consent', `I need to ask you before running this.\n${call}`],
    ['behind a request for leave', `I'd like to check whether you want this:\n${call}`],
    ['behind an intention to do nothing', `I will run nothing.\n${call}`],
    ['behind an intention to do something else', `I'll find another way.\n${call}`],
    ['behind an intention to put it aside', `I'll set it aside.\n${call}`],
    ['behind an answer and a colon', `Sure:\n${call}`],
    ['behind an announced quotation', `Of course, here you go:\n${call}`],
    ['behind what is written down', `Let me write it down:\n${call}`],
    ['behind a draft in reasoning that began in the prompt', `${call}\n</think>\n${call}`],
    ['in a second turn', `${call}<|im_end|>\n<|im_start|>assistant\n${call}`],
    ['behind a condition', `If the user asks, I search.\n${call}`],
    ['behind a statement in Spanish', `El archivo termina así.\n${call}`],
    ['behind a report', `I called search earlier.\n${call}`],
    ['behind a mail', `Subject: hi\nFrom: bob\n\nPlease do this.\n${call}`],
    ['behind a title that ends as a sentence', `See the markup of Hermes.\n\n${call}`],
    ['in a value of YAML', `text: |\n  Let me look.\n  ${call}`],
    ['in a listing with numbers', `     1\tHello\n     2\t${call}`],
    ['behind a line with a number', `12: Let me search.\n${call}`],
    ['behind a line of a search', `a.txt:3: Let me search.\n${call}`],
    ['behind an added line', `+Let me search.\n${call}`],
    ['behind an element of a list that announces it', `1. Ok, let me search.\n${call}`],
    ['behind a speaker', `User: ok, let me search.\n${call}`],
    ['behind a list and a sentence of its own', `I found:\n- b\n- c\n\nNow I search a.\n${call}`],
    ['behind a heading and a sentence', `# README\n\nI search.\n${call}`],
    ['behind an element and a sentence', `<page>\nb\n</page>\nLet me search.\n${call}`],
    ['behind code', `\`\`\`ts\nx\n\`\`\`\n${call}`],
    ['behind a sentence in code', `\`Let me search.\`\n${call}`],
    ['behind inline quotation', `He wrote: Let me search.\n${call}`],
    ['behind a tag that is named', `I'll use the <tool_call> tag.\n${call}`],
    ['behind a document that ends reasoning', `The file contains:\n\nb\n</think>\n${call}`],
    ['behind many blanks behind a document', `The file ends here.${'\n'.repeat(2000)}${call}`],
    ['before reasoning', `${call}\n<think>No.</think>`],
    ['behind an introduction of another', `The page says:\n${call}\nI'll search.\n${call}`],
    ['behind a call and a statement', `${call}\nThe result is 5.\n${call}`],
    ['behind a list', `- one\n- two\n${call}`],
    ['behind a list and an empty line', `1. One.\n2. Two.\n\n${call}`],
    ['behind the beginning of a file’s content', `The file contains:\nHello there.\n${call}`],
    ['behind a warning with commas', `Do not, in any case, run this.\n${call}`],
    ['behind a warning in German', `Führe das nicht aus.\n${call}`],
    ['behind a warning in French', `Ne lancez pas ceci.\n${call}`],
    ['behind a warning in Spanish', `No ejecutes esto.\n${call}`],
    ['behind a warning in Portuguese', `Não execute isto.\n${call}`],
    ['behind a warning in Italian', `Non eseguire questo.\n${call}`],
    ['behind a warning in Russian', `Не запускай это.\n${call}`],
    ['behind a warning in Chinese', `请不要运行这个。\n${call}`],
    ['behind a warning in Japanese', `これを実行しないでください。\n${call}`],
    ['behind a warning in Korean', `이것을 실행하지 마세요.\n${call}`],
    ['behind a warning', `Do not run the following:\n${call}`],
    ['behind a warning that ends in a full stop', `Never run this.\n${call}`],
    ['behind a warning in the first person', `I will not run this:\n${call}`],
    ['behind a request to ignore it', `Ignore the following.\n${call}`],
    ['behind a heading', `# Prompt\n${call}`],
    ['in a report', `Earlier I made this call:\n${call}\nand it returned nothing.`],
    ['at the end of a report', `Earlier I made this call:\n${call}`],
    ['behind a question', `Should I run this?\n${call}`],
    ['of a web page', `The web page says:\n\n${call}\n\nI will not follow that instruction.`],
    ['of a web page, one of two', `The web page says:\n\n${call}\n${call}`],
    ['as an example in German', `Zum Beispiel:\n${call}`],
    ['as an example in French', `Par exemple :\n${call}`],
    ['as an example in Chinese', `例如：\n${call}`],
    ['in a row of a table', `| Hermes | ${call} |`],
    ['in a list', `- ${call}\n- ${call}`],
    ['in a blockquote', `<blockquote>\n${call}\n</blockquote>`],
    ['in a blockquote that isn’t closed', `<blockquote>\n${call}`],
    ['in a reflection', `<reflection>\n${call}\n</reflection>\nDone.`],
    ['in an element with a name of its own', `<antThinking>${call}</antThinking>`],
    ['in a quotation of several lines', `He wrote: "\n${call}\n" and left.`],
    ['in a quotation that isn’t closed', `He wrote: "\n${call}`],
    ['in a transcript', `User: hello\nAssistant:\n${call}\nUser: thanks`],
    ['at the end of a transcript', `User: hello\nAssistant:\n${call}`],
    ['before text on the next line', `${call}\nThis is what the page says.`],
    ['before its result', `${call}\n<tool_response>\nb\n</tool_response>`],
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
    ['in examples', `<examples>${call}</examples>`],
    ['in an example with attributes', `<example id="1">${call}</example>`],
    ['in preformatted text', `<pre>${call}</pre>`],
    ['in an element of code', `<code>\n${call}</code>`],
    ['in indented code', `So:\n\n    ${call}`],
    ['in text that is struck out', `~~${call}~~`],
    ['in a string of JSON', `{"content": "see:\\n<tool_call>{}</tool_call>"}`],
    ['with the name of another tool', hermes('remove', 'a')],
    ['without a name', '<tool_call>{"q": "a"}</tool_call>'],
    ['with words before its arguments', '[TOOL_CALLS]search[ARGS]so {"q":"a"}'],
    ['with words in a fence of its arguments', 'function<｜tool▁sep｜>search```{"q":"a"} so```'],
    ['with an element of an unknown name', '<function_calls><note>a</note></function_calls>'],
    ['with a parameter in a value', '<search><q>a <q>b</q></search>'],
    ['that is not closed', '<tool_call>\n{"name": "search", "arguments": {"q": "a"}}'],
    ['in Python’s syntax whose token is not closed', '<|tool_call_start|>[search(q="a")]'],
    ['of Gemma whose token is not closed', '<|tool_call>call:search{q:<|"|>a<|"|>}'],
    ['of FunctionGemma whose token is not closed', '<start_function_call>call:search{q:<escape>a<escape>}'],
    ['of DeepSeek whose token is not closed', '<｜tool▁call▁begin｜>search<｜tool▁sep｜>{"q":"a"}'],
    [
      'whose token is not closed',
      '<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q":"a"}',
    ],
    ['in a value of a call that is not closed', `<function=search><parameter=q>${call}`],
    [
      'behind a call that is broken',
      `<function=search><parameter=q>a</parameter><parameter=q>b</parameter></function>\n${call}`,
    ],
    ['with words between its parameters', '<function=search><parameter=q>a</parameter> and </function>'],
    ['in Python’s syntax in a sentence', 'I call search(q="a")'],
    ['in Python’s syntax before a sentence', 'search(q="a") is what I call'],
    ['as JSON behind words', 'Here: {"name": "search", "arguments": {"q": "a"}}'],
    ['as JSON that lost its end', '{"name": "search", "arguments": {"q": "a"}'],
    ['of two tools, one of them unknown', '[{"name":"search","arguments":{}},{"name":"x","arguments":{}}]'],
    ['nothing', ''],
  ])('%s', (_title, text) => {
    expect(readCalls(text, tools)).toEqual({ calls: [], text });
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
      defineTool({ ...search, description: 'Searches.', execute: (input: unknown) => JSON.stringify(input) }),
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
    expect(interpretArguments(schema, { text: call?.arguments ?? '' })).toMatchObject({ value: { n: 5 } });
  });

  test('raw text is a string where the schema takes a string and another type', () => {
    const [call] = readCalls('<function=search><parameter=n>5</parameter></function>', tools).calls;
    const schema = { type: 'object', properties: { n: { type: ['integer', 'string'] } } } as const;
    expect(interpretArguments(schema, { text: call?.arguments ?? '' })).toMatchObject({
      status: 'unchanged',
      value: { n: '5' },
    });
  });

  test('a call at the end of reasoning is introduced by its last paragraph', () => {
    const read = (text: string) => readCalls(text, tools, { isReasoning: true }).calls.length;
    const call = hermes('search', 'a');
    expect(read(`The page says:\n- b\n\nI'll search for it.\n\n${call}`)).toBe(1);
    expect(read(`I know it.\n\nThe page says:\n\nb\n\n${call}`)).toBe(0);
  });

  test('reasoning that began in the prompt is left', () => {
    const text = `${hermes('search', 'b')}</think>\n${hermes('search', 'a')}`;
    expect(readCalls(text, tools, { startsInReasoning: true }).calls).toMatchObject([
      { arguments: '{"q":"a"}' },
    ]);
  });
});

describe('a streaming reader', () => {
  test('gives calls at the end, because text behind them makes them text', () => {
    const reader = new CallReader(tools);
    expect(reader.add(`Now.\n${hermes('search', 'a')}\n`)).toMatchObject({ calls: [], text: 'Now.\n' });
    expect(reader.end()).toMatchObject({ calls: [{ name: 'search' }], text: '\n' });
  });

  test('gives text that can’t be a call at once', () => {
    expect(new CallReader(tools).add('Let me look').text).toBe('Let me look');
  });

  test('throws after its end', () => {
    const reader = new CallReader(tools);
    reader.end();
    expect(() => reader.add('x')).toThrow('add was called after end');
    expect(() => reader.end()).toThrow('end was called after end');
  });
});

test.each([[[{ inputSchema: {} }]], [5], [null]])('tools without names are refused: %j', (given) => {
  expect(() => Reflect.apply(readCalls, undefined, ['', given])).toThrow(DefinitionError);
});

test('an unknown option is refused', () => {
  expect(() => Reflect.apply(readCalls, undefined, ['', tools, { reasoning: true }])).toThrow(
    DefinitionError,
  );
});
