import { once } from '../collections/once.ts';
import { wordsInName } from '../json/nearest-name.ts';

/** Words of each language, as sources of regular expressions. */
type Words = Readonly<Record<string, readonly string[]>>;

const sourceOf = (words: Words): string => Object.values(words).flat().join('|');

/** A source that matches only where no letter or digit stands before it or after it. */
const alone = (source: string): string =>
  `(?<![\\p{L}\\p{M}\\p{N}_])(?:${source})(?![\\p{L}\\p{M}\\p{N}_])`;

/** Matches words that stand alone, and, in languages without blanks, words anywhere in a text. */
const anyOf = (words: Words, unspacedWords: Words): (() => RegExp) =>
  once(() => new RegExp(`${alone(sourceOf(words))}|${sourceOf(unspacedWords)}`, 'iu'));

/** Negations and conditions, in the languages that the project knows. */
const denials = {
  // prettier-ignore
  spaced: {
    english: [
      'no', 'nope', 'not', 'cannot', 'dont', "\\p{L}+n['’]t", 'never', 'nor', 'neither', 'none',
      'unless', 'wrong', 'incorrect\\p{L}*',
    ],
    german: [
      'nein', 'ne', 'nee', 'nicht', 'kein\\p{L}*', 'nie', 'niemals', 'keinesfalls', 'falsch\\p{L}*',
    ],
    french: [
      'non', 'ne', "n(?=['’]\\p{L})", 'pas', 'jamais', 'aucune?', 'sinon', 'faux', 'fausse',
      'incorrecte?',
    ],
    spanish: [
      'no', 'ni', 'nunca', 'jam[aá]s', 'tampoco', 'ningun[oa]?', 'ningún', 'equivocad[oa]',
      'incorrect[oa]',
    ],
    portuguese: ['n[aã]o', 'nem', 'errad[oa]'],
    italian: ['non', 'né', 'sbagliat[oa]'],
    polish: [
      'nie', 'ani', 'nigdy', 'żaden', 'żadn\\p{L}+', 'chyba',
    ],
    russian: [
      'нет', 'не', 'ни', 'никогда', 'неверно', 'неправильно',
    ],
    hindi: ['नहीं', 'मत', 'न', 'ना', 'गलत', 'ग़लत'],
  },
  // prettier-ignore
  unspaced: {
    chinese: ['[不没沒勿]', '错', '錯', '误', '誤'],
    japanese: [
      'いや', 'いえ', 'ない', 'なく', 'なかった', 'ません', '違', 'ちが', '間違',
    ],
    korean: ['아니', '않', '못', '안 ', '없', '잘못', '틀렸', '틀린'],
  },
};

/** Modals: what would or should be called is not called yet. */
const modals = {
  // prettier-ignore
  spaced: {
    english: ['would', 'should'],
    german: ['würde\\p{L}*', 'sollte\\p{L}*', 'hätte\\p{L}*', 'wäre\\p{L}*'],
    french: ['serait', 'faudrait', 'devrait', 'devrais'],
    spanish: ['ser[ií]a', 'deber[ií]a'],
    portuguese: ['seria', 'deveria'],
    italian: ['sarebbe', 'dovrebbe', 'dovrei'],
    polish: ['powini?en\\p{L}*', 'powinn\\p{L}+', 'byłoby'],
    russian: ['бы', 'должн\\p{L}*', 'следует'],
    hindi: ['चाहिए'],
  },
  // prettier-ignore
  unspaced: {
    chinese: ['应该', '應該', '应当'],
    japanese: ['べき', 'はず'],
    korean: ['해야'],
  },
};

/**
 * Corrections and alternatives. After a call they take it back; before one they may introduce it:
 * "Sorry, here is the corrected call".
 */
