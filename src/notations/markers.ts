import { once } from '../collections/once.ts';
import { asides, codeNames, reasoningNames, resultNames } from './asides.ts';
import { notationTable } from './notation-table.ts';

/**
 * What may begin in running text. `call`: markup of a notation. `bare`: a call without markup at
 * the beginning of a line. `json`: a list or an object there. `element`: an element there that is
 * no call's. `fence`: a block of code. `code`: a run of backticks. `aside`: a quoted line, another
 * role's turn, a result in tokens. `answer`: what is addressed to the user. `shown`: a result or
 * code in tags, a comment. `thought`: reasoning, `thought_end`: its end.
 */
export interface Marker {
  readonly kind:
    | 'call'
    | 'bare'
    | 'json'
    | 'element'
    | 'fence'
    | 'code'
    | 'aside'
    | 'answer'
    | 'shown'
    | 'thought'
    | 'thought_end';
  /** What was found; the name of an element. */
  readonly mark: string;
  readonly start: number;
  readonly end: number;
  /** Matches the end of a fence, reasoning, an aside or an element. */
  readonly closes: RegExp;
}

/** Characters that a marker has at most. */
export const longestMarker = 160;

const lineStart = '(?:^|\\n)[ \\t]{0,16}';
const listItem = '(?:[-*+][ \\t]{1,4}|\\d{1,3}[.)][ \\t]{1,4})?';
/** Backticks begin a block of code only if their line has no others. */
const fence = '`{3,2000}(?=[^`\\n]{0,2000}\\n|[^`\\n]{2000})|~{3,2000}';
/**
 * The names of elements at the beginning of a line: their text is about something. Tags around
 * calls, and elements without an end, are none.
 */
const isElement =
  /^(?!tool|function|invoke|call|br|hr|img|answer|action|final|response|assistant|message|s\b|start_|end_|bos|eos)[A-Za-z][\w:-]{0,27}$/;
const attributes = '(?:\\s[^<>\\n]{0,32})?';
/** The name of a tool, and what may follow it in a call without markup. */
const bareCall =
  '(?:\\[\\s{0,8})?(?:print\\(\\s{0,8})?([A-Za-z_][\\w.-]{0,127})(?:\\s{0,8}\\(|[ \\t]{0,8}(?:\\r?\\n\\s{0,8})?(?=\\{))';

/** Asides other than those in tags, and how they end. */
const otherAsides: readonly (readonly [opens: string, closes: string, kind?: string])[] = [
  ['<!--', '-->', 'comment'],
  // A quoted line.
  ['(?<=^|\\n)[ \\t]{0,3}>(?!>>[A-Za-z_][\\w.-]{0,127}\\r?\\n\\s{0,8}\\{)', '\\n'],
  // Changed lines of a file.
  ['(?<=^|\\n)@@ -\\d[^\\n]{0,78}@@', '\\n(?![-+ \\\\@])'],
  // Text that was struck out.
  ['(?<!~)~~(?![~\\s])', '~~|\\n'],
  ...asides.map(({ opens, closes, kind }) => [opens, closes, kind] as const),
];

/** The end of reasoning whose beginning is not in the text. */
const thoughtEnd = `</${reasoningNames}>|\\[/THINK\\]|◁/think▷|<\\|END_THINKING\\|>`;

const beginningsOf = (key: 'begins' | 'beginsBare'): string =>
  notationTable.flatMap((notation) => notation[key] ?? []).join('|');

/** One form of marker in the pattern for all of them. */
interface MarkerForm {
  readonly kind: Marker['kind'];
  readonly source: string;
  /** The first group in the source is the mark. Otherwise, all that was found is. */
  readonly isNamed?: true;
  /** The mark of a form whose text doesn't matter. */
  readonly mark?: string;
  /** What ends it. Default: nothing does. */
  readonly closes?: (mark: string) => RegExp;
}

const endTag = (name: string): RegExp => new RegExp(`</${name}>`, 'g');

const endOfFence = (mark: string): RegExp =>
  new RegExp(
    `(?<=\\n)[ \\t]{0,16}${mark.charAt(0)}{${Math.min(mark.length, 16)},}[ \\t]*(?:\\n|$)`,
    'g',
  );

const kindsOfAsides: Readonly<Record<string, Marker['kind']>> = {
  reasoning: 'thought',
  comment: 'shown',
  answer: 'answer',
};

