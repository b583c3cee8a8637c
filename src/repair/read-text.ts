import { once } from '../collections/once.ts';
import { type NumberLiterals, longestLiteral, survivesAsNumber } from '../json/number-literals.ts';
import { wordsIn } from '../json/nearest-name.ts';
import { exactJson } from '../json/parse.ts';
import { isNullWord, saysNothing } from '../json/null-words.ts';
import { memoize } from '../collections/memoize.ts';
import { isContainer } from '../collections/objects.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isMember } from '../schema/keywords.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { pathInLink } from '../validate/strict-checks.ts';
import { startOfClosingTags } from '../notations/wrapping-tags.ts';
import { type Proposal, type RuleContext, decodeTo, refuse, skip } from './repair-rule.ts';

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);

/** The words of JSON and Python, also in capitals. */
export const booleanInText = (text: string): boolean | undefined => booleans.get(text.trim());

/**
 * Whether text starts like a list or an object, cut ones included. A bracket of words, as in
 * `[a-z]*.ts`, starts none.
 */
export function startsLikeContainer(text: string): boolean {
  const first = text.trimStart().charAt(0);
  return first === '{' || (first === '[' && !startsWithBracketOfWords(text));
}

/**
 * `[a-z]*.ts`, `[GitHub] fix`: the bracket is closed, words follow it, and no quote or closer ends
 * the text like JSON.
 */
