// Is the whole text a call in markup, with named parameters? Some models write their own call syntax as text.
// Leaves alone: anything else in the text, and a parameter that comes twice.
import { noNumberTexts } from '../../json/reader/number-texts.ts';
import { objectOf } from '../../json/own-key.ts';
import { silent, type TextRule } from '../text-rule.ts';

const wrapper =
  /^<(tool_call(?=>)|function(?==)|function_call(?=>)|invoke(?=[> ]))(?:=[\w.-]+| name="[\w.-]+")?>([^]*)<\/\1>$/;
const opening = /^<parameter(?:=([^\s<>"]+)|\s+name="([^"<>]+)")>/;
const closing = '</parameter>';

export const callSyntax: TextRule = {
  id: 'call_syntax',
  keeps: 'lossless',
  sends: 'one call in markup with named parameters (`<parameter=path>…`, `<parameter name="path">…`)',
  becomes: 'an object of texts, to be read by the schema',
  notWhen: 'anything else in the text; a parameter twice; another tool’s name',
  propose({ text }) {
    const parameters = parametersOf(withoutWrappers(text.trim()));
    if (parameters === undefined || parameters.length === 0) return silent;
    const value = objectOf(parameters);
    if (Object.keys(value).length < parameters.length) return silent;
    return { kind: 'object', value, numbers: noNumberTexts, repeatedKeys: [] };
  },
};

/** `<tool_call><function=name>…`: no known markup has more around its parameters. */
const mostWrappers = 3;

function withoutWrappers(text: string, left: number = mostWrappers): string {
  const inside = wrapper.exec(text)?.[2];
  return left > 0 && inside !== undefined ? withoutWrappers(inside.trim(), left - 1) : text;
}

function parametersOf(text: string): readonly (readonly [string, string])[] | undefined {
  const found: (readonly [string, string])[] = [];
  let rest = text;
  while (rest !== '') {
    const [tag, bare, quoted] = opening.exec(rest) ?? [];
    const name = bare ?? quoted;
    const end = rest.indexOf(closing);
    if (tag === undefined || name === undefined || end === -1) return undefined;
    const value = rest.slice(tag.length, end);
    if (value.includes('<parameter')) return undefined;
    // The line breaks beside the tags belong to the markup.
    found.push([name, value.replace(/^\r?\n/, '').replace(/\r?\n$/, '')]);
    rest = rest.slice(end + closing.length).trimStart();
  }
  return found;
}
