import { endOfBlanks } from '../../json/tokens.ts';
import { noLiterals } from '../../json/number-literals.ts';
import { skip } from '../repair-rule.ts';
import type { ObjectInText, TextContext, TextProposal, TextRule } from '../text-rule.ts';

export const repeatedObject: TextRule = {
  id: 'repeated_object',
  keeps: 'lossy',
  propose(context) {
    const { text } = context;
    if (text === '') return skip;
    const glued = proposeGlued(context);
    if (glued.kind !== 'skip') return glued;
    return withoutDebris(text) ?? withoutStart(context) ?? behindEmptyObject(text);
  },
};

/** Equal objects, one after the other, perhaps with debris behind them. */
function proposeGlued({ text, loose }: TextContext): TextProposal {
  let first: ObjectInText | undefined;
  let source: string | undefined;
  for (let at = 0; at < text.length;) {
    const object = loose.objectAt(at);
    if (object === undefined) return at > 0 && isDebris(text.slice(at)) ? (first ?? emptyObject) : skip;
    const written = text.slice(at, object.end).trim();
    const isEmpty = Object.keys(object.value).length === 0;
    if (source === undefined ? !isEmpty : !isEmpty && written !== source) {
      if (source !== undefined) return skip;
      source = written;
      first = object;
    }
    at = endOfBlanks(text, object.end);
  }
  // All objects are empty.
  return first ?? emptyObject;
}

const emptyObject: ObjectInText = { kind: 'object', value: {}, numbers: noLiterals, repeatedKeys: [] };

const debris = String.raw`(?:""|\{\s*\}|[\]}]|<[|｜][^|｜<>]{1,40}[|｜]>|</[\w:-]{1,40}>)`;
const debrisAtEnd = new RegExp(`(?:${debris}\\s*)+$`, 'u');
const onlyDebris = new RegExp(`^\\s*(?:${debris}\\s*)+$`, 'u');
/** Characters of debris, at most. */
const mostDebris = 200;

/** Text of closers alone is left to `readings`, which reads it in several ways. */
const isDebris = (text: string): boolean =>
  text.length <= mostDebris && onlyDebris.test(text) && !/^[\]}\s]*$/.test(text);

/** The content of a fence or of a JSON string, without the debris behind it. */
function withoutDebris(text: string): TextProposal | undefined {
  const found = debrisAtEnd.exec(text.slice(-mostDebris));
  if (found === null) return undefined;
  const core = text.slice(0, text.length - found[0].length).trimEnd();
  const isWhole = /^\s*(?:`{3}|~{3})/.test(text)
    ? /(?:`{3}|~{3})$/.test(core)
    : /^\s*"[^]*[^\\]"$/.test(core);
  return isWhole ? { kind: 'text', text: core } : undefined;
}

/** Places where the object may start again, at most. */
const mostStarts = 64;

/** The object behind an unfinished copy of its own beginning. */
function withoutStart({ text, loose }: TextContext): TextProposal | undefined {
  const head = text.slice(0, 2);
  if (!head.startsWith('{')) return undefined;
  let at = text.indexOf(head, 1);
  for (let count = 0; at !== -1 && count < mostStarts; count += 1) {
    const object = isBeginning(text, at) ? loose.objectAt(at) : undefined;
    if (object !== undefined) return endOfBlanks(text, object.end) === text.length ? object : undefined;
    at = text.indexOf(head, at + 1);
  }
  return undefined;
}

/** Whether the text up to an offset is repeated behind it. */
const isBeginning = (text: string, at: number): boolean =>
  at < text.length - at &&
  !/[:,[{(]\s*$/.test(text.slice(Math.max(0, at - 40), at)) &&
  text.startsWith(text.slice(0, at), at);

const emptyInFront = /^\s*\{\s*\}\s*(?=[[{])/;

/** The text behind an empty object, for other rules to read. */
function behindEmptyObject(text: string): TextProposal {
  const empty = emptyInFront.exec(text)?.[0];
  return empty === undefined ? skip : { kind: 'text', text: text.slice(empty.length) };
}