/** If several forms match at one offset, the first does. */
const markerForms: readonly MarkerForm[] = [
  {
    kind: 'fence',
    source: `(?<=${lineStart}${listItem})(${fence})`,
    isNamed: true,
    closes: endOfFence,
  },
  { kind: 'code', source: '`+' },
  { kind: 'thought', source: `<(${reasoningNames})>`, isNamed: true, closes: endTag },
  { kind: 'thought_end', source: thoughtEnd },
  {
    kind: 'shown',
    source: `(?<=(?:^|[\\n>])[ \\t]{0,16})<(${resultNames})${attributes}>`,
    isNamed: true,
    closes: endTag,
  },
  { kind: 'shown', source: `<(${codeNames})${attributes}>`, isNamed: true, closes: endTag },
  ...otherAsides.map(([opens, closes, kind = '']): MarkerForm => ({
    kind: kindsOfAsides[kind] ?? 'aside',
    source: opens,
    closes: () => new RegExp(closes, 'g'),
  })),
  { kind: 'call', source: beginningsOf('begins') },
  { kind: 'bare', source: beginningsOf('beginsBare'), mark: '<' },
  {
    kind: 'element',
    source: `(?<=${lineStart})<([A-Za-z_][\\w.:-]{0,60})${attributes}>`,
    isNamed: true,
    closes: endTag,
  },
  {
    kind: 'bare',
    source: `(?<=${lineStart}|(?:${thoughtEnd})[ \\t]{0,8})${bareCall}`,
    isNamed: true,
  },
  { kind: 'json', source: `(?<=${lineStart}|(?:${thoughtEnd}))[[{]` },
];

/** One pattern for all tools: to compile it takes longer than to read most answers. */
const anyMarker = once(
  () => new RegExp(markerForms.map(({ source }) => `(${source})`).join('|'), 'g'),
);

/** Finds the markers in running text. */
export class MarkerFinder {
  /** The names of tools whose elements are calls. */
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /** The first marker from an offset on. */
  next(text: string, from: number): Marker | undefined {
    const pattern = anyMarker();
    pattern.lastIndex = from;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const marker = this.#markerOf(match);
      if (marker !== undefined) return marker;
      pattern.lastIndex = match.index + 1;
    }
    return undefined;
  }

  #markerOf(match: RegExpExecArray): Marker | undefined {
    for (const [number, { kind, isNamed, closes, mark: fixedMark }] of formsByNumber()) {
      const whole = match[number];
      if (whole === undefined) continue;
      const mark = fixedMark ?? (isNamed === true ? (match[number + 1] ?? whole) : whole);
      const place = { start: match.index, end: match.index + match[0].length };
      if (kind === 'element' && whole === `<${mark}>` && this.#names.has(mark))
        return { kind: 'bare', closes: never, mark: whole, ...place };
      if (kind === 'element' && !isElement.test(mark)) return undefined;
      return { kind, closes: closes?.(mark) ?? never, mark, ...place };
    }
    return undefined;
  }
}

/**
 * The forms by the numbers that their groups have in the pattern of all. Named groups would be an
 * object for each marker.
 */
const formsByNumber = once(() => numbered(markerForms));

function numbered(forms: readonly MarkerForm[]): ReadonlyMap<number, MarkerForm> {
  const numbers = new Map<number, MarkerForm>();
  let number = 1;
  for (const form of forms) {
    numbers.set(number, form);
    // Without its own match, the result is as long as the number of groups, and one.
    number += (new RegExp(`(${form.source})|`).exec('')?.length ?? 1) - 1;
  }
  return numbers;
}

const never = /(?!)/g;

/** Words at the beginning of a call in a notation without tags, or of an aside. */
const words = [
  '◁think▷',
  '◁/think▷',
  'functools',
  'to=functions.',
  'commentary to=functions.',
  'analysis to=functions.',
  'assistantcommentary to=functions.',
  'assistantanalysis to=functions.',
];

/** Whom a text is addressed to, at its beginning. */
const recipients = ['to=user<|message|>', 'to=self<|message|>'];

/** The offset up to which no marker can begin that isn't there as a whole yet. */
export function endOfSafeText(text: string, from: number): number {
  const start = Math.max(from, text.length - longestMarker);
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    const isBeginning = at === 0 || text.charAt(at - 1) === '\n';
    if (/[<[\]`~{>]/.test(character)) return at;
    const isAfterTag = isBeginning || text.charAt(at - 1) === '>';
    if (isAfterTag && lineThatMayBegin.test(text.slice(at))) return at;
    if (isAfterTag && callThatMayBegin.test(text.slice(at))) return at;
    const rest = text.slice(at);
    if (at === 0 && recipients.some((word) => word.startsWith(rest.replace(/^\s/, '')))) return at;
    if (words.some((word) => word.startsWith(rest))) return at;
  }
  return text.length;
}

/** The beginning of what may become Gemma's `call:NAME{`. */
const callThatMayBegin = /^[ \t]{0,16}c(?:a(?:l(?:l(?: ?: ?[\w.-]{0,128}| )?)?)?)?$/;

/**
 * The beginning of a line that may become one of a call, a quotation, a fence or a patch. A token
 * may follow a name.
 */
const lineThatMayBegin =
  /^[ \t]*(?:(?:[-*+]|\d{1,3}[.)]?)?[ \t]*|\[?\s{0,8}(?:print\(\s{0,8})?[A-Za-z_][\w.-]{0,127}\s{0,8}|[\w.:/-]{1,128}\s{0,8}(?:<[|｜]?[\w▁ ]{0,32}[|｜]?|\[[A-Z_]{0,8})?|(?:A(?:c(?:t(?:i(?:o(?:n:?)?)?)?)?)?|Observation:?)|function=[\w.:/-]{0,128}(?:>\s{0,8})?|@(?:@(?: (?:-[^\n]{0,80})?)?)?)$/;
