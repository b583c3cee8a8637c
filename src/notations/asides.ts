import { once } from '../collections/once.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { argumentKeys } from './call-envelope.ts';
import { isSameName } from './read-notation.ts';
import { opensParameter } from './wrapping-tags.ts';
import { mayDeny, mayTakeBack, showsExample } from './retraction.ts';

/** What a part of a text is that is not the model's own call. `answer`: its answer to the user. */
type AsideKind = 'reasoning' | 'result' | 'role' | 'answer' | 'code';

interface Aside {
  readonly kind: AsideKind;
  /** Regular expressions of its beginning and of its end. */
  readonly opens: string;
  readonly closes: string;
  /** Its end mark has no other use, so that it also marks what is before it. */
  readonly isOwnEnd?: true;
}

const prefix = '(?:\\w{1,20}:)?';
export const reasoningNames = `${prefix}(?:think|thinking|reasoning|thoughts?|analysis|scratchpad)`;
export const resultNames = `${prefix}(?:tool_(?:response|result|output)s?|function_(?:response|result|output)s?|results?|observations?|output|examples?)`;
export const codeNames = 'pre|code';

const lineStart = '(?<=(?:^|\\n)[ \\t]{0,16})';
const turn = '<\\|(?:end|im_end|eot_id|eom_id|assistant)\\|>|<end_of_turn>';

/** Reasoning, results, other roles and code, but for those in tags. */
export const asides: readonly Aside[] = [
  { kind: 'reasoning', opens: '◁think▷', closes: '◁/think▷', isOwnEnd: true },
  { kind: 'reasoning', opens: '\\[THINK\\]', closes: '\\[/THINK\\]', isOwnEnd: true },
  {
    kind: 'reasoning',
    opens: '<\\|START_THINKING\\|>',
    closes: '<\\|END_THINKING\\|>',
    isOwnEnd: true,
  },
  // Harmony whose tokens a server left out.
  { kind: 'reasoning', opens: '^analysis(?=[A-Z])', closes: '(?=assistant(?:commentary|final))' },
  { kind: 'reasoning', opens: '<\\|channel>thought', closes: '<channel\\|>', isOwnEnd: true },
  {
    kind: 'reasoning',
    opens: '<\\|channel\\|>analysis<\\|message\\|>',
    closes: '<\\|(?:end|return)\\|>|(?=<\\|start\\|>)',
  },
  {
    kind: 'answer',
    opens: '<\\|channel\\|>final<\\|message\\|>',
    closes: '<\\|(?:end|return)\\|>|(?=<\\|start\\|>)',
  },
  // Text to the user, and to the model itself, of templates whose messages name their recipient.
  {
    kind: 'answer',
    opens: '(?:^|<\\|start\\|>assistant)\\s?to=user<\\|message\\|>',
    closes: '<\\|(?:eom|eot|end|return)\\|>',
  },
  {
    kind: 'reasoning',
    opens: '(?:^|<\\|start\\|>assistant)\\s?to=self<\\|message\\|>',
    closes: '<\\|(?:eom|eot|end|return)\\|>',
  },
  {
    kind: 'result',
    opens: '<\\|START_TOOL_RESULT\\|>',
    closes: '<\\|END_TOOL_RESULT\\|>',
    isOwnEnd: true,
  },
  { kind: 'result', opens: '\\[TOOL_RESULTS\\]', closes: '\\[/TOOL_RESULTS\\]', isOwnEnd: true },
  {
    kind: 'result',
    opens: '<\\|tool_(?:response|result|output)s?\\|?>',
    closes: `<\\|/tool_(?:response|result|output)s?\\|>|<tool_(?:response|result|output)s?\\|>|${turn}`,
  },
  {
    kind: 'result',
    opens: `${lineStart}Observation:`,
    closes: '(?=\\n[ \\t]{0,16}(?:Thought|Action|Final Answer)\\b)',
  },
  {
    kind: 'role',
    opens: '<\\|im_start\\|>(?:tool|user|system|developer|function|observation)\\b',
    closes: turn,
  },
  {
    kind: 'role',
    opens: '<\\|start_header_id\\|>(?:tool|user|system|ipython)<\\|end_header_id\\|>',
    closes: turn,
  },
  { kind: 'role', opens: '<start_of_turn>(?:tool|user|system|developer)\\b', closes: turn },
  { kind: 'role', opens: '<\\|(?:user|system|developer|observation|ipython)\\|>', closes: turn },
  { kind: 'role', opens: '\\[INST\\]', closes: '\\[/INST\\]', isOwnEnd: true },
];

const asideName = new RegExp(`^(?:${reasoningNames}|${resultNames}|${codeNames})$`, 'i');
const asidePatterns = once(() =>
  asides
    .filter(({ kind }) => kind !== 'answer')
    .map(({ opens, closes, isOwnEnd }) => ({
      opens: new RegExp(opens, 'g'),
      closes: new RegExp(closes, 'g'),
      isOwnEnd,
    })),
);

/**
 * Whether what is between two texts is inside reasoning, a result, another role's turn, code, or a
 * tag that is neither call markup nor the tool's name, or is a parameter's.
 */
