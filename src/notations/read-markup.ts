import { memoize } from '../collections/memoize.ts';
import { readJsonPrefix } from '../json/lenient-parser.ts';
import { matchAt } from '../json/tokens.ts';
import { maxTextDepth } from '../json/value.ts';
import { readBraces } from './brace-arguments.ts';
import { afterBlanks, endOfContainer, jsonBody } from './json-body.ts';
import {
  type MarkupForm,
  type CallSource,
  type Notation,
  type ReadCall,
  type TaggedArguments,
  unescapedName,
} from './notation.ts';
import { notationTable } from './notation-table.ts';
import { readPython } from './python-calls.ts';
import { readTags } from './tag-readings.ts';
import { closingTagsAt } from './wrapping-tags.ts';

/** One way to read markup. */
export interface MarkupReading {
  readonly calls: readonly ReadCall[];
  readonly end: number;
  /** The number of edits, and of tags that are text although they are where they belong. */
  readonly cost: number;
  /** All tags are structure, so no other reading counts. */
  readonly isStructure: boolean;
  /** The reading only shows that another reading of the same cost isn't the only one. */
  readonly isWitness: boolean;
}

/**
 * `skip`: the text is in no notation. `open`: the text ends before the call does. `refused`: the
 * text is in a notation, and can't be read. `readings`: those of the least cost come first.
 */
export type Markup =
  | { readonly kind: 'skip' }
  | {
      readonly kind: 'open' | 'refused';
      readonly notation: string;
      readonly name: string | undefined;
    }
  | {
      readonly kind: 'readings';
      readonly notation: string;
      readonly readings: readonly MarkupReading[];
      /** Other calls may follow in the same tags. */
      readonly repeats: boolean;
      /** What the model says before the call is part of the notation. */
      readonly hasThought: boolean;
    };

const noMarkup = { kind: 'skip' } as const;

/** Reads the call at an offset in the first form that has its head there. */
export function readMarkup(
  source: CallSource,
  notations: readonly Notation[] = notationTable,
): Markup {
  for (const { id, forms } of notations)
    for (const form of forms) {
      const head = matchAt(headOf(form), source.text, source.at);
      const name = head === null ? undefined : nameOf(form, head, source);
      if (head === null || !meetsNeeds(form, name, source)) continue;
      const result = readForm(source, form, {
        name: nameIn(form, name, source),
        element: head.groups?.['element'],
        end: source.at + (form.isGlued === true ? (name ?? '') : head[0]).length,
      });
      if (result.kind === 'readings')
        return {
          ...result,
          readings: form.isFaulty === true ? result.readings.map(withEdit) : result.readings,
          notation: id,
          repeats: form.repeats === true,
          hasThought: head.groups?.['thought'] !== undefined,
        };
      if (result.kind !== 'skip') return { ...result, notation: id };
    }
  return noMarkup;
}

function nameOf(
  { arguments: body, isGlued }: MarkupForm,
  head: RegExpExecArray,
  source: CallSource,
): string | undefined {
  const name = head.groups?.['name'];
  if (name !== undefined && isGlued === true) return nameBeforeKey(name, source);
  const isEscaped = typeof body === 'object' && body.namesAreEscaped === true;
  return name !== undefined && isEscaped ? unescapedName(name) : name;
}

const withEdit = (reading: MarkupReading): MarkupReading => ({
  ...reading,
  cost: reading.cost + 1,
  isStructure: false,
});

/** The only beginning of a text that is a tool's name, and after which one of its keys is left. */
function nameBeforeKey(text: string, { isTool, isDeclared }: CallSource): string | undefined {
  const names = Array.from(text.slice(1), (_, index) => text.slice(0, index + 1)).filter(
    (name) => isTool(name) && isDeclared?.(text.slice(name.length), name) === true,
  );
  return names.length === 1 ? names[0] : undefined;
}

const headOf = memoize((form: MarkupForm): RegExp => new RegExp(form.head, 'y'));