function startsWithBracketOfWords(text: string): boolean {
  const last = text.trimEnd().at(-1);
  if (last === ']' || last === '}') return false;
  return (
    /^\s*\[[^[\]{}"'`“”‘’]*\](?:[^\s,:\]}]|\s\p{L})/u.test(text) &&
    !/["`“”]|(?<!\p{L})['‘’]|['‘’](?!\p{L})/u.test(text)
  );
}

/** A container that was encoded once or more: the quotes of inner encodings have backslashes. */
export const startsLikeQuotedContainer = (text: string): boolean =>
  text.trimStart().startsWith('"') && /^\s*"(?:\\[nrt]|\\*"|\s)*[[{]/.test(text);

/** Whether text starts like a list or an object, encoded once or more. */
export const isContainerText = (text: string): boolean =>
  startsLikeContainer(text) || startsLikeQuotedContainer(text);

/**
 * Reads text where a container is declared. `isMeant`: whether a list or an object can be the one
 * that is declared.
 */
export function decodeContainer(
  context: RuleContext,
  isMeant: (value: JsonArray | JsonObject) => boolean,
): Proposal {
  const { value: text } = context;
  // A link in a path starts like a list.
  if (typeof text !== 'string' || (pathInLink(text) !== undefined && context.isPath())) return skip;
  const isQuoted = startsLikeQuotedContainer(text);
  const isTuple = text.trimStart().startsWith('(');
  if (!isQuoted && !isTuple && !startsLikeContainer(text)) return skip;
  const container = isQuoted ? text : withoutClosingTags(text);
  const value = (isTuple ? undefined : context.read(container)) ?? readTuples(context, container);
  // Text in parentheses isn't always a tuple.
  if (isTuple && value === undefined) return skip;
  if (isJsonArray(value) || isJsonObject(value)) return isMeant(value) ? decodeTo(value) : refuse;
  // The content of a JSON string is again text of a container.
  if (typeof value === 'string' && isContainerText(value)) return decodeTo(value);
  return refuse;
}

const readTuples = (context: RuleContext, text: string): JsonValue | undefined => {
  const lists = text.includes('(') ? withListsForTuples(text) : undefined;
  return lists === undefined ? undefined : context.read(lists);
};

/**
 * Python's text with lists instead of tuples; undefined if parentheses are anything else: `(1)` is
 * not a tuple.
 */
function withListsForTuples(text: string): string | undefined {
  const open: { readonly bracket: string; hasComma: boolean; isEmpty: boolean }[] = [];
  const parts: string[] = [];
  // Strings, brackets, commas, and what is between them.
  for (const [part] of text.matchAll(
    /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[()[\]{},]|[^"'()[\]{},]+|["']/g,
  )) {
    const outerBracket = open.at(-1);
    if (part === ')') {
      if (outerBracket?.bracket !== '(' || !(outerBracket.hasComma || outerBracket.isEmpty))
        return undefined;
    } else if ((part === ']' || part === '}') && outerBracket?.bracket === '(') return undefined;
    if (part === ',' && outerBracket !== undefined) outerBracket.hasComma = true;
    if (outerBracket !== undefined && part.trim() !== '') outerBracket.isEmpty = false;
    if (closerOf.has(part)) open.push({ bracket: part, hasComma: false, isEmpty: true });
    else if (part === ')' || part === ']' || part === '}') open.pop();
    parts.push(part === '(' ? '[' : part === ')' ? ']' : part);
  }
  return parts.join('');
}

/** A container without the closing tags and control tokens of call markup after it. */
const withoutClosingTags = (text: string): string => text.slice(0, startOfClosingTags(text));

/** Whether one object schema declares all keys. */
export function declaresKeys(
  context: RuleContext,
  schema: JsonSchema,
  keys: readonly string[],
): boolean {
  const { branches, properties } = context.viewOf(schema);
  if (branches.length > 0) return branches.some((branch) => declaresKeys(context, branch, keys));
  return keys.every((key) => properties.has(key));
}

/** Whether an object schema declares any key. */
export function declaresAnyKey(context: RuleContext, schema: JsonSchema): boolean {
  const { branches, properties } = context.viewOf(schema);
  return properties.size > 0 || branches.some((branch) => declaresAnyKey(context, branch));
}

/** Whether an object schema declares a key by its name or by a pattern. */
export const isDeclaredKey = (
  { properties, patternProperties }: SchemaView,
  key: string,
): boolean => properties.has(key) || patternProperties.some(([pattern]) => pattern.test(key));

/**
 * Whether an undeclared key may be meant as this declared one. An open object allows any key, so
 * there only required keys are.
 */
export const mayBeMeant = ({ additionalProperties, required }: SchemaView, key: string): boolean =>
  additionalProperties === false || required.has(key);

/** The text without the quotes and blanks around it. */
const withoutQuotes = (text: string): string =>
  text
    .trim()
    .replace(/^(["'`])([^]*)\1$/, '$2')
    .trim();

/**
 * An enum member in lower case, without the whitespace, underscores and hyphens inside it. They are
 * kept at either end, where they are signs (`-x`), and become a hyphen beside a digit (`v1_2` is
 * not `v12`).
 */
export const normalizeMember = (text: string): string =>
  withoutQuotes(text)
    .toLowerCase()
    .replace(/[\s_-]+/g, (separators, at: number, whole: string) => {
      if (at === 0 || at + separators.length === whole.length) return separators;
      return isDigit(whole[at - 1]) || isDigit(whole[at + separators.length]) ? '-' : '';
    });

const isDigit = (character = ''): boolean => /\d/.test(character);

type MembersBySpelling = ReadonlyMap<string, readonly string[]>;

/** The strings among members by their normalized form; made once for an enum. */
const membersBySpelling = memoize((members: readonly JsonValue[]): MembersBySpelling =>
  Map.groupBy(
    members.filter((member) => typeof member === 'string'),
    normalizeMember,
  ),
);

/**
 * The strings among members that text is, without quotes around it; else those that it is another
 * spelling of.
 */
export function membersSpelled(text: string, members: readonly JsonValue[]): readonly string[] {
  const normalizedText = normalizeMember(text);
  // Text of blanks and quotes alone doesn't spell a member.
  const spelledMembers =
    normalizedText === '' ? [] : (membersBySpelling(members).get(normalizedText) ?? []);
  const exact = withoutQuotes(text);
  return spelledMembers.includes(exact) ? [exact] : spelledMembers;
}

/** Whether text is another spelling of a member. */
const spellsMember = (value: JsonValue, members: readonly JsonValue[] | undefined): boolean =>
  typeof value === 'string' && members !== undefined && membersSpelled(value, members).length > 0;

/**
 * Whether text is a member of a schema, or of the elements of a list there, in any spelling: then it
 * is no placeholder.
 */
export const mayBeMember = (context: RuleContext, schema: JsonSchema, value: JsonValue): boolean =>
  branchViewsOf(context, schema).some(
    ({ members, items, types }) =>
      isMemberOf(members, value) ||
      (types.has('array') &&
        branchViewsOf(context, items).some((element) => isMemberOf(element.members, value))),
  );

const isMemberOf = (members: readonly JsonValue[] | undefined, value: JsonValue): boolean =>
  members !== undefined && (isMember(members, value) || spellsMember(value, members));

/** The view of a schema, or those of the branches of a union. */
export function branchViewsOf(context: RuleContext, schema: JsonSchema): readonly SchemaView[] {
  const view = context.viewOf(schema);
  return view.branches.length === 0
    ? [view]
    : view.branches.flatMap((branch) => branchViewsOf(context, branch));
}

/**
 * A blank text, a null word or an empty object: what models send for an argument that they leave
 * out.
 */
export const isPlaceholder = (value: JsonValue | undefined): value is string | JsonObject =>
  typeof value === 'string'
    ? value.trim() === '' || isNullWord(value)
    : isJsonObject(value) && Object.keys(value).length === 0;

/** Keys that name any element of any list. */
export const neutralListKeys: ReadonlySet<string> = new Set(
  'item items value values element elements'.split(' '),
);

/**
 * Whether text can't be one element: it is blank, a null word, text of a container, or looks like
 * several elements.
 */
export function cannotBeElement(text: string, isPath: boolean): boolean {
  if (saysNothing(text) || looksLikeSeveral(text)) return true;
  // A link starts like a list.
  if (isPath && pathInLink(text) !== undefined) return false;
  return startsLikeContainer(text) || wrappedContainer.test(text);
}

/** `excludePatterns`, `exclude_patterns`: `Patterns`, `patterns`. */
export const lastWordOf = (name: string): string =>
  name.split(/[\s_.-]+|(?<=[a-z0-9])(?=[A-Z])/).findLast((word) => word !== '') ?? name;

/** Text that starts like a container in quotes or in a fence, or a container after a name. */
const wrappedContainer =
  /^\s*(?:["'`]\s*[[{]|[`~]{3}[^\n]{0,20}\n\s*[[{]|["'`]?[\w$-]+["'`]?\s*[:=]\s*(?:\[[^]*\]|\{[^]*\})\s*$)/;

/** Beside the comma, which addresses have too. */
const separatorsInLine = ';|、，；､﹐﹑﹔،؛｜';
const separators = `,${separatorsInLine}\\t\\r\\n`;
const quotedText = `(?:"[^"]*"|'[^']*'|\`[^\`]*\`|“[^“”]*”|‘[^‘’]*’)`;
const quotedPattern = `\\s*${quotedText}\\s*`;
const quotedParts = new RegExp(
  `^${quotedPattern}(?:[${separators}]${quotedPattern})+[${separators}]?\\s*$`,
);

/** What is before it or after it is lost, or it is no part of the element. */
const commaAtEnd = /^\s*[,，、،]|[,，、،]\s*$/;

/**
 * Whether text looks like several elements. Nothing that is in brackets, braces or parentheses sets
 * elements apart.
 */
export function looksLikeSeveral(text: string): boolean {
  if (isOneAddress(text)) return new RegExp(`[${separatorsInLine}]|,\\s*$`).test(text);
  const parts = separatedParts(withoutGroups(text));
  const areWords = parts.every((part) => !/\s/.test(part));
  const isOne = parts.length < 2 || !areWords;
  return !isOne || commaAtEnd.test(text) || quotedParts.test(text) || !isOneSentence(text);
}

/**
 * Whether each part after a separator goes on the sentence before it. What is in brackets, in
 * quotes or in the only address sets no parts apart.
 */
function isOneSentence(text: string): boolean {
  const isOnlyAddress = text.indexOf('://') === text.lastIndexOf('://');
  const words = isOnlyAddress ? withoutAddress(text) : text;
  const [, ...further] = separatedParts(withoutGroups(words.replace(quotation(), 'x')));
  return further.every((part) => goesOn.test(part));
}

/** The text with a letter for its first address, which ends before separators at its end. */
function withoutAddress(text: string): string {
  const at = text.indexOf('://');
  if (at < 1) return text;
  // A regular expression that looks for the protocol would try each letter of a long word.
  let start = at;
  while (start > 0 && /[a-z0-9+.-]/i.test(text.charAt(start - 1))) start -= 1;
  const path = /^\S*/.exec(text.slice(at))?.[0] ?? '';
  const end = at + path.replace(separatorsAtEnd, '').length;
  return `${text.slice(0, start)}x${text.slice(end)}`;
}

const separatorsAtEnd = new RegExp(`[${separators}]{1,9}$`);
const quotation = once(() => new RegExp(`(?<!\\p{L})${quotedText}(?!\\p{L})`, 'gu'));
const goesOn =
  /^(?:and|or|but|then|so|if|when|because|which|who|that|with|without|as|such|including|for|to|not)(?![\p{L}\p{N}_])/u;

/** The parts of text between separators. */
export const separatedParts = (text: string): readonly string[] =>
  nonBlank(text.split(new RegExp(`[${separators}]`)));

const nonBlank = (parts: readonly string[]): readonly string[] =>
  parts.map((part) => part.trim()).filter((part) => part !== '');

const isOneAddress = (text: string): boolean =>
  /^\s*[a-z][a-z0-9+.-]*:\/\/\S+\s*$/i.test(text) &&
  text.indexOf('://') === text.lastIndexOf('://');

const closerOf: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** The text with one letter for each group in brackets, braces or parentheses. */
function withoutGroups(text: string): string {
  const open: number[] = [];
  const groups: { start: number; end: number }[] = [];
  for (const { 0: bracket, index } of text.matchAll(/[()[\]{}]/g)) {
    const start = open.at(-1);
    if (closerOf.has(bracket)) open.push(index);
    else if (start !== undefined && closerOf.get(text.charAt(start)) === bracket) {
      open.pop();
      while ((groups.at(-1)?.start ?? -1) > start) groups.pop();
      groups.push({ start, end: index });
    }
  }
  let at = 0;
  const partsOutside = groups.map(({ start, end }) => {
    const textBefore = text.slice(at, start);
    at = end + 1;
    return `${textBefore}x`;
  });
  return [...partsOutside, text.slice(at)].join('');
}

/**
 * The number of text that is a JSON literal, trimmed; undefined for other text, and for a literal
 * that would lose digits.
 */
export function numberInText(text: string): number | undefined {
  const literal = text.trim();
  if (isShortInteger(literal)) return Number(literal);
  if (literal.length > longestLiteral) return undefined;
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(literal);
  return isNumber && survivesAsNumber(literal) ? Number(literal) : undefined;
}

/**
 * Most numbers. Their digits are compared one by one, because the first use of a regular expression
 * takes a twentieth of a process's first repair.
 */
function isShortInteger(text: string): boolean {
  if (text.length === 0 || text.length > mostDigits) return false;
  if (text.startsWith('0')) return text.length === 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character < '0' || character > '9') return false;
  }
  return true;
}

/** Compact JSON text; undefined if digits are lost. */
export const sourceOf = (value: JsonValue, numbers: NumberLiterals): string | undefined =>
  holdsUnknownDigits(value, numbers) ? undefined : exactJson(value, numbers);

function holdsUnknownDigits(value: JsonValue, numbers: NumberLiterals): boolean {
  if (!isContainer(value)) return false;
  return Object.entries(value).some(([key, member]) =>
    typeof member === 'number'
      ? digitsOf(member, numbers.literal(member, value, key)) === undefined
      : holdsUnknownDigits(member, numbers),
  );
}

/**
 * The digits of a number as the model wrote them; undefined if they are unknown. A large number
 * that a provider has parsed may have lost some before.
 */
export const digitsOf = (value: number, literal: string | undefined): string | undefined =>
  literal === String(value) && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? undefined
    : literal;

/** The most digits that a number keeps, whatever they are. */
const mostDigits = 15;

/** Numbers whose zeros say something, and other names of digits that are no number. */
const writtenDigits: ReadonlySet<string> = new Set(
  [
    // Octal ones.
    'mode modes chmod umask permission permissions octal',
    // Numbers of telephones, letters and accounts.
    'phone telephone mobile fax zip zipcode postal postcode account iban isbn',
    // Codes.
    'code codes barcode pin pincode serial sku ean',
    // Dates and times.
    'date datetime dates time times timestamp year years month day birthday',
  ].flatMap((words) => words.split(' ')),
);

/** Digits after zeros, where nothing but a number is declared, and zeros say nothing. */
export function proposePadded(context: RuleContext, text: string): Proposal {
  const { name, types, view } = context;
  const digits = text.trim();
  const isOnlyNumber = [...types].every((type) => type === 'number' || type === 'integer');
  if (!isOnlyNumber || !/^0\d+$/.test(digits) || digits.length > mostDigits) return skip;
  const { title, description } = view.mergedSchema;
  const words = [name ?? '', title, description].flatMap((documentation) =>
    typeof documentation === 'string' ? wordsIn(documentation) : [],
  );
  if (words.some((word) => writtenDigits.has(word))) return skip;
  return { kind: 'replace', value: Number(digits), isLossy: true, notes: true };
}
