import { exactJson } from '../json/parse.ts';
import { type ReadValue, readJsonPrefix } from '../json/lenient-parser.ts';
import { matchAt } from '../json/tokens.ts';
import { objectOf } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonObject, maxTextDepth } from '../json/value.ts';
import {
  type CallEnvelope,
  bareEnvelopeIn,
  brokenEnvelopeIn,
  callsIn,
  nameKeys,
  onlyKey,
} from './call-envelope.ts';
import { jsonBody } from './json-body.ts';
import {
  type CallSource,
  type ReadCall,
  argumentsInEnvelope,
  longestTag,
  valuesOf,
} from './notation.ts';
import type { NamedCall, OfferedTool, OfferedTools } from './offered-tools.ts';
import { type Markup, type MarkupReading, readMarkup } from './read-markup.ts';
import { closingTagsAt, openingTagsAt } from './wrapping-tags.ts';

/**
 * `none`: no markup of a call. `other`: the call of a tool that was not offered. `broken`: the call
 * of an offered tool, which can't be read in exactly one way. `refused`: calls without markup whose
 * arguments the tools don't take. `spent`: how many characters were read.
 */
export type ReadCalls =
  | { readonly kind: 'none'; readonly spent: number }
  | { readonly kind: 'other'; readonly end: number; readonly spent: number }
  | BrokenCall
  | {
      readonly kind: 'calls' | 'refused';
      readonly calls: readonly NamedCall[];
      readonly notation: string;
      readonly end: number;
      readonly spent: number;
    };

interface BrokenCall {
  readonly kind: 'broken';
  readonly name: string | undefined;
  readonly notation: string;
  /** The text ends before the call does. */
  readonly isOpen: boolean;
  readonly spent: number;
}

type Resolved = readonly NamedCall[] | 'unknown' | undefined;

/** The calls in the markup at an offset. */
export function readMarkedCalls(text: string, start: number, tools: OfferedTools): ReadCalls {
  const { end: at, tags } = openingTagsAt({ text, extent: 'part' }, start);
  const source = sourceAt(text, at, tags, tools);
  const markup = readMarkup(source);
  if (markup.kind === 'skip') return { kind: 'none', spent: 0 };
  const spent = text.length - start;
  if (markup.kind !== 'readings') {
    const { name } = markup;
    const tool = name && tools.toolOf({ name, arguments: '', state: 'open' });
    const isOffered =
      name === undefined ? tools.mayName(text.slice(start, start + longestTag)) : tool;
    if (!isOffered) return { kind: 'none', spent };
    const isOpen = markup.kind === 'open';
    return { kind: 'broken', name: tool && tool.name, notation: markup.notation, isOpen, spent };
  }
  const { notation, readings } = markup;
  const choice = chooseReading(readings, tools, (reading) =>
    resolveAll(source, markup, reading, tools),
  );
  // Words in the tag are words before the call, too.
  const isDoubtful = markup.hasThought && choice !== undefined && isStrict(choice.calls, tools);
  if (choice === undefined || isDoubtful) {
    const [call] = readings[0]?.calls ?? [];
    const isOpen = call?.state === 'open';
    return { kind: 'broken', name: call && tools.toolOf(call)?.name, notation, isOpen, spent };
  }
  const { end } = closingTagsAt({ text, extent: 'part', isTool: tools.isTool }, choice.end);
  return choice.calls === 'unknown'
    ? { kind: 'other', end, spent: end - start }
    : { kind: 'calls', calls: choice.calls, notation, end, spent: end - start };
}

const isStrict = (calls: ChosenReading['calls'], tools: OfferedTools): boolean =>
  calls !== 'unknown' && calls.some(({ name }) => tools.find(name)?.isStrict === true);

const sourceAt = (
  text: string,
  at: number,
  tags: readonly string[],
  tools: OfferedTools,
): CallSource => ({
  text,
  at,
  tags,
  until: text.length,
  extent: 'part',
  isTool: tools.isTool,
  isDeclared: tools.isDeclared,
  isList: tools.isList,
});

interface ChosenReading {
  readonly calls: readonly NamedCall[] | 'unknown';
  readonly end: number;
}

/**
 * The one reading that counts: that in which all tags are structure; else, at the least cost at
 * which the tools take a call, the only one.
 */
