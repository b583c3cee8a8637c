import { elementTags } from './element-xml.ts';
import {
  type Notation,
  type NotationForm,
  longestTag,
  namePattern,
  nameGroup,
} from './notation.ts';
import { parameterTags } from './parameter-tags.ts';
import { anyPrefix, tagPrefix, tagToken } from './wrapping-tags.ts';
import { writeParameters } from './written-parameters.ts';

const invokeTag = `${tagToken}<${tagPrefix}(?<element>invoke|function|function_call|tool|tool_use|tool_call)[\\sĠ]+name=(?<quote>["'])(?<name>${namePattern})\\k<quote>[^<>]{0,${longestTag}}?>`;
const closing = {
  end: `${tagToken}<\\\\?/${tagPrefix}ELEMENT(?:>|$)`,
  wrapperEnd: `${tagToken}</${tagPrefix}(?:tool_calls?|function_calls?)(?:>|$)|<[|｜]tool[_▁]calls?[_▁]end[|｜]>`,
  call: `${tagToken}<${tagPrefix}(?:invoke|function|function_call|tool|tool_use|tool_call)[\\sĠ]+name=`,
} as const;

/**
 * Anthropic's form, which MiniMax-M2 and M2.5 (`<minimax:tool_call>`), MiniMax-M3 (a token before
 * each tag, parameters named by their tags) and DeepSeek V3.2 (`<｜DSML｜invoke>`, each parameter
 * with `string="true|false"`) write by their chat templates.
 */
export const invokeXml: Notation = {
  id: 'invoke_xml',
  begins: `${tagToken}<${tagPrefix}(?:tool_calls?>|function_calls?>|(?:invoke|function|function_call|tool_call|tool_use|tool)[\\sĠ]{1,8}name=)`,
  names: [
    `<${anyPrefix}(?:invoke|function|function_call|tool|tool_call|tool_use)\\s+name="${nameGroup}`,
  ],
  forms: [
    { head: invokeTag.replace(/>$/, '/>'), arguments: 'none' },
    { head: `${invokeTag}\\s*(?=\\{)`, arguments: 'json' },
    {
      head: `${invokeTag}(?=\\s*(?:${parameterTags.parameter}|</|$))`,
      arguments: { ...parameterTags, ...closing, layout: 'exact' },
    },
    // An element around all parameters is part of the form of `<tool_call name="NAME">`.
    {
      head: `${invokeTag}(?!\\s*<(?:args|arguments|parameters|input)[\\s>])`,
      arguments: { ...elementTags, ...closing, layout: 'exact' },
    },
  ],
};

export const invokeXmlForm: NotationForm = {
  models: 'MiniMax-M2 to M3, DeepSeek V3.2, Step 3, Claude',
  form: '`<invoke name="NAME"><parameter name="KEY">value</parameter></invoke>`, also `<function name="NAME">`, `<param name="KEY">`, `<KEY>`, `<｜DSML｜invoke name="NAME">`',
  notExpressed: 'a string with `</parameter>` or another parameter’s tag in it',
  write(call) {
    const write = (key: string, raw: string) => `<parameter name="${key}">${raw}</parameter>\n`;
    const parameters = writeParameters(call, write, '</parameter>');
    return (
      parameters &&
      `<minimax:tool_call>\n<invoke name="${call.name}">\n${parameters.join('')}</invoke>\n</minimax:tool_call>`
    );
  },
};