export function isInsideAside(
  textBefore: string,
  textAfter: string,
  { toolName, declaredKeys }: CalledTool,
): boolean {
  const open = new Map<string, number>();
  for (const [, slash, tagName = ''] of textBefore.matchAll(tag)) {
    const name = tagName.toLowerCase();
    const depth = open.get(name) ?? 0;
    open.set(name, slash === '' ? depth + 1 : Math.max(0, depth - 1));
  }
  const declaredNames = new Set([...declaredKeys].map((key) => key.toLowerCase()));
  const isForeign = (name: string): boolean => {
    const isOfTool = toolName !== undefined && isSameName(name, toolName);
    return asideName.test(name) || (!isOfTool && (declaredNames.has(name) || !knownTag.test(name)));
  };
  if ([...open].some(([name, depth]) => depth > 0 && isForeign(name))) return true;
  const next = [...textAfter.matchAll(tag)].find(([, , name = '']) => asideName.test(name));
  if (next?.[1] === '/') return true;
  return asidePatterns().some(({ opens, closes, isOwnEnd }) => {
    const last = lastOf(textBefore, opens);
    if (last !== undefined && textBefore.slice(last).search(closes) === -1) return true;
    if (isOwnEnd !== true) return false;
    const end = textAfter.search(closes);
    const start = textAfter.search(opens);
    return end !== -1 && (start === -1 || end < start);
  });
}

