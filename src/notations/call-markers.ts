import { asides, codeNames, reasoningNames, resultNames } from './asides.ts';
import { notationTable } from './notation-table.ts';

/**
 * What may begin in running text. `call`: markup of a notation. `json`: a list or an object on a
 * line of its own. `code`: a run of backticks. `aside`: a block of code, a quoted line, a result,
 * another role's turn, a comment.
 */
export interface Marker {
  readonly kind: 'call' | 'json' | 'code' | 'reasoning' | 'aside';
  /** The backticks of `code`, the name of an element, else everything that was found. */
  readonly mark: string;
  readonly start: number;
  readonly end: number;
  /** Matches the end of reasoning or an aside. */
  readonly closes: RegExp;
}

/** Characters that a marker has at most. */
export const longestMarker = 64;

const lineStart = '(?:^|\\n)[ \\t]{0,16}';
const listItem = '(?:[-*+][ \\t]{1,4}|\\d{1,3}[.)][ \\t]{1,4})?';
/** Backticks begin a block of code only if their line has no others. */
const fence = '`{3,2000}(?=[^`\\n]{0,2000}\\n|[^`\\n]{2000})|~{3,}';
/**
 * Elements at the beginning of a line: their text is about something. Tags around calls, and
 * elements without an end, are none.
 */
const elementName =
  '(?!(?:tool|function|invoke|call|br|hr|img|answer|action|final|response|assistant|message|s\\b|start_|end_|bos|eos))[A-Za-z][\\w:-]{0,27}(?=[\\s>])';
const attributes = '(?:\\s[^<>\\n]{0,32})?';

/** Asides other than those in tags, and how they end. */
const otherAsides: readonly (readonly [opens: string, closes: string, kind?: string])[] = [
  ['<!--', '-->'],
  // A quoted line.
  ['(?<=^|\\n)[ \\t]{0,3}>', '\\n'],
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
      .map((name) => `<${name.replaceAll('.', '\\.')}>`);
    const calls = notationTable
      .map(({ begins }) => begins)
      .filter((begins) => begins !== undefined);
    const beginnings = [...calls, ...elements].join('|');
    this.#pattern = new RegExp(
      [
        `(?<=${lineStart}${listItem})(?<fence>${fence})`,
        '(?<code>`+)',
        `<(?<thinking>${reasoningNames})>`,
        `(?:(?<=^|[\\n>])[ \\t]{0,16})<(?<result>${resultNames})${attributes}>`,
        `<(?<markup>${codeNames})${attributes}>`,
        ...otherAsides.map(([opens], index) => `(?<other${index}>${opens})`),
        `(?<call>${beginnings})`,
        `(?<=${lineStart})<(?<element>${elementName})${attributes}>`,
        `(?<=${lineStart})(?<json>[[{])`,
      ].join('|'),
      'g',
    );
  }

  /** The first marker from an offset on. */
  next(text: string, from: number): Marker | undefined {
    this.#pattern.lastIndex = from;
    const found = this.#pattern.exec(text);
    if (found === null) return undefined;
    for (const [group, mark] of Object.entries(found.groups ?? {}))
      if (mark !== undefined)
        return {
          ...kindOf(group, mark),
          mark,
          start: found.index,
          end: found.index + found[0].length,
        };
    return undefined;
  }
}

function kindOf(group: string, mark: string): Pick<Marker, 'kind' | 'closes'> {
  if (group === 'call' || group === 'json' || group === 'code')
    return { kind: group, closes: never };
  if (group === 'fence') return { kind: 'aside', closes: endOfFence(mark) };
  const aside = otherAsides[Number(group.slice('other'.length))];
  const isReasoning = aside?.[2] === 'reasoning' || group === 'thinking';
  return {
    kind: isReasoning ? 'reasoning' : 'aside',
    closes: new RegExp(aside?.[1] ?? `</${mark}>`, 'g'),
  };
}

const never = /(?!)/g;

const endOfFence = (mark: string): RegExp =>
  new RegExp(
    `(?<=\\n)[ \\t]{0,16}${mark.charAt(0)}{${Math.min(mark.length, 16)},}[ \\t]*(?:\\n|$)`,
    'g',
  );

/**
 * Words at the beginning of a call in a notation without tags, or of an aside; those of a line
 * begin with its line break.
 */
const words = [
  '◁think▷',
  'functools',
  'to=functions.',
  'commentary to=functions.',
  'analysis to=functions.',
  'assistantcommentary to=functions.',
  'assistantanalysis to=functions.',
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
