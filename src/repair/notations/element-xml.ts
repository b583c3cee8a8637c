import { matchAt } from '../../json/tokens.ts';
import { behindBlanks, jsonBody } from './json-body.ts';
import {
  type CallSource,
  type Notation,
  type RawArguments,
  type NotationForm,
  isPlainKey,
  longestTag,
  namePattern,
  oneCall,
  rawText,
  refusedCall,
  skipped,
  nameGroup,
} from './notation.ts';
import { type ParameterTag, parametersAt, writeVerbatim } from './tagged-parameters.ts';
import { anyPrefix, closingTagsAt, tagToken } from './wrapping-tags.ts';

const element = new RegExp(`${tagToken}<([A-Za-z_][\\w.-]{0,127})>`, 'y');
const namedCall = new RegExp(
  `<(?:tool_call|tool|tool_use|function|invoke)\\s+name=(["'])(${namePattern})\\1[^<>]{0,${longestTag}}>`,
  'y',
);
const argumentsTag = new RegExp(`<(args|arguments|parameters|input)(?:\\s[^<>]{0,${longestTag}})?>`, 'y');

/**
 * Elements named by the tool and its parameters: the form that Cline and Roo Code ask for in their system prompts, and
 * `<tool_call name="NAME"><args>` of prompted small models.
 */
export const elementXml: Notation = {
  id: 'element_xml',
  closedBy: 'tags',
  beginsWithToolName: true,
  names: [`<${anyPrefix}(?:tool_)?name>\\s*${nameGroup}`],
  readAt(source) {
    const { text, at, isTool } = source;
    const head = headAt(source);
    if (head.kind === 'skip') {
      // Parameters without the call around them: their tool is unknown.
      const first = elementTagAt(text, at, isTool);
      const isParameter = first !== undefined && source.isDeclared?.(first.key) === true;
      return isParameter && text.includes(first.closing, first.end) ? refusedCall : skipped;
    }
    if (text.charAt(behindBlanks(text, head.end)) === '{') return jsonBody(source, head.end, head.name);
    const found = parametersAt(source, head.end, (all, from) => elementTagAt(all, from, () => false));
    if (found.kind !== 'read') return found;
    if (holdsParameter(found.pairs, source)) return refusedCall;
    const closed = text.startsWith(head.closing, behindBlanks(text, found.end));
    const isClosed = closed || closingTagsAt(source, found.end).isClosed;
    return oneCall(found.end, head.name, found.pairs, isClosed ? 'closed' : 'open');
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
      keys.some((key) => rawText(value).includes(`<${key}>`) || rawText(value).includes(`</${key}>`)),
    );
    const write = (key: string, raw: string) => `<${key}>${raw}</${key}>\n`;
    const isExpressible = [name, ...keys].every(isElementName) && !holdsTag;
    const parameters = isExpressible ? writeVerbatim(call, write, `</${name}>`) : undefined;
    return parameters && `<${name}>\n${parameters.join('')}</${name}>`;
  },
};

interface Head {
  readonly kind: 'head';
  readonly name: string;
  readonly end: number;
  readonly closing: string;
}

/** The tags before the parameters: the tool's name, and perhaps an element around all parameters. */
function headAt({ text, at, isTool }: CallSource): Head | { readonly kind: 'skip' } {
  const named = matchAt(namedCall, text, at)?.[2];
  if (named !== undefined) {
    const around = argumentsTagAt(text, namedCall.lastIndex);
    return around === undefined ? { kind: 'skip' } : { kind: 'head', name: named, ...around };
  }
  const name = matchAt(element, text, at)?.[1];
  if (name === undefined || !isTool(name)) return { kind: 'skip' };
  const end = element.lastIndex;
  return { kind: 'head', name, ...(argumentsTagAt(text, end) ?? { end, closing: `</${name}>` }) };
}

/** The tag that opens an element around all parameters, behind blanks. */
export function argumentsTagAt(text: string, at: number): Pick<Head, 'end' | 'closing'> | undefined {
  const name = matchAt(argumentsTag, text, behindBlanks(text, at))?.[1];
  return name === undefined ? undefined : { end: argumentsTag.lastIndex, closing: `</${name}>` };
}

/** `<KEY>`, unless it names a tool. */
export function elementTagAt(
  text: string,
  at: number,
  isTool: (name: string) => boolean,
): ParameterTag | undefined {
  const key = matchAt(element, text, at)?.[1];
  return key === undefined || isTool(key) ? undefined : { key, end: element.lastIndex, closing: `</${key}>` };
}

/** Whether a value has the tag of a parameter in it: it may be one that was not closed. */
function holdsParameter(pairs: RawArguments, { isDeclared }: CallSource): boolean {
  const keys = new Set(pairs.map(([key]) => key));
  const isKey = (key = ''): boolean => keys.has(key) || isDeclared?.(key) === true;
  return pairs.some(([, raw]) =>
    [...raw.matchAll(/<([A-Za-z_][\w.-]{0,127})>/g)].some(([, key]) => isKey(key)),
  );
}

const isElementName = (name: string): boolean => isPlainKey(name) && /^[A-Za-z_][\w.-]*$/.test(name);