function chooseReading(
  readings: readonly MarkupReading[],
  tools: OfferedTools,
  resolve: (reading: MarkupReading) => { readonly calls: Resolved; readonly end: number },
): ChosenReading | undefined {
  const structure = readings.find(({ isStructure }) => isStructure);
  if (structure !== undefined) {
    const { calls, end } = resolve(structure);
    return calls === undefined ? undefined : { calls, end };
  }
  const costs = [...new Set(readings.map(({ cost }) => cost))];
  /** The value of a witness that costs less. */
  let witnessText: string | undefined;
  for (const cost of costs) {
    const fitting = readings
      .filter((reading) => reading.cost === cost)
      .flatMap((reading) => {
        const { calls, end } = resolve(reading);
        if (calls === undefined || calls === 'unknown') return [];
        // What can't be undone isn't done by markup with faults.
        if (cost > 0 && calls.some(({ name }) => tools.find(name)?.isStrict === true)) return [];
        const values = calls.map(({ name, arguments: argumentText }) =>
          tools.find(name)?.accept(argumentText, true),
        );
        return values.includes(undefined)
          ? []
          : [{ calls, end, value: JSON.stringify(values), isWitness: reading.isWitness }];
      });
    const [first] = fitting;
    if (first === undefined) continue;
    const isOne = fitting.every(({ value, end }) => value === first.value && end === first.end);
    if (!isOne || (witnessText !== undefined && witnessText !== first.value)) return undefined;
    const certain = fitting.find(({ isWitness }) => !isWitness);
    if (certain !== undefined) return certain;
    witnessText = first.value;
  }
  if (witnessText !== undefined) return undefined;
  const [cheapest] = readings;
  const isOther = cheapest !== undefined && resolve(cheapest).calls === 'unknown';
  return isOther ? { calls: 'unknown', end: cheapest.end } : undefined;
}

type MarkupReadings = Markup & { readonly kind: 'readings' };

