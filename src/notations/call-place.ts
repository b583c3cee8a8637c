import { reasoningNames } from './asides.ts';
import { introductionIn } from './notation-table.ts';
import type { NamedCall, OfferedTools } from './offered-tools.ts';
import { mayTakeBack } from './retraction.ts';
import { bracketToken } from './wrapping-tags.ts';

/** Calls of offered tools in one place of a text. */
export interface FoundCalls {
  readonly calls: readonly NamedCall[];
  readonly notation: string;
  readonly start: number;
  readonly end: number;
}

/** Calls, before it is decided whether they are the model's own. */
export interface CallsInPlace extends FoundCalls {
  /** The markup marks a call. Otherwise it may be anything that looks like one. */
  readonly isMarked: boolean;
  readonly isInThought: boolean;
  /** It is in a comment, a result or code without an end. */
  readonly isShown: boolean;
  /**
   * What the model says outside reasoning, between the calls before them and them; undefined: too
   * much.
   */
  readonly wordsBefore: string | undefined;
}

/** A call of an offered tool that stays text. See `CallLeftInText`. */
export interface LeftCall {
  readonly name: string;
  readonly notation: string | undefined;
  readonly start: number;
  readonly reason: 'unreadable' | 'refused' | 'uncertain';
  /** The text ends before the call does. */
  readonly isOpen: boolean;
}

/** Tokens and closing tags with which an answer ends. */
const closing = new RegExp(
  `^(?:\\s|\\uFEFF|<[|｜][^<>|｜\\n]{1,64}[|｜]>|<[a-z_]{1,40}\\|>|</[\\w:.-]{1,64}>|<end_of_turn>|<eos>|${bracketToken})*$`,
  'u',
);

const isClosing = (text: string): boolean => text.length < 4096 && closing.test(text);

/** Characters of a line after a call without markup. */
const longestRemark = 100;

interface Answer {
  readonly text: string;
  /** It is what is in the fence that is the whole answer. */
  readonly isFenced: boolean;
  readonly tools: OfferedTools;
  /** The rest that was not read, because a call in it is broken. */
  readonly unreadRest: string;
}

/**
 * The calls that are the model's own. Marked calls are, as the model's own server reads them; in
 * reasoning that doesn't end, only the last one, with nothing after it. Calls without markup are if
 * they are the last block of the answer. Calls of strict tools are if the answer is nothing else.
 */
export function mayBeMeant(
  candidates: readonly CallsInPlace[],
  answer: Answer,
): readonly CallsInPlace[] {
  const last = candidates.at(-1);
  const textAfterLast = last === undefined ? '' : answer.text.slice(last.end);
  const isMarkedBefore = candidates.some(
    ({ isMarked, isInThought, isShown }) => isMarked && !isInThought && !isShown,
  );
  const ownCalls = candidates.filter((one) => {
    if (one.isShown || isQuoted(one, answer.text)) return false;
    if (one.isInThought && (one !== last || !isClosing(textAfterLast))) return false;
    if (one.isMarked) return true;
    return one === last && !isMarkedBefore && isLastBlock(one, textAfterLast, answer);
  });
  const isStrict = ({ calls }: CallsInPlace): boolean =>
    calls.some(({ name }) => answer.tools.find(name)?.isStrict === true);
  const { first, count } = callsAlone(candidates, ownCalls, answer);
  return ownCalls.filter(
    (one, index) =>
      !isStrict(one) ||
      (index >= first && index < count && !one.isInThought && !isInFence(one, answer)),
  );
}

/**
 * Which calls are in a part of an answer that is nothing but calls, closed reasoning and tokens,
 * from its beginning to its end. What words before a call mean ("I decline to run it.") can't be
 * told from their form.
 */
function callsAlone(
  candidates: readonly CallsInPlace[],
  ownCalls: readonly CallsInPlace[],
  { text, unreadRest }: Answer,
): { readonly first: number; readonly count: number } {
  if (unreadRest.trim() !== '') return { first: 0, count: 0 };
  const lastWithWordsAfter = ownCalls.findLastIndex(
    ({ end }, index) => !isClosing(text.slice(end, ownCalls[index + 1]?.start)),
  );
  // After a call that is text, another one may be, too.
  const firstWithWordsBefore = candidates.findIndex(
    (one, index) =>
      one !== ownCalls[index] || one.wordsBefore === undefined || !isClosing(one.wordsBefore),
  );
  return {
    first: lastWithWordsAfter + 1,
    count: firstWithWordsBefore === -1 ? candidates.length : firstWithWordsBefore,
  };
}

