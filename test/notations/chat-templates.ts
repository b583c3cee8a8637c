// Calls as the chat templates and prompts of each family write them, in pieces that faults can act on.
import type { JsonObject, JsonValue } from 'toolmend';

/** What a piece of a call is. `space`: blanks between tags. */
export type PartOfCall =
  | 'wrapper'
  | 'head'
  | 'parameter'
  | 'value'
  | 'parameterEnd'
  | 'end'
  | 'wrapperEnd'
  | 'space'
  | 'arguments';

export interface Piece {
  readonly part: PartOfCall;
  readonly text: string;
  /** Of a value: it is a string. */
  readonly isString?: boolean;
}

export interface TemplateCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** How one family of models writes a call. */
export interface ChatTemplate {
  readonly models: string;
  /** Where it is written down. */
  readonly source: string;
  /**
   * `json`: all of the call is JSON, or its arguments are. `python`, `braces`: literals with other
   * quotes and keywords. `tags`: a tag for each parameter, which tells no types. `typed`: the tags
   * tell types.
   */
  readonly kind: 'json' | 'python' | 'braces' | 'tags' | 'typed';
  /** The call has no markup of its own, so that it is one only where an answer ends. */
  readonly isBare?: true;
  /** The pieces of a call; undefined if the template can't express it. */
  readonly write: (call: TemplateCall) => readonly Piece[] | undefined;
}

const piece = (part: PartOfCall, text: string): Piece => ({ part, text });

