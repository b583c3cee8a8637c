import { isContainer } from '../../collections/objects.ts';
import { normalizeKey } from '../../json/key-spelling.ts';
import { isOneEdit, wordsInName } from '../../json/nearest-name.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isSameName } from '../../notations/read-notation.ts';
import { isMap } from '../../validate/strict-checks.ts';
import { isDeclaredKey, looksLikeSeveral, startsLikeContainer } from '../read-text.ts';
import { type KeyEdit, type ObjectRule, type RuleContext, keyGuesses } from '../repair-rule.ts';
import { singularsOf } from './keyed-object-to-array.ts';

/**
 * Models send as many undeclared keys as required ones are absent, each with a related name:
 * `file_path` for `path`, `cmd` for `command`, the singular for the plural. One name has all words
 * of the other, or others of their kind, and beside them only words of their kind, of the tool’s
 * name, or string, str, text, value, name, param, argument, input; or a word has one letter too
 * many, too few or wrong.
 * Becomes the declared keys; the model gets a note.
 * Not when: singular and plural differ, and the string looks like several; a key is related to two
 * declared ones, sent or not; opposites, negations, units, digits or single letters differ; the
 * wrong letter is the first of a word, in the only key, or in a name below five letters; the tool’s
 * own name; a character that is no letter, digit, blank, quote, `_`, `-` or `.`; a regex for a
 * glob; a scalar for an array of objects; a map; another key is filled in, moved or left out; a
 * destructive tool.
 */
export const renameRelated: ObjectRule = {
  id: 'rename_related',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  notes: true,
  notBeside: keyGuesses,
  propose(context) {
    const { value, view } = context;
    if (isMap(view)) return [];
    const undeclaredKeys = Object.keys(value).filter(
      (key) => !isDeclaredKey(view, key) && !view.conditionalKeys.has(key),
    );
    const missingKeys = [...view.required].filter((key) => !Object.hasOwn(value, key));
    if (undeclaredKeys.length === 0 || undeclaredKeys.length !== missingKeys.length) return [];
    const edits = undeclaredKeys.flatMap((key): readonly KeyEdit[] => {
      const [to, ...others] = relatedTo(context, key);
      return to !== undefined && others.length === 0 && missingKeys.includes(to)
        ? [{ op: 'rename', key, to }]
        : [];
    });
    const targets = new Set(edits.map((edit) => (edit.op === 'rename' ? edit.to : '')));
    return targets.size === missingKeys.length ? edits : [];
  },
};

/** The declared keys that an undeclared one may be another name of, sent or not. */
function relatedTo(context: RuleContext<JsonObject>, key: string): readonly string[] {
  const { value, view, contract } = context;
  // Under the tool's own name are all arguments. Any other character means something: `!force`.
  if (isSameName(key, contract.name) || normalizeKey(key) === undefined) return [];
  const tool = contract.isUnnamed === true ? [] : wordsInName(contract.name);
  const isOnly = Object.keys(value).length === 1;
  return [...view.properties.keys()].filter((declaredKey) => {
    if (!isRelated(key, declaredKey, tool) && (isOnly || !isMistyped(key, declaredKey)))
      return false;
    if (mayHoldSeveral(key, declaredKey, value[key])) return false;
    if (isMemberOfElement(context, declaredKey, value[key])) return false;
    return !isOtherLanguage(context, key, declaredKey);
  });
}

/** Whether a scalar is sent where nothing but objects are listed: it is a member of one. */
function isMemberOfElement(
  context: RuleContext<JsonObject>,
  declaredKey: string,
  sentValue: JsonValue | undefined,
): boolean {
  const schema = context.view.properties.get(declaredKey) ?? true;
  const { items } = context.viewOf(schema);
  const isScalar =
    typeof sentValue === 'string' ? !startsLikeContainer(sentValue) : !isContainer(sentValue);
  return (
    isScalar && isOnly(context.typesOf(schema), 'array') && isOnly(context.typesOf(items), 'object')
  );
}

const isOnly = (types: ReadonlySet<string>, type: string): boolean =>
  types.size === 1 && types.has(type);

/** Whether text may be one or several: `Graz, Wien` under the singular for the plural. */
export const mayHoldSeveral = (
  key: string,
  declaredKey: string,
  sentValue: JsonValue | undefined,
): boolean =>
  typeof sentValue === 'string' && countsDiffer(key, declaredKey) && looksLikeSeveral(sentValue);

/** Whether a word is singular in one name and plural in the other; names of one group are one name. */
const countsDiffer = (key: string, declaredKey: string): boolean =>
  wordsInName(key).some((word) =>
    wordsInName(declaredKey).some(
      (other) =>
        word !== other &&
        isSameWord(word, other) &&
        !groups.some((words) => words.includes(word) && words.includes(other)),
    ),
  );

