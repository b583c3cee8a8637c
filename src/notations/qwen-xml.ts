import {
  type Notation,
  type NotationForm,
  type TaggedArguments,
  lineStart,
  namePattern,
  nameGroup,
  rawText,
} from './notation.ts';
import { parameterTags } from './parameter-tags.ts';
import { anyPrefix } from './wrapping-tags.ts';
import { writeParameters } from './written-parameters.ts';

/** Llama 3.3 leaves out the `>` before JSON, or writes `=` for it. */
const functionTag = `<function=\\s{0,8}["']?(?<name>${namePattern})["']?\\s{0,8}`;

const parametersInLines: TaggedArguments = {
  ...parameterTags,
  end: '</function(?:>|$)',
  wrapperEnd: '</(?:\\w{1,20}:)?tool_calls?(?:>|$)',
  call: '<function=',
  layout: 'lines',
};

/**
 * Qwen3-Coder and Qwen3.5 (`chat_template.jinja`), also Nemotron 3 Nano, Step-3.5-Flash and
 * Seed-OSS: each value is on lines of its own. Llama 3.1's custom tools write JSON between the tags
 * of the function.
 */
export const qwenXml: Notation = {
  id: 'qwen_xml',
  begins: '<function=',
  // Servers may lose the first character of the tag.
  beginsBare: `${lineStart}function=${namePattern}>(?=\\s{0,8}\\{)`,
  names: [`<${anyPrefix}function=${nameGroup}`],
  forms: [
    { head: `${functionTag}(?:>|=?(?=\\{))\\s*(?=\\{)`, arguments: 'json' },
    { head: `${functionTag}>`, arguments: parametersInLines },
    {
      head: `function=(?<name>${namePattern})>\\s{0,8}(?=\\{)`,
      needs: 'tool',
      isFaulty: true,
      arguments: 'json',
    },
    // Parameters without the call around them.
    {
      head: `(?=${parameterTags.parameter})`,
      needs: 'alone',
      arguments: { ...parametersInLines, isNameless: true },
    },
  ],
};

export const qwenXmlForm: NotationForm = {
  models:
    'Qwen3-Coder, Qwen3.5, Nemotron 3, Step-3.5-Flash, Seed-OSS; with JSON inside: Llama 3.1, Functionary 3.1',
  form: '`<function=NAME><parameter=KEY>value</parameter></function>`, `<function=NAME>{…}</function>`',
  notExpressed:
    'a string with `</parameter>` or another parameter’s tag in it, and one that ends in a carriage return',
  write(call) {
    const write = (key: string, raw: string) => `<parameter=${key}>\n${raw}\n</parameter>\n`;
    // A carriage return at the end would belong to the line break after it.
    const isPlain = Object.values(call.arguments).every((value) => !rawText(value).endsWith('\r'));
    const parameters = isPlain ? writeParameters(call, write, '</parameter>') : undefined;
    return (
      parameters &&
      `<tool_call>\n<function=${call.name}>\n${parameters.join('')}</function>\n</tool_call>`
    );
  },
};