/** The offset after the last match. */
function lastOf(text: string, pattern: RegExp): number | undefined {
  let end: number | undefined;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** What is known about the tool that an object among words may be a call of. */
interface CalledTool {
  readonly toolName: string | undefined;
  /** The arguments that the tool declares. */
  readonly declaredKeys: ReadonlySet<string>;
  /**
   * The tool has only one parameter, which takes a string: an expression in it can hold an object.
   */
  readonly takesOneText: boolean;
}

/** The words before and after an object. */
interface WordsAround {
  readonly textBefore: string;
  readonly textAfter: string;
  /** A fence around the object sets it apart from a sentence. */
  readonly isFenced: boolean;
}

const reasoningTag = new RegExp(`<(${reasoningNames})>`, 'i');
/** The most characters of words that are examined. */
const maxWords = 256 * 1024;

/** Whether the words around an object don't change its meaning, so that they may be left out. */
export function areOnlyAround(words: WordsAround, context: CalledTool): boolean {
  const { declaredKeys } = context;
  const { textAfter, isFenced } = words;
  if (words.textBefore.length + textAfter.length > maxWords) return false;
  const wordsBefore = withoutReasoning(words.textBefore);
  if (/[{}]/.test(words.textBefore) || /[{}]/.test(textAfter)) return false;
  if (isInsideAside(wordsBefore, textAfter, context) || isCommentOrQuotation(words.textBefore))
    return false;
  // The object is the value of a parameter, or of one of them.
  if (
    opensParameter(wordsBefore) ||
    opensParameter(textAfter) ||
    isKeyword.test(endOf(wordsBefore))
  )
    return false;
  if (!isFenced && (opensContainer.test(wordsBefore) || goesOn.test(textAfter))) return false;
  if (!isFenced && context.takesOneText && isInExpression(wordsBefore, textAfter, context))
    return false;
  const all = `${wordsBefore}\n${textAfter}`;
  if (/omitted/i.test(all) || leavesOut(wordsBefore, textAfter)) return false;
  if ([...declaredKeys].some((key) => saysArgument(all, key))) return false;
  if (isShownOrDenied(wordsBefore) || mayTakeBack(textAfter, declaredKeys)) return false;
  return isFenced || !isInSentence(wordsBefore);
}

/** A line such as `Example:` or `Tool output:`, which shows what the tags of these names do. */
const isShown = new RegExp(
  `(?:^|\\n)[\\s#*_/]*(?:\\p{L}+\\s+)?${resultNames}[*_]*\\s*[:：][*_\\s]*$`,
  'iu',
);

/** Tags, a fence and blanks between words and an object. */
const openings = /(?:\s|<[^<>\n]{1,64}>|(?:`{3,16}|~{3,16})[\w-]{0,20}){1,16}$/;

/** Whether the words before an object show it, deny it, doubt it, or end in a question about it. */
export function isShownOrDenied(wordsBefore: string): boolean {
  const words = endOf(wordsBefore).replace(openings, '');
  return (
    isShown.test(words) ||
    /[?？؟]["'”’)*_]*$/u.test(words) ||
    mayDeny(wordsBefore) ||
    showsExample(words)
  );
}

/** The offset after the first reasoning in tags; 0 if there is none, or if it is open. */
export function endOfReasoning(text: string): number {
  const name = reasoningTag.exec(text)?.[1];
  const end = name === undefined ? -1 : text.indexOf(`</${name}>`);
  return name === undefined || end === -1 ? 0 : end + name.length + 3;
}

/**
 * Leaves out reasoning that was closed, because it doesn't change the meaning of the text after
 * it.
 */
function withoutReasoning(words: string): string {
  const name = reasoningTag.exec(words)?.[1];
  const start = name === undefined ? -1 : words.indexOf(`<${name}>`);
  const end = start === -1 ? -1 : words.lastIndexOf(`</${name}>`);
  return name === undefined || end < start
    ? words
    : words.slice(0, start) + words.slice(end + name.length + 3);
}

/**
 * Whether dots say that something was left out: they touch the object, or are alone on their line,
 * or on the rest of the object's. After a word, they end a sentence.
 */
const leavesOut = (textBefore: string, textAfter: string): boolean =>
  /(?:\.\.\.|…)$/.test(textBefore) ||
  /^(?:\.\.\.|…)/.test(textAfter) ||
  [...textBefore.split('\n'), ...textAfter.split('\n')].some((line) => onlyDots.test(line));

const onlyDots = /^[\s/#*+,;.-]*(?:\.\.\.|…)[\s/#*+,;.-]*$/;

/**
 * A bracket, a quote or a key beside an object shows that it is in a container or a string, or one
 * of several values.
 */
const opensContainer = /(?:["'[,\\]|\[\s*\]|["']\s*:|^\s*[a-z_$][\w$]*\s*:)\s*$/;
const goesOn = /^\s*(?:["'\],:\\]|\[\s*["\]{[\d-])/;

/** The last characters of words, as far as they matter for what directly follows them. */
const endOf = (words: string): string => words.slice(-512);

/** The name of an argument in Python, inside the parentheses of a call. */
const isKeyword = /\w\([^()]*\b[A-Za-z_]\w*\s*=\s*$/;

/** Whether an object is part of an expression: `y = {"code": "x"}`, `f({"code": "x"})`. */
function isInExpression(textBefore: string, textAfter: string, { toolName }: CalledTool): boolean {
  if (/^\s*(?:[=+|&]|\.(?=[\p{L}_]))/u.test(textAfter)) return true;
  const [, name = '', operator] = operand.exec(endOf(textBefore)) ?? [];
  const isCall = operator === '(' && toolName !== undefined && isSameName(name, toolName);
  return operator !== undefined && !isCall;
}

/** A word, or the end of a value, and an operator after it. */
const operand = /([\p{L}\p{N}_.]+|[)\]"'])\s*([=+(|&])\s*$/u;

/** HTML that is not closed, and markup of calls. */
const knownTag =
  /^(?:br|hr|s|name|json|input|answer|final(?:_answer)?|(?:\w+:)?(?:tool|function|call|invoke|arg|param|action)\w*)$/i;

const tag = /<(\/?)([\p{L}_][\w.:-]{0,127})(?:\s[^<>]*)?>/gu;

/** Whether the words give an argument a value: `path: `, `"path" =`, `<path>`. */
function saysArgument(words: string, key: string): boolean {
  const name = key.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const quotes = `["'\`“”‘’]?`;
  const isSaid = new RegExp(
    `(?<![\\w$-])${name}${quotes}\\s*(?::(?!//)|=(?!=))|</?${name}[\\s>]`,
    'iu',
  );
  return isSaid.test(words);
}

/**
 * Whether a word and a blank are before the object on its line; markup, call ids and punctuation
 * are not words.
 */
function isInSentence(textBefore: string): boolean {
  const line = textBefore.slice(textBefore.lastIndexOf('\n') + 1);
  if (line.trim() === '' || !/\s$/.test(line)) return false;
  const words = line.trimEnd();
  return !/[.:!?)\]=>-]$/.test(words) && !callMarkup.test(words);
}

/** `functions.NAME`, `NAME:0`. */
const callMarkup = /(?:functions\.[\w.-]+|(?:^|\s)[\w.-]+:\d+)$/;

/**
 * Whether a text ends in a comment, of HTML or one that began at the start of a line, or in a line
 * that Markdown quotes. A `>` that is all there is, and touches the object, is the rest of a tag.
 */
function isCommentOrQuotation(textBefore: string): boolean {
  const lineOf = (at: number): string =>
    textBefore.slice(textBefore.lastIndexOf('\n', at) + 1).trimStart();
  if (textBefore.lastIndexOf('<!--') > textBefore.lastIndexOf('-->')) return true;
  const block = textBefore.lastIndexOf('/*');
  const isInBlock = block > textBefore.lastIndexOf('*/') && lineOf(block).startsWith('/*');
  const isInQuotation = textBefore !== '>' && lineOf(textBefore.length).startsWith('>');
  return isInBlock || isInQuotation || /^(?:\/\/|#)/.test(lineOf(textBefore.length));
}

/** Keys under which an envelope has the arguments. */
const envelopeKeys = new Set([...argumentKeys, 'properties', 'function'].map(spellingOf));

/**
 * Whether an object among words is a call of this tool: it is empty, an envelope, or holds a
 * declared key.
 */
export function isMeantForTool(keys: readonly string[], { declaredKeys }: CalledTool): boolean {
  if (keys.length === 0 || declaredKeys.size === 0) return true;
  const declaredSpellings = new Set([...declaredKeys].map(spellingOf));
  return keys.map(spellingOf).some((key) => declaredSpellings.has(key) || envelopeKeys.has(key));
}
