import { matchAt } from '../json/tokens.ts';
import {
  type Notation,
  type NotationForm,
  namePattern,
  oneCall,
  refusedCall,
  skipped,
  nameGroup,
} from './notation.ts';
import { type ParameterTag, parametersAt, writeVerbatim } from './tagged-parameters.ts';

const head = new RegExp(`(?:(${namePattern})\\s*)?(?=<arg_key>)`, 'y');
const nameAlone = new RegExp(`(${namePattern})\\s*(?=</tool_call>)`, 'y');
const keyAndValue = /<arg_key>\s{0,8}([^<>"'\s]{1,128})\s{0,8}<\/arg_key>\s{0,8}<arg_value>/y;

/** GLM-4.5 to GLM-5 (`chat_template.jinja`): `<tool_call>NAME`, then keys and values in turn. */
export const glm: Notation = {
  id: 'glm',
  begins: '<tool_call>',
  names: [`^\\s*<tool_call>\\s*${nameGroup}\\s*<arg_key>`],
  closedBy: 'wrapper',
  readAt(source) {
    const { text, at, tags } = source;
    const found = matchAt(head, text, at);
    if (found !== null) {
      const parameters = parametersAt(source, head.lastIndex, keyAndValueAt);
      if (parameters.kind !== 'read') return parameters;
      return parameters.pairs.length === 0
        ? refusedCall
        : oneCall(parameters.end, found[1], parameters.pairs);
    }
    // A call without arguments.
    const name = tags.includes('tool_call') ? matchAt(nameAlone, text, at)?.[1] : undefined;
    return name === undefined ? skipped : oneCall(nameAlone.lastIndex, name, []);
  },
};

export const glmForm: NotationForm = {
  models: 'GLM-4.5, 4.6, 4.7, 5',
  form: '`<tool_call>NAME<arg_key>KEY</arg_key><arg_value>value</arg_value></tool_call>`, also without NAME',
  notExpressed:
    'a string with `</arg_value>` or another parameter’s tag in it, and one that begins and ends with a line break',
  write(call) {
    const write = (key: string, raw: string) =>
      `<arg_key>${key}</arg_key>\n<arg_value>${raw}</arg_value>\n`;
    const parameters = writeVerbatim(call, write, '</arg_value>');
    return parameters && `<tool_call>${call.name}\n${parameters.join('')}</tool_call>`;
  },
};

function keyAndValueAt(text: string, at: number): ParameterTag | undefined {
  const key = matchAt(keyAndValue, text, at)?.[1];
  return key === undefined
    ? undefined
    : { key, end: keyAndValue.lastIndex, closing: '</arg_value>' };
}
