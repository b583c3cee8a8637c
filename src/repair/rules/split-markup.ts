import { type JsonObject, type JsonValue, isJsonObject } from '../../json/value.ts';
import { type RuleContext, type ValueRule, keyEdits, replaceIfFits, skip } from '../repair-rule.ts';

/**
 * Models send a value with the markup of the parameters that follow it, which a server has read as
 * part of it: `{"file": "a.log</arg_value><arg_key>limit</arg_key><arg_value>5"}`.
 * Becomes the parameters, if the call passes with no key renamed, filled in, moved or left out; the
 * model gets a note.
 * Not when: no required parameter is absent; the markup names a parameter that is not declared, or
 * was sent; something else stands between the parameters or after them; a parameter but the last
 * one is not closed, or the answer was cut; the value before the markup is blank; two values hold
 * markup; raw text may be a string or another type; a verbatim field; a destructive tool.
 */
export const splitMarkup: ValueRule = {
  id: 'split_markup',
  level: 'value',
  answers: ['root'],
  sentTypes: ['object'],
  keys: ['missing'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  notes: true,
  notBeside: keyEdits,
  propose(context) {
    const { value, view } = context;
    if (!isJsonObject(value) || [...view.required].every((key) => Object.hasOwn(value, key)))
      return skip;
    const holders = Object.entries(value).flatMap(([key, text]) =>
      typeof text === 'string' && holdsClosing.test(text) ? [[key, text] as const] : [],
    );
    const [[key, text] = ['', ''], ...others] = holders;
    if (others.length > 0 || hasInexactNumber(value)) return skip;
    const splitText = markups.flatMap((markup) => splitBy(markup, key, text))[0];
    const isMeant = (parameter: Parameter): boolean =>
      mayBe(context, parameter) && (parameter[0] === key || !Object.hasOwn(value, parameter[0]));
    return splitText?.every(isMeant) === true
      ? replaceIfFits({ ...value, ...Object.fromEntries(splitText) })
      : skip;
  },
};

type Parameter = readonly [key: string, value: string];

/** The markup of parameters in the notations of GLM, of Qwen, and of Claude and DeepSeek. */
interface Markup {
  readonly closing: string;
  /** A whole parameter after another one. The end of the value also ends the last one. */
  readonly next: RegExp;
  /** One line break at either end of a value belongs to the markup. */
  readonly hasBreaks: boolean;
}

const markups: readonly Markup[] = [
  {
    closing: '</arg_value>',
    next: /\s*<arg_key>([^<>]{1,64})<\/arg_key>\s*<arg_value>([^]*?)(?:<\/arg_value>|$)/y,
    hasBreaks: false,
  },
  {
    closing: '</parameter>',
    next: /\s*<parameter=([^<>\s"']{1,64})>([^]*?)(?:<\/parameter>|$)/y,
    hasBreaks: true,
  },
  {
    closing: '</parameter>',
    next: /\s*<parameter name="([^<>"]{1,64})">([^]*?)(?:<\/parameter>|$)/y,
    hasBreaks: false,
  },
];

const holdsClosing = /<\/(?:arg_value|parameter)>/;

/** What closes a call after its parameters. */
const closings = /\s*(?:<\/(?:function|invoke|tool_call|function_calls|tool_calls)>\s*)*$/y;
const ownTag = /<\/?(?:arg_key|arg_value|parameter|function|invoke|tool_call|tool_calls)\b/;

/** The parameters in a text, of which the first one has the text's own key; none if it has others. */
function splitBy(
  { closing, next, hasBreaks }: Markup,
  key: string,
  text: string,
): readonly (readonly Parameter[])[] {
  let end = text.indexOf(closing);
  if (end === -1) return [];
  const parameters: Parameter[] = [[key, text.slice(0, end)]];
  end += closing.length;
  for (next.lastIndex = end; end < text.length; end = next.lastIndex) {
    const [, name = '', raw = ''] = next.exec(text) ?? [];
    if (name === '') break;
    parameters.push([name.trim(), raw]);
  }
  closings.lastIndex = end;
  const isWhole =
    closings.test(text) &&
    parameters[0]?.[1].trim() !== '' &&
    !parameters.some(([, raw]) => ownTag.test(raw));
  const keys = new Set(parameters.map(([name]) => name));
  if (!isWhole || parameters.length < 2 || keys.size < parameters.length) return [];
  return [
    parameters.map(([name, raw]) => [name, hasBreaks ? raw.replaceAll(outerBreaks, '') : raw]),
  ];
}

const outerBreaks = /^\r?\n|\r?\n$/g;

/** Whether a parameter is declared, and its raw text can be read in one way. */
function mayBe(context: RuleContext, [key, raw]: Parameter): boolean {
  const schema = context.view.properties.get(key);
  if (schema === undefined || context.viewOf(schema).isVerbatim) return false;
  const types = context.typesOf(schema);
  return !(types.has('string') && types.size > 1 && otherThanText.test(raw));
}

const otherThanText = /^\s*(?:-?\d|[[{"]|(?:true|false|null|none)\s*$)/i;

/** The digits of a number as it was sent belong to its object, which is replaced. */
const hasInexactNumber = (value: JsonObject): boolean =>
  Object.values<JsonValue>(value).some(
    (member) => typeof member === 'number' && !Number.isSafeInteger(member),
  );