/** JSON as Python's `json.dumps` writes it, with blanks behind commas and colons. */
function spacedJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member)}`,
  );
  return `{${members.join(', ')}}`;
}

/** The raw text of a parameter: strings as they are, other values as JSON. */
const raw = (value: JsonValue): string => (typeof value === 'string' ? value : spacedJson(value));

/** A call object between tags. */
function callObject(
  opens: string,
  closes: string,
  write: (call: TemplateCall) => JsonValue = ({ name, arguments: values }) => ({
    name,
    arguments: values,
  }),
): ChatTemplate['write'] {
  return (call) => [
    ...(opens === '' ? [] : [piece('wrapper', opens)]),
    piece('arguments', spacedJson(write(call))),
    ...(closes === '' ? [] : [piece('wrapperEnd', closes)]),
  ];
}

/** A list of one call object. */
const listOfCalls = ({ name, arguments: values }: TemplateCall): JsonValue => [
  { name, arguments: values },
];

/** The name in markup, and the arguments as JSON behind it. */
function namedJson(
  before: readonly string[],
  head: (name: string) => string,
  after: readonly string[],
): ChatTemplate['write'] {
  return ({ name, arguments: values }) => [
    ...before.map((text) => piece('wrapper', text)),
    piece('head', head(name)),
    piece('arguments', spacedJson(values)),
    ...after.map((text) => piece('wrapperEnd', text)),
  ];
}

interface TagsOfTemplate {
  readonly wrapper: readonly string[];
  readonly head: (name: string) => string;
  readonly parameter: (key: string, value: JsonValue) => string;
  /** Line breaks of the template around a value. */
  readonly layout?: 'lines';
  readonly parameterEnd: (key: string) => string;
  readonly end: (name: string) => string;
  readonly wrapperEnd: readonly string[];
  /** What stands between tags. */
  readonly between: string;
  /** What no string can hold: the tags of the notation. */
  readonly own: (values: JsonObject) => RegExp;
  /** The text of a value. Default: a string as it is, other values as JSON. */
  readonly write?: (value: JsonValue) => string | undefined;
}

function tagged(tags: TagsOfTemplate): ChatTemplate['write'] {
  const { layout, between, own, write = raw } = tags;
  const blank = between === '' ? [] : [piece('space', between)];
  const edge = layout === 'lines' ? '\n' : '';
  return ({ name, arguments: values }) => {
    const markup = own(values);
    const isPlain = Object.entries(values).every(
      ([key, value]) => /^[\w.$-]{1,64}$/.test(key) && !markup.test(raw(value)),
    );
    const texts = Object.values(values).map(write);
    if (!isPlain || texts.includes(undefined)) return undefined;
    const parameters = Object.entries(values).flatMap(([key, value], index) => [
      piece('parameter', tags.parameter(key, value) + edge),
      { ...piece('value', texts[index] ?? ''), isString: typeof value === 'string' },
      piece('parameterEnd', edge + tags.parameterEnd(key)),
      ...blank,
    ]);
    const end = tags.end(name);
    return [
      ...tags.wrapper.flatMap((text) => [piece('wrapper', text), ...blank]),
      piece('head', tags.head(name)),
      ...blank,
      ...parameters,
      ...(end === '' ? [] : [piece('end', end)]),
      ...tags.wrapperEnd.flatMap((text) => [
        ...(end === '' ? [] : blank),
        piece('wrapperEnd', text),
      ]),
    ];
  };
}

const parameterMarkup = (): RegExp =>
  /<\/?(?:[\w:-]*|[|｜]DSML[|｜])(?:param(?:eter)?|function|invoke|tool_calls?|function_calls?)\b|minimax\[/;

const qwenTags = {
  head: (name: string) => `<function=${name}>`,
  parameter: (key: string) => `<parameter=${key}>`,
  parameterEnd: () => '</parameter>',
  end: () => '</function>',
  between: '\n',
  own: parameterMarkup,
} as const;

const invokeTags = (prefix: string, wrapper: string): ChatTemplate['write'] =>
  tagged({
    wrapper: [`<${wrapper}>`],
    head: (name) => `<${prefix}invoke name="${name}">`,
    parameter: (key) => `<${prefix}parameter name="${key}">`,
    parameterEnd: () => `</${prefix}parameter>`,
    end: () => `</${prefix}invoke>`,
    wrapperEnd: [`</${wrapper}>`],
    between: '\n',
    own: parameterMarkup,
  });

const glmTags = (between: string, prefix = ''): ChatTemplate['write'] =>
  tagged({
    wrapper: [],
    head: (name) => `<${prefix}tool_call>${name}`,
    parameter: (key) => `<${prefix}arg_key>${key}</${prefix}arg_key>${between}<${prefix}arg_value>`,
    parameterEnd: () => `</${prefix}arg_value>`,
    end: () => '',
    wrapperEnd: [`</${prefix}tool_call>`],
    between,
    own: () => /<\/?(?:longcat_)?(?:arg_|tool_)/,
  });

const isElementName = (name: string): boolean => /^[A-Za-z_][\w.-]{0,60}$/.test(name);

/** Elements named by the tool and its parameters. */
const elements: ChatTemplate['write'] = (call) => {
  const { name, arguments: values } = call;
  const names = [name, ...Object.keys(values)];
  // One line break at each end of a value would be the markup's.
  const isPlain = Object.values(values).every((value) => !/^\r?\n|\n$/.test(raw(value)));
  if (!names.every(isElementName) || !isPlain) return undefined;
  return tagged({
    wrapper: [],
    head: () => `<${name}>`,
    parameter: (key) => `<${key}>`,
    parameterEnd: (key) => `</${key}>`,
    end: () => `</${name}>`,
    wrapperEnd: [],
    between: '\n',
    own: () => new RegExp(`</?(?:${names.map((one) => one.replaceAll('.', '\\.')).join('|')})>`),
  })(call);
};

/** Lists and objects as elements, as MiniMax-M3's template writes them. */
function nestedElements(value: JsonValue, token: string): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Array.isArray(value)
    ? value.map((item) => ['item', item] as const)
    : Object.entries(value);
  return members
    .map(([key, member]) => `${token}<${key}>${nestedElements(member, token)}${token}</${key}>`)
    .join('');
}

/** A value whose lists and objects can be elements: no empty ones, and plain names. */
const hasElements = (value: JsonValue): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value)
    ? value.length > 0 && value.every(hasElements)
    : Object.keys(value).length > 0 &&
      Object.keys(value).every(isElementName) &&
      Object.values(value).every(hasElements));

const minimaxToken = ']<]minimax[>[';

function python(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${python(member)}`,
  );
  return `{${members.join(', ')}}`;
}