function meetsNeeds(
  { needs, isGlued }: MarkupForm,
  name: string | undefined,
  source: CallSource,
): boolean {
  if (isGlued === true && name === undefined) return false;
  if (needs === undefined) return true;
  const isAlone = source.extent === 'whole';
  if (needs === 'alone') return isAlone;
  const isNamed = name !== undefined && source.isTool(name);
  if (needs === 'tool_alone') return isAlone && isNamed;
  return (needs !== 'tool' && source.tags.length > 0) || (needs !== 'tag' && isNamed);
}

/** The tool's name in a head. An id has the name among other words. */
function nameIn(
  { isId }: MarkupForm,
  name: string | undefined,
  { isTool }: CallSource,
): string | undefined {
  if (isId !== true || name === undefined) return name;
  return [name, nameInId(name)].find((one) => isTool(one));
}

/** The `NAME` in an id such as `functions_NAME_0`. */
const nameInId = (id: string): string =>
  id.replace(/^functions?[._:]/, '').replace(/[._:-]\d{1,6}$/, '');

interface Head {
  readonly name: string | undefined;
  /** The name of the tag around the parameters. */
  readonly element: string | undefined;
  readonly end: number;
}

function readForm(
  source: CallSource,
  form: MarkupForm,
  head: Head,
):
  | { readonly kind: 'skip' }
  | { readonly kind: 'open' | 'refused'; readonly name: string | undefined }
  | { readonly kind: 'readings'; readonly readings: readonly MarkupReading[] } {
  const { text } = source;
  const { name } = head;
  const { arguments: body, end: closing } = form;
  if (typeof body === 'object') return tagReadings(source, body, head);
  switch (body) {
    case 'none':
      return oneReading([{ name, arguments: [], state: 'closed' }], head.end);
    case 'json':
      return closing === undefined
        ? jsonReading(source, head.end, name)
        : jsonElements(source, form, { ...head, closing });
    case 'action_input':
      return actionInput(source, head);
    case 'fenced':
      return fencedReading(source, head);
    case 'keyless':
      return keylessReading(text, head);
    case 'bracketed':
      return bracketedReading(text, head);
    case 'python': {
      const read = readPython(text, head.end);
      if (read.kind !== 'calls')
        return read.kind === 'none' ? notPython(source, name) : { kind: read.kind, name };
      const calls = read.calls.map((call): ReadCall => ({
        name: builtInName(call.name, source),
        arguments: call.json,
        keywords: call.keywords,
        state: 'closed',
      }));
      return oneReading(calls, read.end);
    }
    case 'braces': {
      const read = readBraces(
        text,
        afterBlanks(text, head.end),
        // Only a call has a tag, so a word without quotes is a string there.
        source.tags.length > 0 ? 'words' : 'quoted',
      );
      return read.kind === 'object'
        ? oneReading([{ name, arguments: read.json, state: 'closed' }], read.end)
        : { kind: read.kind === 'none' ? 'refused' : read.kind, name };
    }
    default:
      return noMarkup;
  }
}

/**
 * The tool of a call: after its token, Llama 3.1 writes `NAME.call(…)` for built-in tools. Elsewhere,
 * `NAME.call` is another tool.
 */
const builtInName = (name: string, { tags, isTool }: CallSource): string =>
  tags.includes('python_tag') && !isTool(name) ? name.replace(/\.call$/, '') : name;

/** Any word can come before a parenthesis: outside a list, only a tool's name makes it a call. */
const notPython = ({ tags, isTool }: CallSource, name: string | undefined) =>
  tags.length > 0 || name === undefined || isTool(name)
    ? ({ kind: 'refused', name } as const)
    : ({ kind: 'skip' } as const);

const oneReading = (calls: readonly ReadCall[], end: number) => ({
  kind: 'readings' as const,
  readings: [{ calls, end, cost: 0, isStructure: true, isWitness: false }],
});

