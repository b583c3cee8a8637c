import { once } from '../collections/once.ts';
import { spellingOf } from '../json/key-spelling.ts';
import {
  type CallSource,
  type KnownTools,
  type ReadCall,
  longestTag,
  namePattern,
} from './notation.ts';
import { notationTable } from './notation-table.ts';
import { readMarkup } from './read-markup.ts';
import { closingTagsAt, openingTagsAt, startOfClosingTags } from './wrapping-tags.ts';

/** One way to read a text that is one whole call. */
export interface WholeReading {
  readonly call: ReadCall;
  readonly cost: number;
  readonly isStructure: boolean;
  readonly isWitness: boolean;
}

/**
 * `skip`: the text is in no notation. `open`: it ends before the call does. `several`: it holds
 * more than one call. `refused`: it is a call with something else in it or after it. `readings`:
 * from the least cost on.
 */
export type WholeCall =
  | { readonly kind: 'skip' | 'open' | 'several' | 'refused' }
  | {
      readonly kind: 'readings';
      readonly readings: readonly WholeReading[];
      /** The text says before the call what the model thinks. */
      readonly hasThought: boolean;
    };

/**
 * Reads a text that is one whole call: tags, control tokens and XML comments around it are ignored.
 */
export function readWholeCall(text: string, tools: KnownTools): WholeCall {
  const { end: at, tags } = openingTagsAt({ text, extent: 'whole' }, 0);
  const until = Math.max(at, startOfClosingTags(text));
  const source: CallSource = { text, at, tags, until, extent: 'whole', ...tools };
  const markup = readMarkup(source);
  if (markup.kind === 'skip' && isParameterAlone(source)) return { kind: 'refused' };
  if (markup.kind !== 'readings') return { kind: markup.kind };
  const readings: WholeReading[] = [];
  let why: 'several' | 'refused' = 'refused';
  for (const { calls, end: callEnd, ...reading } of markup.readings) {
    const [call, second] = calls;
    const { end } = closingTagsAt(source, callEnd);
    // After JSON text, all closing tags were left out already.
    const isEnd = typeof call?.arguments === 'string' && callEnd === until;
    const isWhole = isEnd || text.slice(end).trim() === '';
    const goesOn = !isWhole && startOfMarkup(text.slice(end), tools.isTool) < text.length - end;
    if (second !== undefined || goesOn) why = 'several';
    else if (call !== undefined && isWhole) readings.push({ call, ...reading });
    // What follows a call that is whole isn't content of the call in another reading.
    if (reading.isStructure && !isWhole) break;
  }
  return readings.length === 0
    ? { kind: why }
    : { kind: 'readings', readings, hasThought: markup.hasThought };
}

/** Whether a parameter begins there without a call around it, so that its tool is unknown. */
function isParameterAlone({ text, at, isDeclared }: CallSource): boolean {
  const key = /^<([A-Za-z_][\w.-]{0,127})>/.exec(text.slice(at, at + longestTag))?.[1];
  return key !== undefined && isDeclared?.(key, undefined) === true;
}

/**
 * Whether two names of tools are the same: without a namespace that chat templates put in front, in
 * any spelling.
 */
export const isSameName = (name: string, tool: string): boolean =>
  [name, withoutNamespace(name)].some((one) => spellingOf(one) === spellingOf(tool));

export const withoutNamespace = (name: string): string => name.replace(namespace, '');

const namespace = /^(?:functions?|tools?|default_api)[.:]/iu;

const beginnings = notationTable.flatMap(({ begins = [], beginsBare = [] }) =>
  [begins, beginsBare].flat(),
);
const anyBeginning = once(() => new RegExp(beginnings.join('|'), 'u'));
/** GLM's markup needs no tag around it. */
const nameBeforeKey = new RegExp(`${namePattern}\\s{0,8}$`);
const elementTag = /<([A-Za-z_][\w.-]{0,127})>/g;

/** Where the first markup that begins a call does, in running text; the end if there is none. */
export function startOfMarkup(text: string, isTool: KnownTools['isTool']): number {
  const element = [...text.matchAll(elementTag)].find(([, name = '']) => isTool(name));
  const starts = [text.search(anyBeginning()), element?.index ?? -1, startOfBareKey(text)];
  return Math.min(...starts.map((at) => (at === -1 ? text.length : at)), text.length);
}

function startOfBareKey(text: string): number {
  const key = text.indexOf('<arg_key>');
  const name = nameBeforeKey.exec(text.slice(Math.max(0, key - longestTag), Math.max(0, key)));
  return key - (name?.[0].length ?? 0);
}

/** Places in the markup of all notations that name the tool of a call. */
const namings = once(() =>
  notationTable.flatMap(({ names = [] }) => names.map((source) => new RegExp(source, 'u'))),
);

/** Whether the markup before the arguments names another tool. */
export function namesAnotherTool(text: string, toolName: string | undefined): boolean {
  if (toolName === undefined) return false;
  const markup = text.slice(0, 1024).split(/\{|<parameter|<arg_value/)[0] ?? '';
  const markupName = namings()
    .map((naming) => naming.exec(markup)?.[1])
    .find((name) => name !== undefined);
  return markupName !== undefined && !isSameName(markupName, toolName);
}
