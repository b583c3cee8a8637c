import { type NumberTexts, longestLiteral, survivesAsNumber } from '../json/exact-numbers.ts';
import { pathInLink } from '../json/markdown-link.ts';
import { exactJson } from '../json/parse.ts';
import { type JsonArray, type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import type { RuleContext } from './repair-rule.ts';

// As JSON or Python writes them, or in capitals.
const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);

export const booleanInText = (text: string): boolean | undefined => words.get(text.trim());

/** `text`: a JSON string that holds container text, one encoding less. `other`: no container text. */
export type ContainerText =
  | { readonly kind: 'container'; readonly value: JsonArray | JsonObject }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'other' };

export const startsLikeContainer = (text: string): boolean => /^\s*[[{]/.test(text);

/** However often it was encoded: the quotes of the inner ones have backslashes. */
export const startsLikeQuotedContainer = (text: string): boolean =>
  /^\s*"(?:\\[nrt]|\\*"|\s)*[[{]/.test(text);

/** Reads the text at a place where a container may be. */
export function readContainerText(context: RuleContext): ContainerText {
  const { value: text } = context;
  // A link in a path starts like a list.
  if (typeof text !== 'string' || (context.isPath && pathInLink(text) !== undefined))
    return { kind: 'other' };
  const isQuoted = startsLikeQuotedContainer(text);
  if (!isQuoted && !startsLikeContainer(text)) return { kind: 'other' };
  const value = context.read(text);
  if (isJsonArray(value) || isJsonObject(value)) return { kind: 'container', value };
  if (isQuoted && typeof value === 'string') return { kind: 'text', value };
  return isQuoted && !text.trimEnd().endsWith('"') ? { kind: 'other' } : { kind: 'unreadable' };
}

/** True if one and the same object schema declares all of them. */
export function declaresKeys(context: RuleContext, schema: JsonSchema, keys: readonly string[]): boolean {
  const { branches, properties } = context.viewOf(schema);
  if (branches.length > 0) return branches.some((branch) => declaresKeys(context, branch, keys));
  return keys.every((key) => properties.has(key));
}

/** True if an object schema here names any key at all. */
export function declaresAnyKey(context: RuleContext, schema: JsonSchema): boolean {
  const { branches, properties } = context.viewOf(schema);
  return properties.size > 0 || branches.some((branch) => declaresAnyKey(context, branch));
}

/** True if an object's own schema says something of a key, by its name or by a pattern. */
export const isDeclaredKey = ({ properties, patternProperties }: SchemaView, key: string): boolean =>
  properties.has(key) || patternProperties.some(([pattern]) => pattern.test(key));

/** True if an undeclared key may stand for this one: in an open object any key may stand, and only a required one is missed. */
export const mayBeMeant = ({ additionalProperties, required }: SchemaView, key: string): boolean =>
  additionalProperties === false || required.has(key);

/** Case, quotes around, blanks, underscores and hyphens fold; between or beside digits a separator stays one. */
export const foldMember = (text: string): string =>
  text
    .trim()
    .replace(/^(["'`])([^]*)\1$/, '$2')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, (separators, at: number, whole: string) =>
      isDigit(whole[at - 1]) || isDigit(whole[at + separators.length]) ? '-' : '',
    );

const isDigit = (character = ''): boolean => /\d/.test(character);

/** True if text is a member but for its spelling. */
export const spellsMember = (value: JsonValue, members: readonly JsonValue[] | undefined): boolean =>
  typeof value === 'string' &&
  members?.some((member) => typeof member === 'string' && foldMember(member) === foldMember(value)) === true;

/** null, None or undefined, trimmed, in exactly these spellings. */
export const isNullWord = (text: string): boolean => /^\s*(?:null|None|undefined)\s*$/.test(text);

const neutralKeys: ReadonlySet<string> = new Set(['item', 'items', 'value', 'values', 'element', 'elements']);

/** Keys that say nothing but "what is in the list". */
export const isNeutralListKey = (key: string): boolean => neutralKeys.has(key);

/** The English singulars that a plural name can have: `entries` has `entry`, `boxes` has `box` and `boxe`. */
export function singularsOf(name: string): readonly string[] {
  if (name.endsWith('ies')) return [`${name.slice(0, -3)}y`, name.slice(0, -1)];
  if (name.endsWith('es')) return [name.slice(0, -2), name.slice(0, -1)];
  return name.endsWith('s') && !name.endsWith('ss') ? [name.slice(0, -1)] : [];
}

// What starts like a container, says nothing, or looks like several.
/** A link that stands for a path starts like a list and is none. */
export function isNoElement(text: string, isPath: boolean): boolean {
  if (text.trim() === '' || isNullWord(text) || looksLikeSeveral(text)) return true;
  if (isPath && pathInLink(text) !== undefined) return false;
  return startsLikeContainer(text) || wrappedContainer.test(text);
}

/** A list or an object once more in quotes, or in a fence: it is read where it can be, and else it is none. */
const wrappedContainer = /^\s*(?:(["'`])\s*[[{][^]*\1\s*$|[`~]{3}[^\n]{0,20}\n\s*[[{])/;

/** Two or more parts without blanks inside, set apart by commas, semicolons, bars or line breaks. */
function looksLikeSeveral(text: string): boolean {
  const parts = text
    .split(/[,;|\r\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => !/\s/.test(part));
}

// JSON's grammar and no other: no units, words, separators, hex or leading zeros.
/** Undefined for text that is, trimmed, no JSON number, and for one that would lose digits. */
export function numberInText(text: string): number | undefined {
  const literal = text.trim();
  if (literal.length > longestLiteral) return undefined;
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(literal);
  return isNumber && survivesAsNumber(literal) ? Number(literal) : undefined;
}

/** Two blanks a level. undefined where a number's digits are lost already. */
export const sourceOf = (value: JsonValue, numbers: NumberTexts): string | undefined =>
  holdsUnknownDigits(value, numbers) ? undefined : exactJson(value, numbers, 2);

function holdsUnknownDigits(value: JsonValue, numbers: NumberTexts): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) =>
    typeof member === 'number'
      ? digitsOf(member, numbers.literal(member, value, key)) === undefined
      : holdsUnknownDigits(member, numbers),
  );
}

/**
 * The digits of a number as the model wrote them; undefined if they are unknown. Without a literal of its own, a number
 * that is too large to be exact may have lost some before it came here.
 */
export const digitsOf = (value: number, literal: string | undefined): string | undefined =>
  literal === String(value) && Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : literal;
