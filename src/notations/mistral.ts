import { type Notation, type NotationForm, lineStart, nameGroup, namePattern } from './notation.ts';

const toolCalls = '[TOOL_CALLS]';

/**
 * Mistral's tokenizers from version 11 on: Devstral Small 1.1, Magistral, Mistral Small 3.2
 * (`[CALL_ID]` too) and Ministral 3 (by `chat_template.jinja`:
 * `'[TOOL_CALLS]' + name + '[ARGS]' + arguments`).
 */
export const mistral: Notation = {
  id: 'mistral',
  begins: `\\[TOOL_CALLS\\]|${lineStart}[\\w.:/-]{1,128}\\[(?:CALL_ID|ARGS)\\]`,
  names: [`\\[TOOL_CALLS\\]${nameGroup}`, `${nameGroup}\\[(?:CALL_ID|ARGS)\\]`],
  forms: [
    // A call without arguments, in an answer that isn't cut.
    {
      head: `(?<=\\[TOOL_CALLS\\]\\s{0,8})(?<name>${namePattern})\\s{0,8}(?:\\[ARGS\\]\\s{0,8})?(?=</s>)`,
      needs: 'tool',
      arguments: 'none',
    },
    {
      head: `(?<name>${namePattern})\\s{0,8}(?:\\[CALL_ID\\][^[\\]{}]{0,64})?\\[ARGS\\]`,
      arguments: 'json',
    },
    // Version 11 has no token before the arguments.
    {
      head: `(?<=\\[TOOL_CALLS\\]\\s{0,8})(?<name>${namePattern})\\s{0,8}(?=\\{)`,
      arguments: 'json',
    },
  ],
};

export const mistralForm: NotationForm = {
  models: 'Devstral, Magistral, Mistral Small 3.2, Ministral 3',
  form: '`[TOOL_CALLS]NAME[ARGS]{…}`, `[TOOL_CALLS]NAME[CALL_ID]123456789[ARGS]{…}`',
  notExpressed: 'nothing',
  write: ({ name, arguments: values }) => `${toolCalls}${name}[ARGS]${JSON.stringify(values)}`,
};