const corrections = {
  // prettier-ignore
  spaced: {
    english: [
      'wait', 'actually', 'instead', 'rather', 'but', 'however', 'though', 'although', 'or',
      'otherwise', 'except', 'mistake\\p{L}*', 'error', 'oops', 'whoops', 'sorry',
      'apolog\\p{L}+', 'correction', 'corrected', 'meant', 'alternatively',
    ],
    german: [
      'warte\\p{L}*', 'moment', 'halt', 'eigentlich', 'stattdessen', 'statt', 'anstatt', 'anstelle',
      'lieber', 'vielmehr', 'sondern', 'aber', 'doch', 'jedoch', 'oder', 'bzw', 'beziehungsweise',
      'fehler', 'irrtum', 'versehen', 'entschuldigung', 'verzeihung', 'korrektur',
      'korrigier\\p{L}+', 'gemeint', 'meinte', 'alternativ',
    ],
    french: [
      'attend(?:s|ez|ons)', 'attendre', 'plut[oô]t', 'mais', 'cependant', 'toutefois', 'ou', 'sauf',
      'erreur', 'trompée?', 'désolée?', 'pardon', 'excuse[rz]?(?:-moi)?', 'correction', 'voulais',
      'en fait', 'au lieu', 'alternativement',
    ],
    spanish: [
      'espera', 'esperen?', 'mejor', 'sino', 'pero', 'aunque', 'o', 'u', 'salvo', 'error',
      'equivoqué', 'perd[oó]n', 'perdona', 'disculpa', 'corrección', 'quer[ií]a', 'quise',
      'en realidad', 'en lugar', 'en vez', 'alternativamente',
    ],
    portuguese: [
      'espere', 'esper[ao]', 'em vez', 'mas', 'porém', 'ou', 'sen[aã]o', 'erro', 'engano',
      'desculpe', 'desculpa', 'perd[aã]o', 'correção', 'queria', 'quis', 'na verdade', 'aliás',
      'melhor',
    ],
    italian: [
      'aspett[aio]', 'invece', 'anzi', 'piuttosto', 'però', 'ma', 'tuttavia', 'oppure', 'o',
      'errore', 'sbaglio', 'scusa(?:te|mi)?', 'scusi', 'correzione', 'volevo', 'intendevo',
      'in realtà',
    ],
    polish: [
      'czekaj\\p{L}*', 'poczekaj\\p{L}*', 'zaczekaj\\p{L}*', 'chwil(?:a|ę|eczk\\p{L}+)', 'zamiast',
      'raczej', 'lecz', 'ale', 'jednak\\p{L}*', 'chociaż', 'choć', 'albo', 'lub', 'bądź', 'czy',
      'inaczej', 'oprócz', 'błąd', 'błęd\\p{L}*', 'pomyłk\\p{L}+', 'pomyli\\p{L}+', 'przepraszam',
      'wybacz\\p{L}*', 'sprostow\\p{L}+', 'poprawk\\p{L}+', 'chciał\\p{L}*',
      'miał\\p{L}* na myśli', 'właściwie', 'w rzeczywistości', 'alternatywnie',
    ],
    russian: [
      'подожди\\p{L}*', 'погоди\\p{L}*', 'стой\\p{L}*', 'лучше', 'вместо', 'скорее', 'но', 'однако',
      'хотя', 'или', 'либо', 'ошиб\\p{L}*', 'извини\\p{L}*', 'прости\\p{L}*', 'исправ\\p{L}+',
      'поправ\\p{L}+', 'хотел\\p{L}?', 'имел\\p{L}? в виду', 'на самом деле',
    ],
    hindi: [
      'लेकिन', 'परंतु', 'मगर', 'पर', 'बल्कि', 'या', 'अथवा', 'गलती', 'बजाय', 'रुको', 'रुकिए', 'माफ़', 'माफ',
      'क्षमा', 'असल', 'वास्तव',
    ],
  },
  // prettier-ignore
  unspaced: {
    chinese: [
      '等等', '等一下', '但', '却', '卻', '或', '还是', '還是', '抱歉', '对不起', '對不起', '更正',
      '纠正', '其实', '其實', '实际上', '實際上', '而是', '改为', '改為', '换成', '換成',
    ],
    japanese: [
      '待って', 'しかし', 'でも', 'だが', 'ただし', 'けど', 'または', 'あるいは', 'もしくは',
      'それとも', '代わり', '訂正', '修正', 'すみません', 'ごめん', '申し訳', 'やはり', 'やっぱり',
      '実は',
    ],
    korean: [
      '잠깐', '잠시만', '하지만', '그러나', '그런데', '또는', '혹은', '아니면', '대신', '오히려',
      '차라리', '사실', '실수', '정정', '죄송', '미안',
    ],
  },
};

/** Examples: what they show is not called. */
const examples = anyOf(
  // prettier-ignore
  {
    english: ['examples?(?!\\.\\p{L})', 'samples?', 'for instance', 'e\\.\\s?g'],
    german: ['\\p{L}*beispiel\\p{L}*', 'muster', 'z\\.\\s?b', 'bspw?'],
    french: ['exemples?', 'p(?:ar)?\\.?\\s?ex'],
    spanish: ['ejemplos?', 'p(?:or)?\\.?\\s?ej'],
    portuguese: ['exemplos?', 'amostra'],
    italian: ['esemp(?:io|i)', '(?:ad|per)\\s?es'],
    polish: ['przykład\\p{L}*', 'np'],
    russian: ['например', 'пример\\p{L}*', 'напр'],
    hindi: ['उदाहरण', 'नमूना'],
  },
  // prettier-ignore
  {
    chinese: ['例如', '例子', '比如', '譬如', '示例', '范例', '範例', '样例', '樣例', '举例', '舉例'],
    japanese: ['例えば', 'たとえば', 'サンプル', '一例'],
    korean: ['예시', '예를 들', '예제', '샘플'],
  },
);

const denialAnywhere = anyOf(denials.spaced, denials.unspaced);

/** Negations that are so only as words of their own. */
const isDenyingWord = /^[别別非]$|^[并並绝絕决決若除]非$/u;
const isExampleWord = /^例$/u;

const wordsOf = once(() =>
  'Segmenter' in Intl ? new Intl.Segmenter('zh', { granularity: 'word' }) : undefined,
);

/**
 * Whether one of the words of a text without blanks is such a word. Inside another word, as in
 * 特别 ("special"), a character has another meaning. Without a segmenter, it counts anywhere.
 */
