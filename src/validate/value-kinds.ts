// Kinds of values that JSON Schema has no keyword for: addresses, glob patterns, ranges of lines.
import { type JsonValue, isJsonArray } from '../json/value.ts';
import type { SchemaView } from '../schema/schema-view.ts';

/** A meaning of a value by its annotation `semantic`, beside `path`. */
export type ValueKind = 'url' | 'glob' | 'line_range';

/** The kind that the annotation of a schema names. */
export function kindOf({ semantic }: Pick<SchemaView, 'semantic'>): ValueKind | undefined {
  return semantic === 'url' || semantic === 'glob' || semantic === 'line_range'
    ? semantic
    : undefined;
}

/** Whether a value that its schema accepts is of the kind. A value of another type is. */
export function isOfKind(kind: ValueKind, value: JsonValue): boolean {
  if (kind === 'line_range') return isLineRange(value);
  if (typeof value !== 'string') return true;
  return kind === 'url' ? isUrl(value) : isGlob(value);
}

/** With its scheme (RFC 3986). Other alphabets than the Latin one are as browsers take them. */
const isUrl = (text: string): boolean =>
  /^[a-z][a-z\d+.-]*:[^\s<>"`]+$/i.test(text) && URL.canParse(text);

/** Blanks and quotes around a pattern are never a part of it. */
const isGlob = (text: string): boolean => text === text.trim() && !quotes.test(text);

const quotes = /^(["'`])[^]*\1$/;

/**
 * `[10, 20]`, or the same as the text `10-20`. Lines count from 1. -1 as the last line of a list is
 * the end of the file, as in Anthropic's `view_range`
 * (https://docs.claude.com/en/docs/agents-and-tools/tool-use/text-editor-tool).
 */
function isLineRange(value: JsonValue): boolean {
  if (isJsonArray(value)) {
    const [first, last, ...others] = value;
    const isOrdered = typeof first === 'number' && typeof last === 'number' && first <= last;
    return others.length === 0 && ((isOrdered && first >= 1) || (isLine(first) && last === -1));
  }
  if (typeof value !== 'string') return true;
  const [, first, last] = /^([1-9]\d*)-([1-9]\d*)$/.exec(value) ?? [];
  return first !== undefined && Number(first) <= Number(last);
}

const isLine = (value: JsonValue | undefined): boolean => typeof value === 'number' && value >= 1;
