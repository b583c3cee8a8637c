import { asides, codeNames, reasoningNames, resultNames } from '../repair/asides.ts';
import { notationTable } from '../repair/notations/notation-table.ts';

/**
 * What may begin in running text. `call`: markup of a notation. `json`: a list or an object on a line of its own. `code`: a run of
 * backticks. `fence`: of a block of code. `quote`: a quoted line. `aside`: a result, another role's turn, a comment.
 */
export interface Marker {
  readonly kind: 'call' | 'json' | 'code' | 'fence' | 'quote' | 'reasoning' | 'aside';
  /** The backticks or waves of `code` and `fence`, else everything that was found. */
  readonly mark: string;
  readonly start: number;
  readonly end: number;
  /** Matches the end of a fence, a quotation or an aside. */
  readonly closes: RegExp;
}

/** Characters that a marker has at most. */
export const longestMarker = 64;

const lineStart = '(?<=(?:^|\\n)[ \\t]{0,16})[ \\t]{0,16}';
/** Elements at the beginning of a line: their text is about something. Tags around calls, and elements without an end, are none. */
const elementName =
  '(?!(?:tool|function|invoke|call|br|hr|img|answer|action|final|response|assistant|message|s\\b|start_|end_|bos|eos))[A-Za-z][\\w:-]{0,27}(?=[\\s>])';
const attributes = '(?:\\s[^<>\\n]{0,32})?';

/** Asides other than those in tags, and how they end. */
const otherAsides: readonly (readonly [opens: string, closes: string, kind?: string])[] = [
  ['<!--', '-->'],
  // Text that was struck out.
  ['(?<!~)~~(?![~\\s])', '~~|\\n'],
  // Code that is indented behind an empty line.
  ['(?<=\\n[ \\t]{0,16}\\n)(?: {4}|\\t)(?=[ \\t]{0,16}\\S)', '\\n(?=[ \\t]{0,3}[^ \\t\\n])'],
  ...asides.map(({ opens, closes, kind }) => [opens, closes, kind] as const),
];

/** Finds the markers in running text. */
export class MarkerFinder {
  readonly #pattern: RegExp;

  /** `names`: of the tools, whose tags are calls. */
  constructor(names: readonly string[]) {
    const elements = names
      .filter((name) => /^[A-Za-z_][\w.-]{0,60}$/.test(name))
      .map((name) => name.replaceAll('.', '\\.'));
    const calls = notationTable.flatMap(({ begins }) => (begins === undefined ? [] : [begins]));
    if (elements.length > 0) calls.push(`<(?:${elements.join('|')})>`);
    this.#pattern = new RegExp(
      [
        `${lineStart}(?:>[ \\t]?){0,4}(?:[-*+][ \\t]{1,4}|\\d{1,3}[.)][ \\t]{1,4})?(?<fence>\`{3,}|~{3,})`,
        '(?<=^|\\n)[ \\t]{0,3}(?<quote>>)',
        '(?<code>`+)',
        `<(?<thinking>${reasoningNames})>`,
        `(?:(?<=^|[\\n>])[ \\t]{0,16})<(?<result>${resultNames})${attributes}>`,
        `<(?<markup>${codeNames})${attributes}>`,
        ...otherAsides.map(([opens], index) => `(?<other${index}>${opens})`),
        `(?<call>${calls.join('|')})`,
        `(?<=(?:^|\\n)[ \\t]{0,16})<(?<element>${elementName})${attributes}>`,
        `${lineStart}(?<json>[[{])`,
      ].join('|'),
      'g',
    );
  }

  /** The first marker from an offset on. */
  next(text: string, from: number): Marker | undefined {
    this.#pattern.lastIndex = from;
    const found = this.#pattern.exec(text);
    const [group, mark = ''] = Object.entries(found?.groups ?? {}).find(([, one]) => one !== undefined) ?? [];
    if (found === null || group === undefined) return undefined;
    return { ...kindOf(group, mark), mark, start: found.index, end: found.index + found[0].length };
  }
}

function kindOf(group: string, mark: string): Pick<Marker, 'kind' | 'closes'> {
  switch (group) {
    case 'call':
    case 'json':
    case 'code':
      return { kind: group, closes: never };
    case 'fence':
      return { kind: 'fence', closes: endOfFence(mark) };
    case 'quote':
      return { kind: 'quote', closes: /\n/g };
    default: {
      const index = group.startsWith('other') ? Number(group.slice('other'.length)) : -1;
      const [, closes = `</${mark}>`, kind = group === 'thinking' ? 'reasoning' : 'aside'] =
        otherAsides[index] ?? [];
      return { kind: kind === 'reasoning' ? kind : 'aside', closes: new RegExp(closes, 'g') };
    }
  }
}

const never = /(?!)/g;

const endOfFence = (fence: string): RegExp =>
  new RegExp(`(?<=\\n)[ \\t>]{0,16}${fence.charAt(0)}{${Math.min(fence.length, 16)},}[ \\t]*(?:\\n|$)`, 'g');

/** Words at the beginning of a call in a notation without tags, or of an aside. */
const words = [
  'Observation:',
  '◁think▷',
  'functools',
  'functions.',
  'Action:',
  ...['', 'commentary ', 'analysis '].flatMap((channel) => [
    `${channel}to=functions.`,
    `assistant${channel}to=functions.`,
  ]),
];

/** The offset up to which no marker can begin that isn't there as a whole yet. */
export function endOfSafeText(text: string, from: number): number {
  const start = Math.max(from, text.length - longestMarker);
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/[<[\]`~{>\n]/.test(character)) return at;
    const rest = text.slice(at);
    if (words.some((word) => word.startsWith(rest))) return at;
  }
  return text.length;
}
