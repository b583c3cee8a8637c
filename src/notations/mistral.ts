import { matchAt } from '../json/tokens.ts';
import { jsonBody } from './json-body.ts';
import { type Notation, type NotationForm, namePattern, skipped, nameGroup } from './notation.ts';

const marked = new RegExp(
  `(${namePattern})\\s{0,8}(?:\\[CALL_ID\\][^[\\]{}]{0,64})?\\[ARGS\\]`,
  'y',
);
/** Version 11 has no token before the arguments. */
const unmarked = new RegExp(`(${namePattern})\\s{0,8}(?=\\{)`, 'y');
const toolCalls = '[TOOL_CALLS]';

/**
 * Mistral's tokenizers from version 11 on: Devstral Small 1.1, Magistral, Mistral Small 3.2
 * (`[CALL_ID]` too) and Ministral 3 (by `chat_template.jinja`:
 * `'[TOOL_CALLS]' + name + '[ARGS]' + arguments`).
 */
export const mistral: Notation = {
  id: 'mistral',
  begins: '\\[TOOL_CALLS\\]',
  names: [`\\[TOOL_CALLS\\]${nameGroup}`, `${nameGroup}\\[(?:CALL_ID|ARGS)\\]`],
  readAt(source) {
    const { text, at } = source;
    const found = matchAt(marked, text, at);
    if (found !== null) return jsonBody(source, marked.lastIndex, found[1]);
    if (!text.slice(0, at).trimEnd().endsWith(toolCalls)) return skipped;
    const name = matchAt(unmarked, text, at)?.[1];
    return name === undefined ? skipped : jsonBody(source, unmarked.lastIndex, name);
  },
};

export const mistralForm: NotationForm = {
  models: 'Devstral, Magistral, Mistral Small 3.2, Ministral 3',
  form: '`[TOOL_CALLS]NAME[ARGS]{…}`, `[TOOL_CALLS]NAME[CALL_ID]123456789[ARGS]{…}`',
  notExpressed: 'nothing',
  write: ({ name, arguments: sent }) => `${toolCalls}${name}[ARGS]${JSON.stringify(sent)}`,
};
