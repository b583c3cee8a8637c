import { noLiterals } from '../../json/number-literals.ts';
import { objectOf } from '../../json/value.ts';
import { skip } from '../repair-rule.ts';
import type { TextRule } from '../text-rule.ts';

/** Tags of Anthropic, MiniMax and DeepSeek have a word before their names. */
const prefix = '(?:antml:|minimax:|[|｜]DSML[|｜])?';
const wrapper = new RegExp(
  `^<(${prefix}(?:tool_calls?(?=>)|function(?==)|function_calls?(?=>)|invoke(?=[> ])))(?:=[\\w.-]+| name="[\\w.-]+")?>([^]*)</\\1>$`,
);
const opening = new RegExp(
  `^<(${prefix}parameter)(?:=([^\\s<>"]+)|\\s+name="([^"<>]+)"(?:\\s+string="(?:true|false)")?)>`,
);
/** Parameters of GLM. */
const keyAndValue = /^<arg_key>\s*([^\s<>"]+)\s*<\/arg_key>\s*<(arg_value)>/;
const nameBefore = /^[\w.-]+\s*(?=<arg_key>)/;

export const callSyntax: TextRule = {
  id: 'call_syntax',
  keeps: 'lossless',
  sends:
    'one call in markup with named parameters (`<parameter=path>…`, `<parameter name="path">…`, `<arg_key>path</arg_key><arg_value>…`)',
  becomes: 'an object of strings, which the value rules read',
  notWhen: 'anything else in the text; a parameter twice; another tool’s name',
  propose({ text }) {
    const parameters = parametersOf(
      withoutWrappers(withoutStray(withoutUnclosed(text.trim()))).replace(nameBefore, ''),
    );
    if (parameters === undefined || parameters.length === 0) return skip;
    const value = objectOf(parameters);
    if (Object.keys(value).length < parameters.length) return skip;
    return { kind: 'object', value, numbers: noLiterals, repeatedKeys: [] };
  },
};

/** Tags around the parameters, at most, as in `<tool_call><function=name>…`. */
const mostWrappers = 3;

function withoutWrappers(text: string, left: number = mostWrappers): string {
  const inside = wrapper.exec(text)?.[2];
  return left > 0 && inside !== undefined ? withoutWrappers(inside.trim(), left - 1) : text;
}

function parametersOf(text: string): readonly (readonly [string, string])[] | undefined {
  const found: (readonly [string, string])[] = [];
  let rest = text;
  while (rest !== '') {
    const parameter = openingOf(rest);
    const end = parameter === undefined ? -1 : rest.indexOf(parameter.closing);
    if (parameter === undefined || end === -1) return undefined;
    const { tag, name, closing } = parameter;
    const value = rest.slice(tag.length, end);
    if (/<(?:[\w-]+:|[|｜]DSML[|｜])?parameter|<arg_(?:key|value)>/.test(value)) return undefined;
    // Line breaks beside the tags belong to the markup.
    found.push([name, value.replace(/^\r?\n/, '').replace(/\r?\n$/, '')]);
    rest = rest.slice(end + closing.length).trimStart();
  }
  return found;
}

/** Qwen leaves out opening tags. */
const strayClosings = ['tool_call', 'function'] as const;

const withoutStray = (text: string): string =>
  strayClosings.reduce((rest, element) => {
    const isOpened = rest.startsWith(`<${element}`);
    return isOpened || !rest.endsWith(`</${element}>`) ? rest : rest.slice(0, -element.length - 3).trimEnd();
  }, text);

/** A closed call is whole even if the tag around it is open: servers take the last closing tag for the end of the turn. */
const unclosed = new RegExp(
  `^<${prefix}(?:tool_calls?|function_calls?)>\\s*(?=<(${prefix}(?:function|invoke))[= ])`,
);

function withoutUnclosed(text: string): string {
  const [around, element] = unclosed.exec(text) ?? [];
  return around !== undefined && text.endsWith(`</${element}>`) ? text.slice(around.length) : text;
}

interface Opening {
  readonly tag: string;
  readonly name: string;
  readonly closing: string;
}

function openingOf(text: string): Opening | undefined {
  const [tag, element, bare, quoted] = opening.exec(text) ?? [];
  const name = bare ?? quoted;
  if (tag !== undefined && name !== undefined) return { tag, name, closing: `</${element}>` };
  const [pair, key, holder] = keyAndValue.exec(text) ?? [];
  return pair === undefined || key === undefined
    ? undefined
    : { tag: pair, name: key, closing: `</${holder}>` };
}