/** Words without quotes and brackets, with which a line ends. */
const wordsInBrackets = /\[([^\s[\]{}"'`](?:[^[\]{}"`\n]*[^\s[\]{}"'`])?)\](?=[ \t]*(?:\r?\n|$))/y;

function keylessReading(text: string, { name, end: at }: Head) {
  const inner = readJsonPrefix(text, at, 'loose', maxTextDepth - 2);
  const end = inner.kind === 'read' ? afterBlanks(text, inner.end) : text.length;
  if (text.charAt(end) !== '}') return { kind: 'refused', name } as const;
  return oneReading([{ name, arguments: text.slice(at, end), state: 'closed' }], end + 1);
}

function bracketedReading(text: string, { name, end }: Head) {
  const [whole = '', words] = matchAt(wordsInBrackets, text, end) ?? [];
  if (words === undefined) return { kind: 'refused', name } as const;
  const call = { name, arguments: JSON.stringify(words), state: 'closed' } as const;
  return oneReading([call], end + whole.length);
}

/** A control token in the place of arguments. */
const tokenInBrackets = /\s*\[\/?[A-Z_]{3,40}\]/y;

function jsonReading(source: CallSource, at: number, name: string | undefined) {
  const isToken = name !== undefined && matchAt(tokenInBrackets, source.text, at) !== null;
  if (isToken) return { kind: 'refused', name } as const;
  const body = jsonBody(source, at);
  if (body.kind === 'skip') return { kind: 'skip' } as const;
  if (body.kind !== 'body') return { kind: body.kind, name };
  return oneReading([{ name, arguments: body.text, state: 'closed' }], body.end);
}

/** Calls whose arguments are JSON in an element. An element without text is no arguments. */
function jsonElements(
  source: CallSource,
  form: MarkupForm,
  first: Head & { readonly closing: string },
) {
  const { text } = source;
  const closing = new RegExp(first.closing, 'y');
  const calls: ReadCall[] = [];
  let { name, end: at } = first;
  for (;;) {
    const start = afterBlanks(text, at);
    const end = text.startsWith('</', start) ? start : endOfObject(text, start);
    if (end === undefined) return { kind: 'open', name } as const;
    const closed = matchAt(closing, text, end);
    if (closed === null || (end === start && closed[0].trim() === ''))
      return { kind: 'refused', name } as const;
    calls.push({ name, arguments: text.slice(start, end) || '{}', state: 'closed' });
    at = end + closed[0].length;
    const [gap = ''] = matchAt(betweenCalls, text, at) ?? [];
    const head = matchAt(headOf(form), text, at + gap.length);
    if (head === null) return oneReading(calls, at);
    name = nameOf(form, head, source);
    at = head.index + head[0].length;
  }
}

const betweenCalls = /[\s,;]*/y;

const endOfObject = (text: string, start: number): number | undefined =>
  text.charAt(start) === '{' ? endOfContainer(text, start) : undefined;

/** ReAct's stop word. A model that isn't stopped there goes on with an invented result. */
const observation = /\n[ \t]*Observation:\s*$/;
const nextAction = /^[ \t]*(?:Action(?: Input)?|Observation):/m;

function actionInput(source: CallSource, head: Head) {
  const { name, end: at } = head;
  const { text, until } = source;
  if (matchAt(fence, text, at) !== null) return fencedReading(source, head);
  if (source.extent === 'part') {
    const read = jsonReading(source, at, name);
    if (read.kind !== 'readings') return read;
    const bodyEnd = read.readings[0]?.end ?? at;
    const [stop = ''] = /^\s*\n[ \t]*Observation:\s*$/.exec(text.slice(bodyEnd)) ?? [];
    return {
      ...read,
      readings: read.readings.map((one) => ({ ...one, end: bodyEnd + stop.length })),
    };
  }
  const body = text.slice(at, until).replace(observation, '');
  if (nextAction.test(body)) return { kind: 'refused', name } as const;
  const read = jsonReading({ ...source, until: at + body.length }, at, name);
  return read.kind === 'readings'
    ? { ...read, readings: read.readings.map((one) => ({ ...one, end: until })) }
    : read;
}

