import { matchAt } from '../json/tokens.ts';
import { behindBlanks, jsonBody } from './json-body.ts';
import {
  type CallSource,
  type Notation,
  type RawArguments,
  type NotationForm,
  longestTag,
  namePattern,
  rawText,
  refusedCall,
  skipped,
  nameGroup,
} from './notation.ts';
import { type ParameterTag, parametersAt, writeVerbatim } from './tagged-parameters.ts';
import { anyPrefix, callInTags, tagToken } from './wrapping-tags.ts';

const element = new RegExp(`${tagToken}<([A-Za-z_][\\w.-]{0,127})>`, 'y');
const namedCall = new RegExp(
  `<(?:tool_call|tool|tool_use|function|invoke)\\s+name=(["'])(${namePattern})\\1[^<>]{0,${longestTag}}>`,
  'y',
);
const argumentsTag = new RegExp(
  `<(?:args|arguments|parameters|input)(?:\\s[^<>]{0,${longestTag}})?>`,
  'y',
);

/**
 * Elements named by the tool and its parameters: the form that Cline and Roo Code ask for in their
 * system prompts, and `<tool_call name="NAME"><args>` of prompted small models.
 */
export const elementXml: Notation = {
  id: 'element_xml',
  closedBy: 'tags',
  beginsWithToolName: true,
  names: [`<${anyPrefix}(?:tool_)?name>\\s*${nameGroup}`],
  readAt(source) {
    const { text, at } = source;
    const head = headAt(source);
    if (head === undefined) {
      // Parameters without the call around them: their tool is unknown.
      const first = elementTagAt(text, at);
      return first !== undefined && source.isDeclared?.(first.key) === true ? refusedCall : skipped;
    }
    if (text.charAt(behindBlanks(text, head.end)) === '{')
      return jsonBody(source, head.end, head.name);
    const found = parametersAt(source, head.end, elementTagAt);
    if (found.kind !== 'read') return found;
    return holdsParameter(found.pairs, source) ? refusedCall : callInTags(source, head.name, found);
  },
};

export const elementXmlForm: NotationForm = {
  models: 'models prompted by Cline, Roo Code and their like',
  form: '`<NAME><KEY>value</KEY></NAME>`, `<tool_call name="NAME"><args><KEY>value</KEY></args></tool_call>`',
  notExpressed:
    'a string with a parameter’s own tags in it, and one that begins and ends with a line break; a tool or a key whose name is not one of XML',
  write(call) {
    const { name } = call;
    const keys = Object.keys(call.arguments);
    const holdsTag = Object.values(call.arguments).some((value) =>
      keys.some(
        (key) => rawText(value).includes(`<${key}>`) || rawText(value).includes(`</${key}>`),
      ),
    );
    const write = (key: string, raw: string) => `<${key}>${raw}</${key}>\n`;
    const isExpressible = [name, ...keys].every(isElementName) && !holdsTag;
    const parameters = isExpressible ? writeVerbatim(call, write, `</${name}>`) : undefined;
    return parameters && `<${name}>\n${parameters.join('')}</${name}>`;
  },
};

/**
 * The tags before the parameters: the tool's name, and perhaps an element around all parameters.
 */
function headAt({
  text,
  at,
  isTool,
}: CallSource): { readonly name: string; readonly end: number } | undefined {
  const named = matchAt(namedCall, text, at)?.[2];
  if (named !== undefined) {
    const end = endOfArgumentsTag(text, namedCall.lastIndex);
    return end === undefined ? undefined : { name: named, end };
  }
  const name = matchAt(element, text, at)?.[1];
  if (name === undefined || !isTool(name)) return undefined;
  const end = element.lastIndex;
  return { name, end: endOfArgumentsTag(text, end) ?? end };
}

/** The offset behind the tag that opens an element around all parameters, behind blanks. */
export const endOfArgumentsTag = (text: string, at: number): number | undefined =>
  matchAt(argumentsTag, text, behindBlanks(text, at)) === null ? undefined : argumentsTag.lastIndex;

/** `<KEY>`. */
export function elementTagAt(text: string, at: number): ParameterTag | undefined {
  const key = matchAt(element, text, at)?.[1];
  return key === undefined ? undefined : { key, end: element.lastIndex, closing: `</${key}>` };
}

/** Whether a value has the tag of a parameter in it: it may be one that was not closed. */
function holdsParameter(pairs: RawArguments, { isDeclared }: CallSource): boolean {
  const keys = new Set(pairs.map(([key]) => key));
  const isKey = (key = ''): boolean => keys.has(key) || isDeclared?.(key) === true;
  return pairs.some(([, raw]) =>
    [...raw.matchAll(/<([A-Za-z_][\w.-]{0,127})>/g)].some(([, key]) => isKey(key)),
  );
}

const isElementName = (name: string): boolean => /^[A-Za-z_][\w.-]{0,127}$/.test(name);
