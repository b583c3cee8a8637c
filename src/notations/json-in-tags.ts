import type { Notation, NotationForm } from './notation.ts';
import {
  jsonWrapper,
  nameElement,
  nameTag,
  tagPrefix,
  wrapperAttributes,
} from './wrapping-tags.ts';

const nameBefore = '(?<name>[A-Za-z_][\\w.-]{0,127})[ \\t]{0,8}(?:\\r?\\n\\s{0,8})?';
const argumentsTag = '(?:tool_)?(?:arguments|parameters|input)';
const nameInTag = `${nameElement}<${argumentsTag}>(?!\\s{0,64}<[A-Za-z_])`;
/**
 * The end of arguments in an element; its closing tag may be missing. Another call may follow, and
 * neither other arguments nor a name alone, also behind words.
 */
const endOfArguments =
  `(?:(?=${behind('[\\s,;]')}${nameInTag})|(?!${behind('[^<]')}<(?:${argumentsTag}|${nameTag})>))` +
  `(?:\\s{0,64}</${argumentsTag}>|(?=[\\s,;]{0,64}(?:<|$)))`;

/** Characters around the closing tag, or where it is missing. */
function behind(characters: string): string {
  return `${characters}{0,256}(?:</${argumentsTag}>${characters}{0,256})?`;
}

/**
 * JSON in tags: Hermes and Qwen 2.5 and 3 (`<tool_call>`), MiniMax-M1 (`<tool_calls>`), Granite 3
 * (`<|tool_call|>`), Llama 3.1 (`<|python_tag|>`), Phi-4-mini (`<|tool_call|>[…]<|/tool_call|>`),
 * Phi-4 and Functionary's `functools[…]`, Mistral v3 to v7 (`[TOOL_CALLS] [{"name": …}]`), Nemotron
 * (`<TOOLCALL>[…]</TOOLCALL>`), LongCat (`<longcat_tool_call>`) and InternLM2
 * (`<|action_start|><|plugin|>`) and Command R7B (`<|START_ACTION|>[…]<|END_ACTION|>`), by their
 * `tokenizer_config.json`. The name is in the JSON. Qwen2.5-Coder writes `<tools>` and `<function>`
 * instead of its template's tag.
 */
export const jsonInTags: Notation = {
  id: 'json_in_tags',
  begins: [
    `<${tagPrefix}${jsonWrapper}${wrapperAttributes}>`,
    '<\\|(?:tool_calls?|python_tag|plugin|START_ACTION)\\|?>|<\\|(?:action|tool_call)_start\\|>',
    '<\\|(?:tools_prefix|function_call|content_invoke_tool_json)\\|>|<\\|message_sep\\|>\\s{0,8}function call<\\|role_sep\\|>',
    '<{2,3}TOOL_CALLS?>{2,3}|\\[TOOL_(?:CALLS?|REQUEST)\\]|functools(?=\\s{0,8}\\[)|<functioncall(?=\\s{1,8}\\{)',
  ].join('|'),
  forms: [
    // Prompts of agents, such as Cherry Studio's, have an element for the name and one for the JSON.
    {
      head: nameInTag,
      needs: 'tag',
      arguments: 'json',
      end: endOfArguments,
    },
    // GLM-4 writes the name on the line before its arguments, Llama 3.3 on Groq directly before them.
    { head: `${nameBefore}(?=\\{)`, needs: 'tag', arguments: 'json' },
    // In an answer without a tag, a block whose keys have no quotes is CSS, GraphQL or configuration.
    { head: `${nameBefore}(?=\\{)`, needs: 'tool_alone', arguments: 'json' },
    { head: `${nameBefore}(?=\\{\\s{0,256}["'“}])`, needs: 'tool', arguments: 'json' },
    // An object, a list that is not in Python's syntax, or either of them in a string.
    {
      head: '(?=\\{|\\[\\s*[{[\\]]|"(?:\\\\[nrt]|\\s)*[[{])',
      needs: 'tag',
      arguments: 'json',
      repeats: true,
    },
    { head: '(?=`{3}(?:json)?\\s{0,8}[[{])', needs: 'tag', arguments: 'fenced' },
  ],
};

export const jsonInTagsForm: NotationForm = {
  models:
    'Hermes, Qwen 2.5 and 3, Llama 3.1, Granite 3 and 4, ERNIE 4.5, Phi-4, Mistral up to v7, MiniMax-M1, Jamba, Hunyuan A13B, xLAM, Nemotron, LongCat-Flash, Apertus, InternLM2 and 3, Command R7B and A; GLM-4',
  form: '`<tool_call>{"name": "NAME", "arguments": {…}}</tool_call>`, `<|python_tag|>{…}`, `functools[…]`, `[TOOL_CALLS] […]`; `NAME` on a line before `{…}`, or in `<name>` before `<arguments>{…}</arguments>`',
  notExpressed: 'nothing',
  write: ({ name, arguments: values }) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: values })}\n</tool_call>`,
};