/** The calls of a reading, with those that follow in the same markup. */
function resolveAll(
  source: CallSource,
  { repeats, notation }: MarkupReadings,
  { calls, end }: MarkupReading,
  tools: OfferedTools,
): { readonly calls: Resolved; readonly end: number } {
  const first = resolveCalls(calls, tools);
  if (!repeats || first === undefined || first === 'unknown') return { calls: first, end };
  const all = [...first];
  let lastEnd = end;
  for (;;) {
    const at = matchAt(separators, source.text, lastEnd) === null ? lastEnd : separators.lastIndex;
    if (!/[[{<A-Za-z_]/.test(source.text.charAt(at))) break;
    const next = readMarkup({ ...source, at });
    if (next.kind !== 'readings' || !next.repeats || next.notation !== notation) break;
    const reading = next.readings.find(({ isStructure }) => isStructure);
    const more = reading && resolveCalls(reading.calls, tools);
    if (reading === undefined || more === undefined || more === 'unknown') break;
    all.push(...more);
    lastEnd = reading.end;
  }
  return { calls: all, end: lastEnd };
}

/** What sets calls apart in one markup. */
const separators = /[\s,;]*/y;

/**
 * The calls with their tools' own names and their argument text; `unknown`: of no tool that was
 * offered; undefined: not readable.
 */
function resolveCalls(calls: readonly ReadCall[], tools: OfferedTools): Resolved {
  const results = calls.map((call): Resolved => {
    if (call.name === undefined)
      return typeof call.arguments === 'string'
        ? callsInText(call.arguments, tools, true)
        : undefined;
    const tool = tools.toolOf(call);
    if (tool === undefined) return 'unknown';
    const callArguments = call.arguments;
    if (typeof callArguments === 'string') return [{ name: tool.name, arguments: callArguments }];
    const values =
      argumentsInEnvelope(callArguments, tool.isDeclared) ?? valuesOf(callArguments, tool.rawText);
    return values && [{ name: tool.name, arguments: JSON.stringify(values) }];
  });
  return together(results);
}

function together(results: readonly Resolved[]): Resolved {
  if (results.includes(undefined) || results.length === 0) return undefined;
  if (results.every((calls) => calls === 'unknown')) return 'unknown';
  // One of several is of no tool: all are text.
  if (results.includes('unknown')) return undefined;
  return results.flatMap((calls) => (calls === undefined || calls === 'unknown' ? [] : calls));
}

/** The call objects in the text between tags: JSON, or one call that is broken JSON. */
function callsInText(text: string, tools: OfferedTools, isMarked: boolean): Resolved {
  const json = readWholeJson(text);
  if (json !== undefined) {
    const inner = typeof json.value === 'string' ? readWholeJson(json.value) : json;
    return inner && callsInJson(inner, tools, isMarked);
  }
  return brokenCallIn(text, tools);
}

/** The name of the call in its object; a quote of its key and a colon may be lost. */
const nameInText =
  /(?<![\w\\])["'“]?(?:name|function|tool|tool_name|function_name|recipient_name)["'”]?\s{0,64}:?\s{0,64}["'“]([^"'“”\\]{1,128})["'”]/g;

/** One call whose object is broken. */
function brokenCallIn(text: string, tools: OfferedTools): Resolved {
  const brokenEnvelope = brokenEnvelopeIn(text);
  const name = brokenEnvelope?.name ?? nameInBroken(text, tools);
  if (name === undefined) return undefined;
  const tool = tools.find(name);
  if (tool === undefined) return 'unknown';
  if (brokenEnvelope !== undefined && tool.accept(brokenEnvelope.inner, true) !== undefined)
    return [{ name: tool.name, arguments: brokenEnvelope.inner }];
  const argumentText = tool.readCallObject(text);
  return argumentText === undefined ? undefined : [{ name: tool.name, arguments: argumentText }];
}

/** The name of the call in broken JSON: a tool's, if any of them is. */
function nameInBroken(text: string, tools: OfferedTools): string | undefined {
  const [, key = ''] = onlyKey.exec(text) ?? [];
  if (tools.isTool(key)) return key;
  const names = [...text.matchAll(nameInText)].map(([, name = '']) => name);
  return names.find((name) => tools.isTool(name)) ?? names[0];
}

/** A text that is JSON as a whole, as models write it. */
function readWholeJson(text: string): ReadValue | undefined {
  const whole = text.trimEnd();
  const read = readJsonPrefix(whole, 0, 'loose', maxTextDepth);
  return read.kind === 'read' && read.end === whole.length ? read : undefined;
}

/** The call objects in JSON, one or a list; Apertus writes `{NAME: {…}}`. */
function callsInJson(
  { value, numbers }: ReadValue,
  tools: OfferedTools,
  isMarked: boolean,
): Resolved {
  return together(
    callsIn(value).map((entry): Resolved => {
      if (!isJsonObject(entry)) return undefined;
      const envelope = bareEnvelopeIn(entry, () => false);
      const flatCall = isMarked && envelope === undefined ? flatCallIn(entry, tools) : undefined;
      if (flatCall !== undefined) {
        const argumentText = exactJson(flatCall.members, numbers);
        return flatCall.tool.accept(argumentText, true) === undefined
          ? undefined
          : [{ name: flatCall.tool.name, arguments: argumentText }];
      }
      const [key = '', ...others] = Object.keys(entry);
      const call =
        envelope ??
        (others.length === 0 && tools.isTool(key) ? { name: key, inner: entry[key] } : undefined);
      if (call === undefined) return undefined;
      const { name, inner } = call;
      const tool = tools.find(name);
      if (tool === undefined || (envelope !== undefined && isDeclaration(envelope, tool)))
        return 'unknown';
      // What it thinks is beside the call, as words are that stand before one.
      if (envelope?.hasThought === true && tool.isStrict) return undefined;
      const argumentText = argumentTextOf(inner, (object) => exactJson(object, numbers));
      return argumentText === undefined
        ? undefined
        : [{ name: tool.name, arguments: argumentText }];
    }),
  );
}

/**
 * A call whose arguments are beside its tool's name, and are all declared: `{"tool": "search", "q":
 * "a"}`. Without markup, it is any object. No template writes it, so it isn't one of a strict tool.
 */
function flatCallIn(
  entry: JsonObject,
  tools: OfferedTools,
): { readonly tool: OfferedTool; readonly members: JsonObject } | undefined {
  const namings = Object.entries(entry).flatMap(([key, value]) => {
    const tool = nameKeys.has(key) && typeof value === 'string' ? tools.find(value) : undefined;
    return tool?.isDeclared?.(key) === false ? [{ key, tool }] : [];
  });
  const [naming, ...others] = namings;
  if (naming === undefined || others.length > 0 || naming.tool.isStrict) return undefined;
  const { key: nameKey, tool } = naming;
  const members = Object.entries(entry).filter(([key]) => key !== nameKey);
  const isKnown = members.length > 0 && members.every(([key]) => tool.isDeclared?.(key) === true);
  return isKnown ? { tool, members: objectOf(members) } : undefined;
}

/** Whether a tool's parameters are a JSON Schema, which is how providers' APIs declare a tool. */
const isDeclaration = (
  { argumentsKey, inner }: CallEnvelope,
  { isDeclared }: OfferedTool,
): boolean =>
  argumentsKey === 'parameters' &&
  typeof inner !== 'string' &&
  inner['type'] === 'object' &&
  isJsonObject(inner['properties'] ?? null) &&
  isDeclared?.('type') !== true &&
  isDeclared?.('properties') !== true;

const argumentTextOf = (
  inner: JsonValue | undefined,
  write: (value: JsonValue) => string,
): string | undefined => {
  if (typeof inner === 'string') return inner;
  return isJsonObject(inner ?? null) ? write(inner ?? null) : undefined;
};

/** The calls without markup at an offset, whose arguments the tools take. */
export function readBareCalls(text: string, start: number, tools: OfferedTools): ReadCalls {
  const read = bareCallsAt(text, start, tools);
  const spent = text.length - start;
  if (read === undefined) return { kind: 'none', spent };
  const { calls, notation, end } = read;
  if (calls === undefined || calls === 'unknown')
    return calls === undefined
      ? { kind: 'none', spent }
      : { kind: 'other', end, spent: end - start };
  const isAccepted = calls.every(
    ({ name, arguments: argumentText }) =>
      tools.find(name)?.accept(argumentText, false) !== undefined,
  );
  return {
    kind: isAccepted ? 'calls' : 'refused',
    calls,
    notation,
    end,
    spent: end - start,
  };
}

function bareCallsAt(
  text: string,
  start: number,
  tools: OfferedTools,
): { readonly calls: Resolved; readonly notation: string; readonly end: number } | undefined {
  const source = sourceAt(text, start, [], tools);
  const markup = readMarkup(source);
  if (markup.kind === 'readings') {
    const choice = chooseReading(markup.readings, tools, (reading) =>
      resolveAll(source, markup, reading, tools),
    );
    return choice && { ...choice, notation: markup.notation };
  }
  if (markup.kind !== 'skip' || !/[[{]/.test(text.charAt(start))) return undefined;
  return jsonCallsAt(source, tools);
}

/** Call objects that blanks, commas or semicolons set apart. */
function jsonCallsAt(
  source: CallSource,
  tools: OfferedTools,
): { readonly calls: Resolved; readonly notation: string; readonly end: number } | undefined {
  const { text } = source;
  const results: Resolved[] = [];
  let end = source.at;
  for (let at = source.at; /[[{]/.test(text.charAt(at));) {
    const body = jsonBody(source, at);
    const whole = body.kind === 'body' ? body : toTheEnd(text, at);
    if (whole === undefined) break;
    const calls = callsInText(whole.text, tools, false);
    if (calls === undefined && results.length > 0) break;
    results.push(calls);
    end = whole.end;
    at = matchAt(separators, text, end) === null ? end : separators.lastIndex;
  }
  return { calls: together(results), notation: 'json_envelope', end };
}

/** Broken JSON with which the text ends, if its root is closed, whatever else is. */
function toTheEnd(
  text: string,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  const whole = text.slice(at).trimEnd();
  return isRootClosed(whole) ? { text: whole, end: at + whole.length } : undefined;
}

function isRootClosed(text: string): boolean {
  const open: string[] = [];
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\[^])*"|[[\]{}]/g)) {
    if (mark === '{' || mark === '[') open.push(mark === '{' ? '}' : ']');
    else if (mark === '}' || mark === ']') open.splice(open.lastIndexOf(mark));
  }
  return open.length === 0 && /[\]}]$/.test(text);
}
