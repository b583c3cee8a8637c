import { type Notation, type NotationForm, lineStart, nameGroup } from './notation.ts';

const token = '<|tool_call_argument_begin|>';
const tokenPattern = '<\\|tool_call_argument_begin\\|>';

/**
 * Kimi K2 and K2.5 (`chat_template.jinja`, macro `render_toolcalls`): the id of the call has the
 * tool's name in it.
 */
export const kimi: Notation = {
  id: 'kimi',
  begins: `<\\|tool_calls_section_begin\\|>|<\\|tool_call_begin\\|>|${lineStart}[\\w.-]{1,128}(?::\\d{1,6})?\\s{0,8}${tokenPattern}`,
  // Servers may have left out the tokens.
  beginsBare: `${lineStart}functions\\.[\\w.-]{1,120}:\\d{1,6}\\s{0,8}(?=\\{)`,
  names: [`(?:^\\s*functions\\.|<\\|tool_call_begin\\|>\\s*(?:functions\\.)?)${nameGroup}:\\d+`],
  forms: [
    {
      head: `(?<name>functions\\.[\\w.-]{1,120}):\\d{1,6}\\s{0,8}(?:${tokenPattern}|(?=\\{))`,
      arguments: 'json',
      repeats: true,
    },
    { head: `(?<name>[A-Za-z_][\\w.-]{0,120}):\\d{1,6}\\s{0,8}${tokenPattern}`, arguments: 'json' },
    // Kimi K2.5, with a fence in place of the token.
    {
      head: '(?<name>functions\\.[\\w.-]{1,120})(?::\\d{1,6})?\\s{0,8}(?=`{3})',
      needs: 'tag',
      isFaulty: true,
      arguments: 'fenced',
    },
    // An id that a server wrote in another way: `functions_NAME_0`, or made by itself.
    { head: `(?<name>[\\w.-]{1,128})\\s{0,8}${tokenPattern}`, isId: true, arguments: 'json' },
  ],
};

export const kimiForm: NotationForm = {
  models: 'Kimi K2, K2 Thinking, K2.5',
  form: '`<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`',
  notExpressed: 'nothing',
  write: ({ name, arguments: values }) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0${token}${JSON.stringify(values)}<|tool_call_end|><|tool_calls_section_end|>`,
};
