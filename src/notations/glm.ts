import {
  type Notation,
  type NotationForm,
  type TaggedArguments,
  nameGroup,
  namePattern,
} from './notation.ts';
import { writeParameters } from './written-parameters.ts';

/** LongCat 2 puts a word before the names of its tags. */
const prefix = '(?:longcat_)?';
/** A key and what closes it, which may come twice, or be lost. */
const keyAndEnd = `(?<key>[^<>"'\\s]{1,128})\\s{0,8}(?:</${prefix}arg_key>\\s{0,8}){0,2}`;

const keysAndValues: TaggedArguments = {
  parameter: `(?:<${prefix}arg_key>\\s{0,8}){1,2}${keyAndEnd}<${prefix}arg_value>`,
  templateParameter: `<${prefix}arg_key>[^<>]*</${prefix}arg_key>\\s*<${prefix}arg_value>`,
  parameterEnd: `</${prefix}arg_value(?:>|$)`,
  stray: `</?${prefix}arg_key>|<${prefix}arg_value>`,
  bent: '</arg_value(?![>\\w])(?:/>?)?|<\\\\/arg_value>',
  end: `</${prefix}tool_call(?:>|$)`,
  wrapperEnd: '</tool_calls>',
  call: `<${prefix}tool_call>\\s*${namePattern}\\s*(?:<tool_sep>\\s*)?(?=<${prefix}arg_key>|</${prefix}tool_call>)`,
  layout: 'exact',
  isNameless: true,
};

/** Behind the name, the tag before the first key is lost, or the tag of the call stands for it. */
const firstKeyWithoutTag: TaggedArguments = {
  ...keysAndValues,
  parameter: `(?:<${prefix}arg_key>\\s{0,8}|(?<=<${prefix}tool_call>\\s{0,8}NAME\\s{0,8}(?:<${prefix}tool_call>\\s{0,8})?))${keyAndEnd}<${prefix}arg_value>`,
};

/** GLM-4.5 to GLM-5 (`chat_template.jinja`): `<tool_call>NAME`, then keys and values in turn. */
export const glm: Notation = {
  id: 'glm',
  begins: `<${prefix}tool_call>`,
  names: [`^\\s*<tool_call>\\s*${nameGroup}\\s*<arg_key>`],
  forms: [
    {
      head: `(?:(?<name>${namePattern})\\s*(?:<tool_sep>\\s*)?)?(?=<${prefix}arg_key>)`,
      arguments: keysAndValues,
    },
    {
      head: `(?<name>${namePattern})(?:\\s{0,8}<${prefix}tool_call>\\s{0,8}|\\s{1,8})(?=${keyAndEnd}<${prefix}arg_value>)`,
      needs: 'tag',
      isFaulty: true,
      arguments: firstKeyWithoutTag,
    },
    {
      head: `(?<name>${namePattern})(?=\\s{0,8}</${prefix}arg_key>\\s{0,8}<${prefix}arg_value>)`,
      needs: 'tag',
      isFaulty: true,
      isGlued: true,
      arguments: firstKeyWithoutTag,
    },
    // A call without arguments.
    {
      head: `(?<name>${namePattern})\\s*(?:<tool_sep>\\s*)?(?=</${prefix}tool_call>)`,
      needs: 'tag',
      arguments: 'none',
    },
    {
      head: `(?<name>${namePattern})\\s*</${prefix}arg_value>\\s*(?=</${prefix}tool_call>)`,
      needs: 'tag',
      isFaulty: true,
      arguments: 'none',
    },
  ],
};

export const glmForm: NotationForm = {
  models: 'GLM-4.5, 4.6, 4.7, 5, LongCat 2, Hunyuan 3',
  form: '`<tool_call>NAME<arg_key>KEY</arg_key><arg_value>value</arg_value></tool_call>`, also without NAME',
  notExpressed: 'a string with `</arg_value>` or another parameter’s tag in it',
  write(call) {
    const write = (key: string, raw: string) =>
      `<arg_key>${key}</arg_key>\n<arg_value>${raw}</arg_value>\n`;
    const parameters = writeParameters(call, write, '</arg_value>');
    return parameters && `<tool_call>${call.name}\n${parameters.join('')}</tool_call>`;
  },
};