const isInFence = ({ start }: CallsInPlace, { text, isFenced }: Answer): boolean =>
  isFenced || /[`~]/.test(text.charAt(start));

/**
 * The calls of which it isn't certain that the model meant them. What it quotes, or drafts in its
 * reasoning, is none.
 */
export function uncertainCalls(
  candidates: readonly CallsInPlace[],
  ownCalls: readonly CallsInPlace[],
  text: string,
): readonly LeftCall[] {
  const ownSet = new Set(ownCalls);
  return candidates
    .filter((one) => {
      const isDraft = one.isInThought && one !== candidates.at(-1);
      return !ownSet.has(one) && !isDraft && !isQuoted(one, text);
    })
    .flatMap(({ calls, notation, start }) =>
      calls.map(({ name }) => ({
        name,
        notation,
        start,
        reason: 'uncertain' as const,
        isOpen: false,
      })),
    );
}

/** Quotation marks, in whichever direction a language has them: `«…»` and `»…«`. */
const quotationMarks = '"\'`“”„‘’‚«»‹›「」『』《》〈〉';
const endsInQuotationMark = new RegExp(`[${quotationMarks}]$`);
const startsWithQuotationMark = new RegExp(`^[${quotationMarks}]`);
const otherThanQuotationMarks = new RegExp(`[^\\s${quotationMarks}]`);

/** Whether a call is between two quotation marks, in an answer that has more than them. */
function isQuoted({ start, end }: CallsInPlace, text: string): boolean {
  const textBefore = text.slice(Math.max(0, start - 64), start).trimEnd();
  const textAfter = text.slice(end, end + 64).trimStart();
  if (!endsInQuotationMark.test(textBefore) || !startsWithQuotationMark.test(textAfter))
    return false;
  return otherThanQuotationMarks.test(text.slice(0, start) + text.slice(end));
}

/** Whether a block begins after a sentence and ends the answer. */
function isLastBlock(one: CallsInPlace, textAfter: string, { text, tools }: Answer): boolean {
  if (!mayFollowWords(text.slice(0, one.start), one.notation)) return false;
  if (isClosing(textAfter)) return true;
  if (!/^[ \t]*\r?\n/.test(textAfter)) return false;
  const remark = textAfter.trim();
  const names = one.calls.flatMap(({ name }) => [...(tools.find(name)?.declaredKeys ?? [])]);
  return remark.length <= longestRemark && !/[\n[\]{}]/.test(remark) && !mayTakeBack(remark, names);
}

/**
 * Whether the words before a block may be the model's own words about it. The line that its notation
 * introduces it with needs no end of a sentence, and is itself judged by the line before it.
 */
function mayFollowWords(textBefore: string, notation: string): boolean {
  const line = lineBefore(textBefore);
  const introduction = introductionIn(notation);
  if (introduction === undefined || !line.startsWith(introduction)) return mayFollow(line);
  const earlierText = textBefore.slice(0, textBefore.lastIndexOf(line));
  return !opensOrAsks.test(line) && mayFollow(lineBefore(earlierText));
}

/** The last line with words before a block; empty after reasoning and tokens. */
function lineBefore(text: string): string {
  const words = text.trimEnd();
  return endOfTurn.test(words) ? '' : words.slice(words.lastIndexOf('\n') + 1).trim();
}

const endOfTurn = new RegExp(
  `(?:</${reasoningNames}>|\\[/THINK\\]|◁/think▷|<\\|[^<>|\\n]{1,64}\\|>|<[a-z_]{1,40}\\|>|</s>)$`,
  'i',
);

/** The end of a line that asks something, or shows what follows. */
const opensOrAsks = /[?？؟:：]["'”’)*_`\s]*$/u;

/** Whether a line ends a sentence that doesn't show what follows. */
function mayFollow(line: string): boolean {
  if (line === '') return true;
  const sentence = line.replace(/["'”’)*_`\s]*$/u, '');
  const isTitle =
    /^(?:#|\||[-*+•]\s|\d{1,3}[.)]\s|>)/.test(line) || /^[*_]{2}[^*_]*[*_]{2}$/.test(line);
  return (
    !isTitle &&
    /[\p{Sentence_Terminal}…\p{Extended_Pictographic}\uFE0F]$/u.test(sentence) &&
    !opensOrAsks.test(sentence)
  );
}

/** Whether the first line of a fence says that it has changes of a file. */
export const isPatch = (firstLine: string): boolean => /^[`~\s]*(?:diff|patch)\b/.test(firstLine);

/** The place of what is in the fence that is a whole answer; undefined if it is none. */
export function isWholeAnswer(
  text: string,
): { readonly start: number; readonly end: number } | undefined {
  const opening = /^\s*(`{3,}|~{3,})[\w+-]*[ \t]*\r?\n/.exec(text);
  if (opening === null || isPatch(opening[0])) return undefined;
  const [head, mark = '```'] = opening;
  const closingFence = new RegExp(
    `\\n[ \\t]*${mark.charAt(0)}{${Math.min(mark.length, 16)},}\\s*$`,
  );
  const end = closingFence.exec(text)?.index;
  if (end === undefined || end < head.length) return undefined;
  const content = text.slice(head.length, end);
  return content.includes(`\n${mark}`) ? undefined : { start: head.length, end };
}