/** Names of one parameter in the tools of coding agents, in search tools and in SDKs. */
const groups: readonly (readonly string[])[] = [
  // A file in the file system.
  'path file filename filepath',
  // What is searched for.
  'query q search input question',
  // What a shell runs.
  'command cmd script',
  // The text of a file or a message.
  'content text body contents',
  // An address.
  'url uri link href',
  // A regular expression, or whatever the tool searches text with.
  'pattern regex',
  // A folder in the file system.
  'directory dir folder',
].map((words) => words.split(' '));

/** The two texts of an edit, in the tools of coding agents. */
const wholeNames: readonly (readonly string[])[] = ['old', 'new'].map((word) => [
  `${word} string`,
  word,
  `${word} str`,
  `${word} text`,
]);

/** Words that say nothing but that there is a parameter, or that it takes text. */
const fillers: ReadonlySet<string> = new Set(
  'string str text value name param argument input'.split(' '),
);

/** A name with one of these words more, or another of them, is another parameter. */
const distinguishing: ReadonlySet<string> = new Set(
  [
    // Opposites.
    'min max minimum maximum old new from to source src target dest destination start end begin',
    'first last before after left right top bottom up down low high lower upper next previous',
    'include exclude enable disable allow deny read write parent child in out output',
    // Negations.
    'not no non never without except un',
    // Units.
    'ms sec secs second seconds minute minutes hour hours day days week weeks month months year',
    'years byte bytes kb mb gb tb px pt em km cm mm mi ft kg lb percent pct usd eur',
  ].flatMap((words) => words.split(' ')),
);

const isDistinguishing = (word: string): boolean => word.length === 1 || distinguishing.has(word);

/** Whether all words of one name are in the other, and what that has beside them adds nothing. */
function isRelated(key: string, declaredKey: string, tool: readonly string[]): boolean {
  const [left, right] = [wordsInName(key), wordsInName(declaredKey)];
  const [one, other] = [left.join(' '), right.join(' ')];
  if (wholeNames.some((names) => names.includes(one) && names.includes(other))) return true;
  return isPart(left, right, tool) || isPart(right, left, tool);
}

function isPart(
  part: readonly string[],
  whole: readonly string[],
  tool: readonly string[],
): boolean {
  if (part.length === 0) return false;
  const rest = [...whole];
  for (const word of part) {
    const at = indexOfSame(rest, word);
    if (at === -1) return false;
    rest.splice(at, 1);
  }
  return rest.every(
    (word) =>
      !isDistinguishing(word) &&
      (fillers.has(word) ||
        tool.some((one) => isSameWord(one, word)) ||
        part.some((one) => areInOneGroup(one, word))),
  );
}

/** The very word before another one of its group. */
function indexOfSame(words: readonly string[], word: string): number {
  const exact = words.indexOf(word);
  if (exact !== -1) return exact;
  return words.findIndex((one) => isSameWord(one, word) || areInOneGroup(one, word));
}

/** Singular and plural are one word. */
const isSameWord = (one: string, other: string): boolean =>
  one === other || singularsOf(one).includes(other) || singularsOf(other).includes(one);

const areInOneGroup = (one: string, other: string): boolean =>
  groups.some((words) =>
    [one, other].every((word) => words.some((member) => isSameWord(word, member))),
  );

/**
 * Whether one word differs by one letter. The first letter of a word is rarely mistyped, and often
 * makes another word: `age` and `page`.
 */
function isMistyped(key: string, declaredKey: string): boolean {
  const [left, right] = [wordsInName(key), wordsInName(declaredKey)];
  const differing = left.flatMap((word, at) =>
    word === right[at] ? [] : [[word, right[at] ?? '']],
  );
  const [[one = '', other = ''] = [], ...others] = differing;
  return (
    left.length === right.length &&
    differing.length === 1 &&
    others.length === 0 &&
    right.join('').length >= 5 &&
    Math.max(one.length, other.length) >= 4 &&
    digitsIn(key) === digitsIn(declaredKey) &&
    one.charAt(0) === other.charAt(0) &&
    !(isDistinguishing(one) && isDistinguishing(other)) &&
    isOneEdit(one, other)
  );
}

const digitsIn = (name: string): string => name.replaceAll(/\D/g, '');

/** A regular expression is no glob, although both are called pattern. */
function isOtherLanguage(context: RuleContext, key: string, declaredKey: string): boolean {
  const words = [...wordsInName(key), ...wordsInName(declaredKey)];
  if (!words.some((word) => /^reg(?:ex|exp)(?:es|s)?$/.test(word))) return false;
  const { title, description } = context.viewOf(
    context.view.properties.get(declaredKey) ?? true,
  ).mergedSchema;
  return /glob|wildcard/i.test([context.contract.name, declaredKey, title, description].join(' '));
}