const fence = /`{3}(?:json)?\s{0,8}/y;
const fenceEnd = /\s*`{3}/y;

function fencedReading(source: CallSource, { name, end }: Head) {
  const { text, until } = source;
  const start = afterBlanks(text, end);
  if (matchAt(fence, text, start) === null) return jsonReading(source, start, name);
  const from = fence.lastIndex;
  if (source.extent === 'whole') {
    const isClosed = text.startsWith('```', until - 3);
    return jsonReading(isClosed ? { ...source, until: until - 3 } : source, from, name);
  }
  const read = jsonReading(source, from, name);
  if (read.kind !== 'readings') return read;
  const bodyEnd = read.readings[0]?.end ?? from;
  if (matchAt(fenceEnd, text, bodyEnd) !== null)
    return { ...read, readings: read.readings.map((one) => ({ ...one, end: fenceEnd.lastIndex })) };
  // The end of the fence is lost, and the JSON is closed by itself.
  const next = afterBlanks(text, bodyEnd);
  if (next >= text.length || text.charAt(next) === '<') return read;
  return { kind: '```'.startsWith(text.slice(bodyEnd).trim()) ? 'open' : 'refused', name } as const;
}

function tagReadings(source: CallSource, form: TaggedArguments, head: Head) {
  const { name, end } = head;
  const { text, extent, isDeclared, isList } = source;
  // If the first element is a parameter, nothing is around the parameters.
  const [, elementName] =
    form.separator === undefined ? [] : (elementAt.exec(text.slice(end, end + 200)) ?? []);
  if (elementName !== undefined && isDeclared?.(elementName, name) === true)
    return { kind: 'skip' } as const;
  const keys = {
    isDeclared: isDeclared && ((key: string) => isDeclared(key, name)),
    isList: (key: string) => isList(key, name),
  };
  const { readings: allReadings, endsInValue } = readTags(text, end, withNames(form, head), keys);
  // Parameters without any tag around them have nothing that closes the call.
  const isBare = form.isNameless === true && source.tags.length === 0;
  const isClosedAfter = (at: number): boolean =>
    isBare || (form.isNameless === true && closingTagsAt(source, at).isClosed);
  const readings = allReadings
    .filter(({ isClosed, pairs }) => isClosed || (extent === 'whole' && pairs.length > 0))
    .map(({ pairs, isClosed, ...reading }): MarkupReading => {
      const state = isClosed || isClosedAfter(reading.end) ? 'closed' : 'open';
      return { ...reading, calls: [{ name, arguments: pairs, state }] };
    });
  if (readings.length > 0) return { kind: 'readings' as const, readings };
  const isOpen = allReadings.length > 0 || endsInValue;
  return { kind: isOpen ? ('open' as const) : ('refused' as const), name };
}

const elementAt = /^\s*<([A-Za-z_][\w.-]{0,127})/;

const namedForms = new WeakMap<TaggedArguments, Map<string, TaggedArguments>>();

/** The form, with the name and the element of the call's head in its tags. */
function withNames(form: TaggedArguments, { name = '', element = '' }: Head): TaggedArguments {
  if (!/NAME|ELEMENT/.test(form.end + form.parameter)) return form;
  const forms = namedForms.get(form) ?? new Map<string, TaggedArguments>();
  namedForms.set(form, forms);
  const key = `${element} ${name}`;
  const cachedForm = forms.get(key);
  if (cachedForm !== undefined) return cachedForm;
  const fill = (pattern: string): string =>
    pattern.replaceAll('NAME', name.replaceAll('.', '\\.')).replaceAll('ELEMENT', element);
  const namedForm = {
    ...form,
    end: fill(form.end),
    call: fill(form.call),
    parameter: fill(form.parameter),
  };
  if (forms.size < 1000) forms.set(key, namedForm);
  return namedForm;
}