function hasWord(text: string, character: RegExp, isWord: RegExp): boolean {
  if (!character.test(text)) return false;
  const words = wordsOf();
  if (words === undefined) return true;
  return Array.from(words.segment(text)).some(({ segment }) => isWord.test(segment));
}

const denies = (text: string): boolean =>
  denialAnywhere().test(text) || hasWord(text, /[别別非]/u, isDenyingWord);

const speaksOfExample = (text: string): boolean =>
  examples().test(text) || hasWord(text, /例/u, isExampleWord);

const modal = anyOf(modals.spaced, modals.unspaced);
const correction = anyOf(corrections.spaced, corrections.unspaced);

/** What a model asks for to take a call back; before a call, these words may say what it does. */
const retractions = anyOf(
  // prettier-ignore
  {
    english: [
      'ignore', 'disregard', 'cancel', 'undo', 'forget', 'abort', 'scratch', 'hold on', 'strike',
      'replace', 'use this',
    ],
    german: ['ignoriere?', 'vergiss', 'storniere?', 'annullier\\p{L}*', 'abbrechen'],
    french: ['ignorez?', 'oubliez?', 'annulez?'],
    spanish: ['ignor[ae]', 'olvid[ae]', 'cancel[ae]', 'anul[ae]'],
    portuguese: ['esque[cç]\\p{L}+', 'desconsider\\p{L}+', 'ignorar?'],
    italian: ['dimentica\\p{L}*', 'annulla\\p{L}*'],
    polish: ['z?ignoruj\\p{L}*', 'zapomnij\\p{L}*', 'anuluj\\p{L}*', 'cofnij\\p{L}*'],
    russian: ['забудь\\p{L}*', 'отмен\\p{L}+', 'игнорир\\p{L}+'],
    hindi: ['रद्द', 'भूल'],
  },
  // prettier-ignore
  {
    chinese: ['忽略', '取消', '撤销', '撤銷', '作废'],
    japanese: ['無視', '取り消', 'キャンセル'],
    korean: ['무시', '취소'],
  },
);

/**
 * Whether words after an object may take it back, call it an example, ask for consent, or speak of
 * its arguments.
 */
export const mayTakeBack = (textAfter: string, names: Iterable<string>): boolean =>
  /[?？؟]/.test(textAfter) ||
  denies(textAfter) ||
  speaksOfExample(textAfter) ||
  modal().test(textAfter) ||
  correction().test(textAfter) ||
  retractions().test(textAfter) ||
  speaksOfAny(textAfter, names);

/**
 * Whether a comment beside a value may put another one in its place: it is a question, gives an
 * example or an alternative ("or 6"), says that the value stands for another one ("TODO",
 * "placeholder") or that more was left out ("...", "omitted").
 */
export const mayReplace = (comment: string): boolean =>
  /[?？؟…]|\.{3}/.test(comment) ||
  speaksOfExample(comment) ||
  standsForAnother().test(comment) ||
  [modal, correction].some((words) => isFirstWord(comment, words().exec(comment)));

const isFirstWord = (text: string, match: RegExpExecArray | null): boolean =>
  match !== null && !/[\p{L}\p{N}]/u.test(text.slice(0, match.index));

const standsForAnother = once(
  () =>
    new RegExp(
      alone(
        'todo|fixme|tbd|placeholder|dummy|omitted|replace (?:this|me|with)|change (?:this|me)|fill (?:this )?in',
      ),
      'iu',
    ),
);

/**
 * Whether words before an object may deny it: a negation or a modal in the clause that goes on to it
 * ("Do not run this:", "I would call it with:"). One in an earlier clause or sentence is about
 * something else ("No problem, here it is:", "It is not in the cache. I look it up:").
 */
export function mayDeny(textBefore: string): boolean {
  const clause = lastClause(textBefore);
  return denies(clause) || modal().test(clause);
}

/**
 * Whether the clause before an object says that it is an example, be it a sentence of its own:
 * "Sample call:", "Here is an example."
 */
export const showsExample = (textBefore: string): boolean =>
  speaksOfExample(textBefore.split(clauseEnd).findLast((clause) => clause.trim() !== '') ?? '') ||
  speaksOfExample(abbreviationAtEnd.exec(textBefore)?.[0] ?? '');

const lastClause = (text: string): string => text.trimEnd().split(clauseEnd).at(-1) ?? '';

/** Such as "z. B.:", whose full stops end no sentence. */
const abbreviationAtEnd = /(?<!\p{L})(?:\p{L}{1,4}\.\s?){1,2}\s?[:：]?\s*$/u;
const clauseEnd = /[\p{Sentence_Terminal}…]["'”’)*_]*(?:\s+|$)|[。！？]|[,;，；、،]|\n[ \t]*\n/u;

/**
 * Whether text has one of the names as a word of its own, also between or with dashes:
 * `--max-results`.
 */
function speaksOfAny(text: string, names: Iterable<string>): boolean {
  const sources = [...names]
    .map((name) => wordsInName(name).join('[-_ ]?'))
    .filter((source) => source !== '');
  return sources.length > 0 && new RegExp(alone(sources.join('|')), 'iu').test(text);
}
