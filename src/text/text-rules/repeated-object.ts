import { endOfBlanks } from '../../json/tokens.ts';
import { isInsideAside } from '../../notations/asides.ts';
import {
  type TextContext,
  type TextProposal,
  type TextRule,
  readAgain,
  readObject,
  skip,
} from '../text-rule.ts';

/**
 * Models send the same object glued twice or more, written as JSON or as models write it; `{}`
 * before the object; `""`, `{}`, surplus closers, control tokens or closing tags after the object,
 * a fence or a JSON string; before the object a beginning of its own text (a stream that started
 * again).
 * Becomes the object once; the model gets a note about a stream that started again.
 * Not when: they differ, even if only in how they are written; the beginning ends in `:`, `,`, `[`,
 * `{` or `(`, or is shorter than 2 characters.
 */
export const repeatedObject: TextRule = {
  id: 'repeated_object',
  keeps: 'lossy',
  propose(context) {
    const { text } = context;
    const gluedProposal = proposeGlued(context);
    if (gluedProposal.kind !== 'skip') return gluedProposal;
    return withoutDebris(context) ?? withoutStart(context) ?? afterEmptyObject(text);
  },
};

/** Equal objects, one after the other, perhaps with debris after them. */
function proposeGlued(context: TextContext): TextProposal {
  const { text, loose } = context;
  let [first, firstText] = [readObject({}), ''];
  let at = 0;
  do {
    const object = loose.objectAt(at);
    if (object === undefined) {
      const isEnd = at > 0 && isDebris(text.slice(at), context);
      const isInString = text.slice(at).includes('"') && mayBeInString(text.slice(0, at));
      return isEnd && !isInString ? first : skip;
    }
    const objectText = text.slice(at, object.end).trim();
    if (objectText !== firstText && Object.keys(object.value).length > 0) {
      if (firstText !== '') return skip;
      [first, firstText] = [object, objectText];
    }
    at = endOfBlanks(text, object.end);
  } while (at < text.length);
  return first;
}

/** `""`, `{}`, a closer, a control token, or a closing tag. */
const debris = String.raw`(?:""|\{\s*\}|[\]}]|<[|｜][^|｜<>]{1,40}[|｜]>|</[\w:-]{1,40}>)`;
const debrisAtEnd = new RegExp(`(?:${debris}\\s*)+$`, 'u');
const onlyDebris = new RegExp(`^\\s*(?:${debris}\\s*)+$`, 'u');
/** In characters. */
const maxDebrisLength = 200;

/** Text of closers alone is left to `broken_json`, which reads it in several ways. */
const isDebris = (text: string, context: TextContext): boolean =>
  text.length <= maxDebrisLength &&
  onlyDebris.test(text) &&
  !/^[\]}\s]*$/.test(text) &&
  !isInsideAside('', text, context);

/** The content of a fence or of a JSON string, without the debris after it. */
function withoutDebris(context: TextContext): TextProposal | undefined {
  const { text } = context;
  const match = debrisAtEnd.exec(text.slice(-maxDebrisLength));
  if (match === null) return undefined;
  const core = text.slice(0, text.length - match[0].length).trimEnd();
  const isInside = /^\s*(?:(`{3}|~{3})[^]*\1|"[^]*[^\\]")$/.test(core);
  return isInside && !isInsideAside('', match[0], context) ? readAgain(core) : undefined;
}

/**
 * Whether quotes and closers after an object may belong to its last string, with the object's own
 * end: that string is empty, holds a quote or a bracket, or ends in a blank.
 */
export function mayBeInString(object: string): boolean {
  const lastString = lastStringIn(object);
  return lastString !== undefined && /^$|["'\]}[{]|\s$/.test(lastString);
}

/** What is between the last quotes, as it is written; undefined if there is no string. */
export const lastStringIn = (object: string): string | undefined =>
  [...object.matchAll(/"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g)].at(-1)?.[0].slice(1, -1);

/** Places at which the object may start again. */
const maxStarts = 64;

/** The object after an unfinished copy of its own beginning. */
function withoutStart({ text, loose }: TextContext): TextProposal | undefined {
  // The beginning has two characters at least.
  let at = text.indexOf('{', 2);
  for (let count = 0; at !== -1 && count < maxStarts; count += 1) {
    const object = isBeginning(text, at) ? loose.objectAt(at) : undefined;
    if (object !== undefined)
      return endOfBlanks(text, object.end) === text.length ? { ...object, notes: true } : undefined;
    at = text.indexOf('{', at + 1);
  }
  return undefined;
}

/** Whether the text up to an offset is repeated after it, whatever blanks are between its tokens. */
function isBeginning(text: string, at: number): boolean {
  const start = text.slice(0, at);
  if (/[:,[{(]/.test(start.trimEnd().slice(-1)) || opensString.test(start)) return false;
  if (text.startsWith(start, at)) return true;
  const isNear = withoutBlanks(text.slice(at, at + 64)).startsWith(
    withoutBlanks(start.slice(0, 32)).slice(0, 16),
  );
  // The repetition may have more blanks than the beginning: it has room in twice the length.
  return isNear && withoutBlanks(text.slice(at, at * 3)).startsWith(withoutBlanks(start));
}

/**
 * Ends in a quote that opens a string, after at least one whole string. Any string starts with that
 * quote, so it doesn't show that this one is repeated.
 */
const opensString = /^[^"]*"(?:[^"\\]|\\[^])*"(?:[^"]|"(?:[^"\\]|\\[^])*")*"$/;

const withoutBlanks = (text: string): string =>
  text.replaceAll(/("(?:[^"\\]|\\[^])*(?:"|$))|\s+/g, '$1');

const emptyObjectAtStart = /^\s*\{\s*\}\s*(?=[[{])/;

/** Leaves out an empty object at the start; other rules read the rest. */
function afterEmptyObject(text: string): TextProposal {
  const emptyObject = emptyObjectAtStart.exec(text)?.[0];
  return emptyObject === undefined ? skip : readAgain(text.slice(emptyObject.length));
}
