import { spellingOf } from '../json/key-spelling.ts';
import { type CallSource, type ReadCall, longestTag, namePattern } from './notation.ts';
import { notationTable } from './notation-table.ts';
import { closingTagsAt, openingTagsAt, startOfClosingTags } from './wrapping-tags.ts';

/** The tools, as far as notations need them. */
export interface KnownTools {
  readonly isTool: (name: string) => boolean;
  readonly isDeclared: ((key: string) => boolean) | undefined;
}

/**
 * `skip`: the text is in no notation. `open`: it ends before the call does. `several`: it holds more
 * than one call. `refused`: it is a call with something else in it or behind it.
 */
export type WholeCall =
  | { readonly kind: 'skip' | 'open' | 'several' | 'refused' }
  | { readonly kind: 'call'; readonly call: ReadCall };

/**
 * Reads a text that is one whole call: tags, control tokens and XML comments around it are ignored.
 */
export function readWholeCall(text: string, tools: KnownTools): WholeCall {
  const { end: at, tags } = openingTagsAt(text, 0);
  const until = Math.max(at, startOfClosingTags(text));
  const source: CallSource = { text, at, tags, until, extent: 'whole', ...tools };
  for (const { closedBy, readAt } of notationTable) {
    const reading = readAt(source);
    if (reading.kind === 'skip') continue;
    if (reading.kind !== 'calls') return { kind: reading.kind };
    const [call, second] = reading.calls;
    const { end, isClosed } = closingTagsAt(source, reading.end);
    // Behind JSON text, all closing tags were left out already.
    const isEnd = typeof call?.arguments === 'string' && reading.end === until;
    const isWhole = isEnd || text.slice(end).trim() === '';
    const goesOn = !isWhole && startOfMarkup(text.slice(end), tools.isTool) < text.length - end;
    if (second !== undefined || goesOn) return { kind: 'several' };
    if (call === undefined || !isWhole) return { kind: 'refused' };
    const isOpen = closedBy === 'wrapper' && tags.length > 0 && !isClosed;
    return { kind: 'call', call: isOpen ? { ...call, state: 'open' } : call };
  }
  return { kind: 'skip' };
}

/**
 * Whether two names of tools are the same: without a namespace that chat templates put in front, in
 * any spelling.
 */
export const isSameName = (name: string, tool: string): boolean =>
  [name, name.replace(namespace, '')].some((one) => spellingOf(one) === spellingOf(tool));

const namespace = /^(?:functions?|tools?|default_api)[.:]/iu;

const beginnings = notationTable.flatMap(({ begins }) => (begins === undefined ? [] : [begins]));
const anyBeginning = new RegExp(beginnings.join('|'), 'u');
/** GLM's markup needs no tag around it. */
const nameBeforeKey = new RegExp(`${namePattern}\\s{0,8}$`);
const elementTag = /<([A-Za-z_][\w.-]{0,127})>/g;

/** Where the first markup that begins a call does, in running text; the end if there is none. */
export function startOfMarkup(text: string, isTool: KnownTools['isTool']): number {
  const element = [...text.matchAll(elementTag)].find(([, name = '']) => isTool(name));
  const starts = [text.search(anyBeginning), element?.index ?? -1, startOfBareKey(text)];
  return Math.min(...starts.map((at) => (at === -1 ? text.length : at)), text.length);
}

function startOfBareKey(text: string): number {
  const key = text.indexOf('<arg_key>');
  const name = nameBeforeKey.exec(text.slice(Math.max(0, key - longestTag), Math.max(0, key)));
  return key - (name?.[0].length ?? 0);
}

/** Places in the markup of all notations that name the tool of a call. */
const namings: readonly RegExp[] = notationTable.flatMap(({ names = [] }) =>
  names.map((source) => new RegExp(source, 'u')),
);

/** Whether the markup before the arguments names another tool. */
export function namesAnotherTool(text: string, toolName: string | undefined): boolean {
  if (toolName === undefined) return false;
  const markup = text.slice(0, 1024).split(/\{|<parameter|<arg_value/)[0] ?? '';
  const found = namings
    .map((naming) => naming.exec(markup)?.[1])
    .find((name) => name !== undefined);
  return found !== undefined && !isSameName(found, toolName);
}

/** Whether the tokens before a call that need others behind it have them. */
export const areTokensClosed = (opened: string, closing: string): boolean =>
  notationTable.every(({ tokens = [] }) =>
    tokens.every(([before, behind]) => !before.test(opened) || behind.test(closing)),
  );
