import { matchAt } from '../json/tokens.ts';
import { behindBlanks, jsonBody } from './json-body.ts';
import { elementTagAt, endOfArgumentsTag } from './element-xml.ts';
import {
  type Notation,
  type NotationForm,
  longestTag,
  namePattern,
  skipped,
  nameGroup,
} from './notation.ts';
import { parameterTagAt, parametersAt, writeVerbatim } from './tagged-parameters.ts';
import { anyPrefix, callInTags, tagPrefix, tagToken } from './wrapping-tags.ts';

const invokeTag = new RegExp(
  `${tagToken}<${tagPrefix}(?:invoke|function|tool|tool_use|tool_call)\\s+name=(["'])(${namePattern})\\1[^<>]{0,${longestTag}}>`,
  'y',
);

/**
 * Anthropic's form, which MiniMax-M2 and M2.5 (`<minimax:tool_call>`), MiniMax-M3 (a token before
 * each tag, parameters named by their tags) and DeepSeek V3.2 (`<｜DSML｜invoke>`, each parameter
 * with `string="true|false"`) write by their chat templates.
 */
export const invokeXml: Notation = {
  id: 'invoke_xml',
  begins: `${tagToken}<${tagPrefix}(?:tool_calls?>|function_calls?>|(?:invoke|function|tool_call|tool_use|tool)\\s{1,8}name=)`,
  names: [`<${anyPrefix}(?:invoke|function|tool|tool_call|tool_use)\\s+name="${nameGroup}`],
  closedBy: 'tags',
  readAt(source) {
    const { text, at, isTool } = source;
    const name = matchAt(invokeTag, text, at)?.[2];
    if (name === undefined) return skipped;
    const start = invokeTag.lastIndex;
    if (text.charAt(behindBlanks(text, start)) === '{') return jsonBody(source, start, name);
    // An element around all parameters is part of the form of `<tool_call name="NAME">`.
    if (endOfArgumentsTag(text, start) !== undefined) return skipped;
    const found = parametersAt(source, start, (all, from) => {
      const tag = elementTagAt(all, from);
      return parameterTagAt(all, from) ?? (tag !== undefined && isTool(tag.key) ? undefined : tag);
    });
    if (found.kind !== 'read') return found;
    return callInTags(source, name, found);
  },
};

export const invokeXmlForm: NotationForm = {
  models: 'MiniMax-M2 to M3, DeepSeek V3.2, Claude',
  form: '`<invoke name="NAME"><parameter name="KEY">value</parameter></invoke>`, also `<function name="NAME">`, `<param name="KEY">`, `<KEY>`, `<｜DSML｜invoke name="NAME">`',
  notExpressed:
    'a string with `</parameter>` or another parameter’s tag in it, and one that begins and ends with a line break',
  write(call) {
    const write = (key: string, raw: string) => `<parameter name="${key}">${raw}</parameter>\n`;
    const parameters = writeVerbatim(call, write, '</parameter>');
    return (
      parameters &&
      `<minimax:tool_call>\n<invoke name="${call.name}">\n${parameters.join('')}</invoke>\n</minimax:tool_call>`
    );
  },
};
