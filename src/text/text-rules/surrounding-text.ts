import { endOfBlanks } from '../../json/tokens.ts';
import { isJsonObject } from '../../json/value.ts';
import {
  type TextContext,
  type TextProposal,
  type TextRule,
  readAgain,
  skip,
} from '../text-rule.ts';
import {
  areOnlyAround,
  endOfReasoning,
  isInsideAside,
  isMeantForTool,
} from '../../notations/asides.ts';
import { isSameName, readWholeCall, startOfMarkup } from '../../notations/read-notation.ts';
import { opensParameter } from '../../notations/wrapping-tags.ts';
import { goesOnInString, mayBelongToObject } from '../touching-text.ts';
import { notOneCall } from './call-notation.ts';
import { proposeReadings } from './broken-json.ts';
import { lastStringIn, mayBeInString } from './repeated-object.ts';

/**
 * Models send words, closed reasoning tags, control tokens or a closing tag around exactly one
 * object, or an array of it; words or closed reasoning before a whole call in markup; control
 * tokens alone around what another rule may know; up to three quotes and closers after an object.
 * Becomes the object; the call; what the tokens are around; the model gets a note about what was
 * left out after the object, if it is more than tokens and tags.
 * Not when: another brace outside; an object that holds no declared key; an object in reasoning, a
 * result, an example, another role’s turn or code, in the value of a parameter or of a keyword, in
 * a tag that is neither call markup nor the tool’s name, in a comment, in a line that Markdown
 * quotes or in a sentence; for a tool with one text parameter an object beside an operator (`y =
 * {…}`); words that hold “omitted”, a declared name before `:` or `=`, or dots that touch the
 * object or have their line to themselves; before the object, words that may deny it (a negation
 * or a modal in the clause that goes on to it, a question) or show it (`Example:`, `Sample
 * call:`); after the object, words that may take it back (a negation, a correction, an
 * alternative, a question mark) or a declared name; what touches the object and may belong to its
 * last value (`6` in `{"limit":2}6`), or one more value alone; quotes and closers that may belong
 * to the last string, because it holds a quote or a bracket, or ends in a blank.
 */
export const surroundingText: TextRule = {
  id: 'surrounding_text',
  keeps: 'lossy',
  propose(context) {
    const innerText = insideTokens(context);
    if (innerText !== undefined) return readAgain(innerText);
    const call = callAfterWords(context);
    if (call !== undefined) return call;
    const start = context.text.indexOf('{');
    if (start === -1) return skip;
    const whole = proposeWhole(context, start);
    return whole.kind === 'skip' ? proposeBroken(context, start) : whole;
  },
};

/**
 * A call in markup after words or reasoning; undefined if there is none, and if its arguments are
 * an object. An object in one of its parameters is never the call.
 */
function callAfterWords(context: TextContext): TextProposal | undefined {
  const { text, toolName, isDeclared, rawText } = context;
  const isTool = (name: string): boolean => toolName !== undefined && isSameName(name, toolName);
  const from = endOfReasoning(text);
  const brace = text.indexOf('{', from);
  const words = text.slice(from, brace === -1 ? undefined : brace);
  const start = startOfMarkup(words, isTool);
  if (start === words.length) return undefined;
  const [textBefore, markup] = [text.slice(0, from + start), text.slice(from + start)];
  const read = readWholeCall(markup, { isTool, isDeclared, isList: rawText.isList });
  const isText =
    read.kind === 'readings' &&
    read.readings.some(({ call }) => typeof call.arguments === 'string');
  if (isText) return undefined;
  // If the tool's name is unknown, the call may be another tool's.
  const isCall =
    read.kind === 'readings' &&
    toolName !== undefined &&
    textBefore.split('```').length % 2 === 1 &&
    areOnlyAround({ textBefore, textAfter: '', isFenced: false }, context);
  if (isCall) return readAgain(markup);
  if (!opensParameter(markup)) return undefined;
  return notOneCall(read.kind === 'open' || read.kind === 'several' ? read.kind : 'refused');
}

