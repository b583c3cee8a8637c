import { matchAt } from '../json/tokens.ts';
import { behindBlanks, jsonBody } from './json-body.ts';
import {
  type Notation,
  type NotationForm,
  namePattern,
  oneCall,
  rawText,
  skipped,
  nameGroup,
} from './notation.ts';
import { parameterTagAt, parametersAt, writeParameters } from './tagged-parameters.ts';
import { anyPrefix, callInTags } from './wrapping-tags.ts';

/** Llama 3.3 leaves out the `>` before JSON, or writes `=` for it. */
const functionTag = new RegExp(`<function=["']?(${namePattern})["']?(?:>|=?(?=\\{))`, 'y');

/**
 * Qwen3-Coder and Qwen3.5 (`chat_template.jinja`), also Nemotron 3 Nano, Step-3.5-Flash and
 * Seed-OSS: each value is on lines of its own. Llama 3.1's custom tools write JSON between the tags
 * of the function.
 */
export const qwenXml: Notation = {
  id: 'qwen_xml',
  begins: '<function=',
  names: [`<${anyPrefix}function=${nameGroup}`],
  closedBy: 'tags',
  readAt(source) {
    const { text, at, tags } = source;
    const name = matchAt(functionTag, text, at)?.[1];
    const start = name === undefined ? at : functionTag.lastIndex;
    if (name !== undefined && text.charAt(behindBlanks(text, start)) === '{')
      return jsonBody(source, start, name);
    const found = parametersAt(source, start, parameterTagAt);
    if (found.kind !== 'read') return found;
    if (name === undefined && found.pairs.length === 0) return skipped;
    // Parameters without any tag around them.
    const isBare = name === undefined && tags.length === 0;
    return isBare ? oneCall(found.end, name, found.pairs) : callInTags(source, name, found);
  },
};

export const qwenXmlForm: NotationForm = {
  models:
    'Qwen3-Coder, Qwen3.5, Nemotron 3, Step-3.5-Flash, Seed-OSS; with JSON inside: Llama 3.1, Functionary 3.1',
  form: '`<function=NAME><parameter=KEY>value</parameter></function>`, `<function=NAME>{…}</function>`',
  notExpressed:
    'a string with `</parameter>` or another parameter’s tag in it, and one that ends in a carriage return',
  write(call) {
    const write = (key: string, raw: string) => `<parameter=${key}>\n${raw}\n</parameter>\n`;
    // A carriage return at the end would belong to the line break behind it.
    const isPlain = Object.values(call.arguments).every((value) => !rawText(value).endsWith('\r'));
    const parameters = isPlain ? writeParameters(call, write, '</parameter>') : undefined;
    return (
      parameters &&
      `<tool_call>\n<function=${call.name}>\n${parameters.join('')}</function>\n</tool_call>`
    );
  },
};