function pythonCall(
  opens: string,
  closes: string,
  write: (call: string) => string = (call) => `[${call}]`,
): ChatTemplate['write'] {
  return ({ name, arguments: values }) => {
    const names = [...name.split('.'), ...Object.keys(values)];
    if (!names.every((one) => /^[A-Za-z_]\w{0,63}$/.test(one))) return undefined;
    const keywords = Object.entries(values).map(([key, value]) => `${key}=${python(value)}`);
    return [
      ...(opens === '' ? [] : [piece('wrapper', opens)]),
      piece('arguments', write(`${name}(${keywords.join(', ')})`)),
      ...(closes === '' ? [] : [piece('wrapperEnd', closes)]),
    ];
  };
}

/** Gemma's literals: bare keys, and strings between a token. */
function braces(value: JsonValue, quote: string): string {
  if (typeof value === 'string') return quote + value + quote;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => braces(item, quote)).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}:${braces(member, quote)}`)
    .join(',')}}`;
}

const hasPlainKeys = (value: JsonValue): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value)
    ? value.every(hasPlainKeys)
    : Object.entries(value).every(
        ([key, member]) => /^[A-Za-z_$][\w.$-]{0,63}$/.test(key) && hasPlainKeys(member),
      ));

function gemmaCall(opens: string, closes: string, quote: string): ChatTemplate['write'] {
  return ({ name, arguments: values }) => {
    if (
      !hasPlainKeys(values) ||
      JSON.stringify(values).includes(JSON.stringify(quote).slice(1, -1))
    )
      return undefined;
    return [
      piece('wrapper', opens),
      piece('head', `call:${name}`),
      piece('arguments', braces(values, quote)),
      piece('wrapperEnd', closes),
    ];
  };
}

const typeOf = (value: JsonValue): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