/** The object in the text, if it can be read in only one way. */
function proposeWhole(context: TextContext, start: number): TextProposal {
  const { text, loose } = context;
  const object = loose.objectAt(start);
  if (object === undefined) return skip;
  const [textBefore, rest] = withoutBrackets(text.slice(0, start), text.slice(object.end));
  if (textBefore.trim() === '' && isStrayEnd(rest))
    return mayBeInString(text.slice(start, object.end)) ? skip : { ...object, notes: true };
  if (goesOnInString(lastStringIn(text.slice(start, object.end)) ?? '', rest)) return skip;
  const textAfter = rest.replace(surplusClosers, '');
  const isOnlyCall =
    !mayBelongToObject(textBefore, textAfter) &&
    areOnlyAround({ textBefore, textAfter, isFenced: false }, context) &&
    isMeantForTool(Object.keys(object.value), context);
  if (!isOnlyCall) return skip;
  return onlyTokens.test(textAfter) ? object : { ...object, notes: true };
}

/** The readings of the text up to the last brace, if the object in it is broken. */
function proposeBroken(context: TextContext, start: number): TextProposal {
  const { text, loose } = context;
  const end = text.lastIndexOf('}') + 1;
  const [textBefore, textAfter] = [text.slice(0, start), text.slice(end)];
  const isReadable = loose.valueAt(start).kind === 'read';
  if (isReadable || `${textBefore}${textAfter}`.trim() === '') return skip;
  if (mayBelongToObject(textBefore, textAfter)) return skip;
  if (!areOnlyAround({ textBefore, textAfter, isFenced: false }, context)) return skip;
  const proposal = proposeReadings({ ...context, text: text.slice(start, end) });
  if (proposal.kind !== 'readings') return proposal;
  const intendedReadings = proposal.readings.filter(
    ({ value }) => isJsonObject(value) && isMeantForTool(Object.keys(value), context),
  );
  return intendedReadings.length === 0 ? skip : { kind: 'readings', readings: intendedReadings };
}

/** Quotes and closers that were written once more, three at most. */
const isStrayEnd = (text: string): boolean =>
  /["']/.test(text) && /^["'\]}]{1,3}$/.test(text.replaceAll(/\s/g, ''));

/** Surplus closers, at the end or before a tag or a fence. */
const surplusClosers = /^[\]}\s]{1,8}(?=$|<[/|｜]|```)/u;

/** Without the brackets of a list of one. */
function withoutBrackets(textBefore: string, textAfter: string): readonly [string, string] {
  const start = textBefore.trimEnd();
  const closing = start.endsWith('[') ? /^\s*,?\s*\]/.exec(textAfter)?.[0] : undefined;
  return closing === undefined
    ? [textBefore, textAfter]
    : [start.slice(0, -1), textAfter.slice(closing.length)];
}

/** Control tokens and tags. Mistral writes them in brackets. */
const token = '(?:\\[/?[A-Z_]{3,40}\\]|<[|｜][^|｜<>]{1,40}[|｜]>|</?[\\w:-]{1,40}>)';
const onlyTokens = new RegExp(`^\\s*(?:${token}\\s*){0,64}$`, 'u');
const tokenAt = new RegExp(token, 'uy');
const tokenAtEnd = new RegExp(`${token}$`, 'u');
/** Characters that a token has at most. */
const longestToken = 44;

/**
 * Text that starts like JSON of objects, without the tokens around it; undefined if there are none.
 */
function insideTokens(context: TextContext): string | undefined {
  const { text } = context;
  const start = endOfTokens(text);
  let innerText = text.slice(start).trimEnd();
  if (!startsObjects(innerText)) return undefined;
  for (let last = lastToken(innerText); last !== undefined; last = lastToken(innerText))
    innerText = innerText.slice(0, -last.length).trimEnd();
  if (innerText.length === text.trim().length) return undefined;
  const [textBefore, textAfter] = [text.slice(0, start), text.slice(start + innerText.length)];
  return isInsideAside(textBefore, textAfter, context) ? undefined : innerText;
}

/** The offset after the tokens and blanks at the start. */
function endOfTokens(text: string): number {
  let at = endOfBlanks(text, 0);
  for (tokenAt.lastIndex = at; tokenAt.test(text); tokenAt.lastIndex = at)
    at = endOfBlanks(text, tokenAt.lastIndex);
  return at;
}

const startsObjects = (text: string): boolean => /^(?:[{"]|\[\s*\{)/.test(text);

const lastToken = (text: string): string | undefined =>
  tokenAtEnd.exec(text.slice(-longestToken))?.[0];
