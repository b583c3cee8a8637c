import { matchAt } from '../json/tokens.ts';
import { jsonBody } from './json-body.ts';
import { type Notation, type NotationForm, skipped, nameGroup } from './notation.ts';

const token = '<|tool_call_argument_begin|>';
const named = new RegExp(
  `(?:(functions\\.[\\w.-]{1,120}):\\d{1,6}\\s{0,8}(?:<\\|tool_call_argument_begin\\|>|(?=\\{))|([A-Za-z_][\\w.-]{0,120}):\\d{1,6}\\s{0,8}<\\|tool_call_argument_begin\\|>)`,
  'y',
);
/** An id that a server made, which doesn't contain the tool's name. */
const nameless = /[\w.-]{1,128}\s{0,8}<\|tool_call_argument_begin\|>/y;

/**
 * Kimi K2 and K2.5 (`chat_template.jinja`, macro `render_toolcalls`): the id of the call has the
 * tool's name in it.
 */
export const kimi: Notation = {
  id: 'kimi',
  begins: '<\\|tool_calls_section_begin\\|>|<\\|tool_call_begin\\|>',
  names: [`(?:^\\s*functions\\.|<\\|tool_call_begin\\|>\\s*(?:functions\\.)?)${nameGroup}:\\d+`],
  tokens: [[/<\|tool_call_begin\|>/, /<\|tool_call_end\|>/]],
  readAt(source) {
    const { text, at } = source;
    const found = matchAt(named, text, at);
    if (found !== null) return jsonBody(source, named.lastIndex, found[1] ?? found[2]);
    return matchAt(nameless, text, at) !== null
      ? jsonBody(source, nameless.lastIndex, undefined)
      : skipped;
  },
};

export const kimiForm: NotationForm = {
  models: 'Kimi K2, K2 Thinking, K2.5',
  form: '`<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`',
  notExpressed: 'nothing',
  write: ({ name, arguments: sent }) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0${token}${JSON.stringify(sent)}<|tool_call_end|><|tool_calls_section_end|>`,
};