export const chatTemplates: readonly ChatTemplate[] = [
  {
    models: 'Hermes, Qwen 2.5 and 3, Granite 4, ERNIE 4.5',
    source: 'chat_template.jinja of Qwen3-8B',
    kind: 'json',
    write: callObject('<tool_call>\n', '\n</tool_call>'),
  },
  {
    models: 'Qwen3-Coder, Qwen3.5, Nemotron 3, Step-3.5-Flash',
    source: 'chat_template.jinja of Qwen3-Coder-30B-A3B-Instruct',
    kind: 'tags',
    write: tagged({
      ...qwenTags,
      wrapper: ['<tool_call>'],
      layout: 'lines',
      wrapperEnd: ['</tool_call>'],
    }),
  },
  {
    models: 'Seed-OSS',
    source: 'chat_template.jinja of Seed-OSS-36B-Instruct',
    kind: 'tags',
    write: (call) =>
      // One line break at each end of a value would be the markup's.
      Object.values(call.arguments).some((value) => /^\r?\n|\n$/.test(raw(value)))
        ? undefined
        : tagged({
            ...qwenTags,
            wrapper: ['<seed:tool_call>'],
            wrapperEnd: ['</seed:tool_call>'],
          })(call),
  },
  {
    models: 'Llama 3.1 and 3.2',
    source: 'chat_template of Llama-3.1-8B-Instruct',
    kind: 'json',
    isBare: true,
    write: callObject('', '', ({ name, arguments: values }) => ({ name, parameters: values })),
  },
  {
    models: 'Llama 3.1, with its token',
    source: 'the model card of Llama 3.1',
    kind: 'json',
    write: callObject('<|python_tag|>', '<|eom_id|>', ({ name, arguments: values }) => ({
      name,
      parameters: values,
    })),
  },
  {
    models: 'Llama 3.1’s custom tools, Functionary 3.1',
    source: 'the prompt format of Llama 3.1',
    kind: 'json',
    write: namedJson([], (name) => `<function=${name}>`, ['</function>']),
  },
  {
    models: 'Llama 4',
    source: 'the prompt format of Llama 4',
    kind: 'python',
    write: pythonCall('<|python_start|>', '<|python_end|>'),
  },
  {
    models: 'Llama 3.2 and 4, without tokens',
    source: 'the prompt format of Llama 3.2',
    kind: 'python',
    isBare: true,
    write: pythonCall('', ''),
  },
  {
    models: 'Gemma 3',
    source: 'Google’s prompt for function calling with Gemma 3',
    kind: 'python',
    isBare: true,
    write: pythonCall('```tool_code\n', '\n```', (call) => call),
  },
  {
    models: 'Gemma 4',
    source: 'chat_template.jinja of gemma-4-31B-it',
    kind: 'braces',
    write: gemmaCall('<|tool_call>', '<tool_call|>', '<|"|>'),
  },
  {
    models: 'FunctionGemma',
    source: 'chat_template.jinja of functiongemma-270m-it',
    kind: 'braces',
    write: gemmaCall('<start_function_call>', '<end_function_call>', '<escape>'),
  },
  {
    models: 'MiniMax-M1',
    source: 'the guide to function calls of MiniMax-M1',
    kind: 'json',
    write: callObject('<tool_calls>\n', '\n</tool_calls>'),
  },
  {
    models: 'MiniMax-M2',
    source: 'chat_template.jinja of MiniMax-M2',
    kind: 'tags',
    write: invokeTags('', 'minimax:tool_call'),
  },
  {
    models: 'MiniMax-M3',
    source: 'chat_template.jinja of MiniMax-M3',
    kind: 'tags',
    write: tagged({
      wrapper: [`${minimaxToken}<tool_call>`],
      head: (name) => `${minimaxToken}<invoke name="${name}">`,
      parameter: (key) => `${minimaxToken}<${key}>`,
      parameterEnd: (key) => `${minimaxToken}</${key}>`,
      end: () => `${minimaxToken}</invoke>`,
      wrapperEnd: [`${minimaxToken}</tool_call>`],
      between: '\n',
      own: () => /minimax\[|<\/?[A-Za-z_]/,
      write: (value) => (hasElements(value) ? nestedElements(value, minimaxToken) : undefined),
    }),
  },
  {
    models: 'Kimi K2',
    source: 'chat_template.jinja of Kimi-K2-Instruct',
    kind: 'json',
    write: namedJson(
      ['<|tool_calls_section_begin|>', '<|tool_call_begin|>'],
      (name) => `functions.${name}:0<|tool_call_argument_begin|>`,
      ['<|tool_call_end|>', '<|tool_calls_section_end|>'],
    ),
  },
  {
    models: 'Kimi K3',
    source: 'chat_template.jinja of Kimi-K3, macro render_assistant',
    kind: 'typed',
    write: tagged({
      wrapper: ['<|open|>tools<|sep|>'],
      head: (name) => `<|open|>call tool="${name}" index="1"<|sep|>`,
      parameter: (key, value) => `<|open|>argument key="${key}" type="${typeOf(value)}"<|sep|>`,
      parameterEnd: () => '<|close|>argument<|sep|>',
      end: () => '<|close|>call<|sep|>',
      wrapperEnd: ['<|close|>tools<|sep|>'],
      between: '',
      own: () => /<\|(?:open|close|sep)\|>/,
    }),
  },
  {
    models: 'GLM-4.5 and 4.6',
    source: 'chat_template.jinja of GLM-4.5',
    kind: 'tags',
    write: glmTags('\n'),
  },
  {
    models: 'GLM-4.7 and 5',
    source: 'chat_template.jinja of GLM-4.7',
    kind: 'tags',
    write: glmTags(''),
  },
  {
    models: 'DeepSeek V3 and R1',
    source: 'tokenizer_config.json of DeepSeek-V3-0324',
    kind: 'json',
    write: namedJson(
      ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>'],
      (name) => `function<｜tool▁sep｜>${name}\n\`\`\`json\n`,
      ['\n```', '<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>'],
    ),
  },
  {
    models: 'DeepSeek V3.1',
    source: 'tokenizer_config.json of DeepSeek-V3.1',
    kind: 'json',
    write: namedJson(
      ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>'],
      (name) => `${name}<｜tool▁sep｜>`,
      ['<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>'],
    ),
  },
  {
    models: 'DeepSeek V3.2',
    source: 'encoding_dsv32.py of DeepSeek-V3.2',
    kind: 'typed',
    write: tagged({
      wrapper: ['<｜DSML｜function_calls>'],
      head: (name) => `<｜DSML｜invoke name="${name}">`,
      parameter: (key, value) =>
        `<｜DSML｜parameter name="${key}" string="${typeof value === 'string'}">`,
      parameterEnd: () => '</｜DSML｜parameter>',
      end: () => '</｜DSML｜invoke>',
      wrapperEnd: ['</｜DSML｜function_calls>'],
      between: '\n',
      own: parameterMarkup,
    }),
  },
  {
    models: 'Mistral up to version 7 of its tokenizer',
    source: 'mistral-common, InstructTokenizerV3',
    kind: 'json',
    write: callObject('[TOOL_CALLS]', '</s>', ({ name, arguments: values }) => [
      { name, arguments: values, id: 'abcdefghi' },
    ]),
  },
  {
    models: 'Magistral, Mistral Small 3.2',
    source: 'mistral-common, InstructTokenizerV11',
    kind: 'json',
    write: namedJson([], (name) => `[TOOL_CALLS]${name}[CALL_ID]abcdefghi[ARGS]`, ['</s>']),
  },
  {
    models: 'Devstral, Ministral 3',
    source: 'mistral-common, InstructTokenizerV13',
    kind: 'json',
    write: namedJson([], (name) => `[TOOL_CALLS]${name}[ARGS]`, ['</s>']),
  },
  {
    models: 'gpt-oss',
    source: 'the openai/harmony guide',
    kind: 'json',
    write: namedJson(
      [],
      (name) =>
        `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>`,
      ['<|call|>'],
    ),
  },
  {
    models: 'Granite 3',
    source: 'chat_template of granite-3.3-8b-instruct',
    kind: 'json',
    write: callObject('<|tool_call|>', '<|end_of_text|>', listOfCalls),
  },
  {
    models: 'Granite 20B',
    source: 'chat_template of granite-20b-functioncalling',
    kind: 'json',
    write: callObject('<function_call> ', '<|endoftext|>'),
  },
  {
    models: 'Phi-4-mini',
    source: 'chat_template of Phi-4-mini-instruct',
    kind: 'json',
    write: callObject('<|tool_call|>', '<|/tool_call|>', listOfCalls),
  },
  {
    models: 'Phi-4, Functionary',
    source: 'the cookbook of Phi-4',
    kind: 'json',
    write: callObject('functools', '<|im_end|>', listOfCalls),
  },
  {
    models: 'Command R7B and A',
    source: 'chat_template of c4ai-command-r7b-12-2024',
    kind: 'json',
    write: callObject('<|START_ACTION|>', '<|END_ACTION|>', ({ name, arguments: values }) => [
      { tool_call_id: '0', tool_name: name, parameters: values },
    ]),
  },
  {
    models: 'Command R',
    source: 'tokenizer_config.json of c4ai-command-r-v01, its tool_use template',
    kind: 'json',
    isBare: true,
    write: callObject('Action: ```json\n', '\n```', ({ name, arguments: values }) => [
      { tool_name: name, parameters: values },
    ]),
  },
  {
    models: 'Jamba 1.5, Hunyuan A13B',
    source: 'chat_template of AI21-Jamba-Mini-1.6',
    kind: 'json',
    write: callObject('<tool_calls>', '</tool_calls>', listOfCalls),
  },
  {
    models: 'Hunyuan 3',
    source: 'chat_template.jinja of Hy3',
    kind: 'tags',
    write: tagged({
      wrapper: ['<tool_calls>'],
      head: (name) => `<tool_call>${name}<tool_sep>`,
      parameter: (key) => `<arg_key>${key}</arg_key><arg_value>`,
      parameterEnd: () => '</arg_value>',
      end: () => '</tool_call>',
      wrapperEnd: ['</tool_calls>'],
      between: '\n',
      own: () => /<\/?(?:arg_|tool_)/,
    }),
  },
  {
    models: 'xLAM',
    source: 'the prompt of xLAM-2',
    kind: 'json',
    isBare: true,
    write: callObject('', '', listOfCalls),
  },
  {
    models: 'Step 3',
    source: 'chat_template.jinja of step3',
    kind: 'tags',
    write: tagged({
      wrapper: ['<｜tool_calls_begin｜>', '<｜tool_call_begin｜>'],
      head: (name) => `<steptml:invoke name="${name}">`,
      parameter: (key) => `<steptml:parameter name="${key}">`,
      parameterEnd: () => '</steptml:parameter>',
      end: () => '</steptml:invoke>',
      wrapperEnd: ['<｜tool_call_end｜>', '<｜tool_calls_end｜>'],
      between: '\n',
      own: parameterMarkup,
    }),
  },
  {
    models: 'LongCat-Flash',
    source: 'chat_template of LongCat-Flash-Chat',
    kind: 'json',
    write: callObject('<longcat_tool_call>\n', '\n</longcat_tool_call>'),
  },
  {
    models: 'LongCat 2',
    source: 'chat_template of LongCat-Flash-Thinking-2601',
    kind: 'tags',
    write: glmTags('\n', 'longcat_'),
  },
  {
    models: 'Apertus',
    source: 'chat_template.jinja of Apertus-8B-Instruct',
    kind: 'json',
    write: callObject('<|tools_prefix|>', '<|tools_suffix|>', ({ name, arguments: values }) => [
      { [name]: values },
    ]),
  },
  {
    models: 'Olmo 3',
    source: 'chat_template.jinja of Olmo-3-7B-Instruct',
    kind: 'python',
    write: pythonCall('<function_calls>', '</function_calls>', (call) => call),
  },
  {
    models: 'LFM2 and LFM2.5',
    source: 'chat_template.jinja of LFM2-8B-A1B, macro render_tool_calls',
    kind: 'python',
    write: pythonCall('<|tool_call_start|>', '<|tool_call_end|>'),
  },
  {
    models: 'Functionary 3.2',
    source: 'prompt_template_v3.py of functionary',
    kind: 'json',
    isBare: true,
    write: namedJson([], (name) => `>>>${name}\n`, []),
  },
  {
    models: 'InternLM2 and 3',
    source: 'chat_template of internlm2_5-7b-chat',
    kind: 'json',
    write: callObject(
      '<|action_start|><|plugin|>\n',
      '<|action_end|>',
      ({ name, arguments: values }) => ({ name, parameters: values }),
    ),
  },
  {
    models: 'models prompted with ReAct',
    source: 'the ReAct prompts of LangChain and Qwen-Agent',
    kind: 'json',
    isBare: true,
    write: namedJson([], (name) => `Action: ${name}\nAction Input: `, []),
  },
  {
    models: 'models prompted by Cline and Roo Code',
    source: 'the system prompts of Cline and Roo Code',
    kind: 'tags',
    isBare: true,
    write: elements,
  },
  {
    models: 'Nemotron',
    source: 'chat_template of Llama-3.1-Nemotron-Nano-8B',
    kind: 'json',
    write: callObject('<TOOLCALL>', '</TOOLCALL>', listOfCalls),
  },
];
