import { once } from '../../collections/once.ts';
import { wordsInName } from '../../json/nearest-name.ts';
import { saysNothing } from '../../json/null-words.ts';
import { type TextContext, type TextRule, readObject, skip } from '../text-rule.ts';

/**
 * Models send a JSON string instead of an object to a tool whose only required parameter takes
 * strings and nothing else; plain text of two lines or more to a tool whose only parameter is
 * named code, script, source, program or sql.
 * Becomes `{parameter: text}`, the text as it is; the model gets a note.
 * Not when: the string has blanks, and the tool declares other parameters; the text is a declared
 * name, or starts with one before `=` or a colon, or with a quote, a bracket, a tag, a comma, a
 * colon or a blank; closers have lost their openers, or a quote stands before closers at the end;
 * it holds control tokens, markup of calls, or a fence among words, or anything stands around it;
 * it is blank, a null word, an error or a refusal; plain text has prose or a fence in it, or lacks
 * a closer; a destructive tool.
 */
export const wrapTextInParameter: TextRule = {
  id: 'wrap_text_in_parameter',
  keeps: 'lossy',
  propose(context) {
    const { text, root, isAsSent, textParameter: parameter } = context;
    // What stood around the text may show that its beginning was lost.
    if (parameter?.isRequired !== true || !isAsSent) return skip;
    const { name, isAlone } = parameter;
    const isString = typeof root === 'string';
    const isMeant = isString
      ? isAlone || !/\s/.test(root)
      : root === undefined && isAlone && takesCode(name) && isCode(text);
    const value = isString ? root : text;
    if (!isMeant || isDamaged(value) || startsLikeOther(value, context)) return skip;
    return { ...readObject({ [name]: value }), notes: true };
  },
};

const takesCode = (name: string): boolean => codeNames.has(wordsInName(name).at(-1) ?? '');

const codeNames: ReadonlySet<string> = new Set(['code', 'script', 'source', 'program', 'sql']);

/** What no text for a parameter starts with. */
function startsLikeOther(text: string, { declaredKeys }: TextContext): boolean {
  if (/^(?:\s|["'`\u00ab\u2018-\u201e\u2039\u300c\u300e]|[[{(<,:;])/u.test(text)) return true;
  if (saysNothing(text) || saysWhyNot().test(text)) return true;
  return [...declaredKeys].some((key) => {
    const name = wordsInName(key).join('[-_ ]?');
    return (
      name !== '' && new RegExp(`^\\s*[*_]{0,2}${name}[*_]{0,2}\\s*(?:[:=：＝]|$)`, 'iu').test(text)
    );
  });
}

/** Errors, as a word of their own or at the end of one: `ValueError`. */
const errors = 'error|exception|traceback|failure|fehler|erreur|errore|erro|ошибка|त्रुटि';

/** Beginnings of refusals and complaints, in the languages that the project knows. */
const complaints = [
  "fatal|failed|invalid|unable|sorry|unfortunately|apologies|cannot|can['’]t|i['’]\\p{L}+",
  '(?:i|we) \\p{L}+|no|not|missing|unknown|as an ai|leider|entschuldigung|ich|désolée?|je',
  'lo siento|no puedo|desculpe|não|mi dispiace|non|извини\\p{L}*|я|माफ़|क्षमा',
].join('|');

const wordsWithoutSpaces =
  '抱歉|对不起|對不起|无法|無法|错误|錯誤|申し訳|すみません|エラー|죄송|오류';
const letter = '[\\p{L}\\p{M}\\p{N}_]';
const saysWhyNot = once(
  () =>
    new RegExp(
      `^\\s*(?:\\p{L}*(?:${errors})(?!${letter})|(?:${complaints})(?!${letter}|[(=.])|${wordsWithoutSpaces})`,
      'iu',
    ),
);

/** Whether a text has lost its beginning or its end, or has parts of a call in it. */
const isDamaged = (text: string): boolean =>
  bracketsOf(text) === 'surplus' ||
  /["'][\]}\s]*[\]}]\s*$/.test(text) ||
  ofCalls().test(text) ||
  fenceLine.test(text);

/** The text may be what is in the fence, or the words around it, too. */
const fenceLine = /(?:^|\n)[ \t]*(?:`{3}|~{3})/;

/** Control tokens, and tags of calls and of reasoning. */
const ofCalls = once(
  () =>
    new RegExp(
      [
        '<[|｜]|[|｜]>',
        '</?(?:s|eos|bos|unk|pad)>',
        String.raw`\[/?(?:INST|[A-Z]+_[A-Z_]+)\]`,
        String.raw`</?[\w:]*(?:tool|function|call|invoke|param|arg|think)`,
      ].join('|'),
      'iu',
    ),
);

const openerOf: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** `surplus`: a closer has no opener. `open`: an opener has no closer. */
function bracketsOf(text: string): 'paired' | 'surplus' | 'open' {
  const open: string[] = [];
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
    const opener = openerOf.get(bracket);
    if (opener === undefined) open.push(bracket);
    else if (open.pop() !== opener) return 'surplus';
  }
  return open.length === 0 ? 'paired' : 'open';
}

/** Whether plain text is code alone, and whole. */
function isCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (
    lines.length > 1 &&
    bracketsOf(text) === 'paired' &&
    !/`{3}|~{3}/.test(text) &&
    !lines.some((line) => isProse().test(line) || isOtherScript.test(line)) &&
    !startsLikeAnswer().test(text)
  );
}

/** A capital, and then words alone: `Here is the code:`, `Done.`; or a label: `Input: x`. */
const proseLines = [
  String.raw`\p{Lu}[\p{Ll}'’-]*(?:,?[ \t]+[\p{L}\p{N}'’-]+)+[ \t]*[.:!?…]?`,
  String.raw`\p{Lu}\p{Ll}+[.:!?…]`,
  String.raw`\p{Lu}[\p{Ll}\p{Lu} ]*:[ \t].*`,
];
const isProse = once(() => new RegExp(String.raw`^\s*(?:${proseLines.join('|')})\s*$`, 'u'));

/** Words in no Latin letters, outside of strings and comments. */
const isOtherScript = /^\s*[^\p{ASCII}]+[^"'#/=()]*$/u;

const firstWords = [
  'sure|here|okay|ok|now|first|then|this|these|the|certainly',
  "let['’]s|running|executing",
].join('|');
const startsLikeAnswer = once(
  () => new RegExp(String.raw`^\s*(?:${firstWords})\b[^=(){}[\];]*(?:\n|$)`, 'iu'),
);
