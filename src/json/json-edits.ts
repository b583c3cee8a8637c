// Changes single values inside JSON text and leaves every other character as it is.
import { keyIn } from './parse.ts';
import { endOfBlanks } from './tokens.ts';
import { isContainer } from '../collections/objects.ts';
import { endOfString } from './strings.ts';
import { type JsonObject, type JsonValue, isJsonObject } from './value.ts';

export type JsonPath = readonly (string | number)[];

/**
 * Replaces the value at a path with JSON text. A member that is absent is added to its object, an
 * element after the last to its array.
 */
export interface JsonEdit {
  readonly path: JsonPath;
  readonly text: string;
}

/** The edits of one container, by key or index. */
interface EditNode {
  text: string | undefined;
  readonly children: Map<string, EditNode>;
}

interface TextReplacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies edits to strict JSON in one pass. Of repeated keys, each is edited. An edit whose
 * containers are absent does nothing.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  if (edits.length === 0) return text;
  const root: EditNode = { text: undefined, children: new Map() };
  for (const edit of edits) addEdit(root, edit);
  const replacements: TextReplacement[] = [];
  collect(text, 0, root, replacements);
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of replacements) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

function addEdit(root: EditNode, { path, text }: JsonEdit): void {
  let node = root;
  for (const key of path) {
    const child = node.children.get(String(key)) ?? { text: undefined, children: new Map() };
    node.children.set(String(key), child);
    node = child;
  }
  node.text = text;
}

/** The text of the value at a path of strict JSON; undefined if there is none. */
export const jsonSlice = (text: string, path: JsonPath): string | undefined =>
  new JsonSlices(text).at(path);

/** Where a value is in the text. */
interface ValueRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The texts of values in one strict JSON text. A container is read once, whatever the number of
 * paths that lead through it.
 */
export class JsonSlices {
  readonly #text: string;
  readonly #valuesByStart = new Map<number, ReadonlyMap<string, ValueRange>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** undefined: there is no value at this path. Of repeated keys, the last one counts. */
  at(path: JsonPath): string | undefined {
    let range: ValueRange | undefined;
    for (const key of path)
      range = this.#valuesIn(range?.start ?? endOfBlanks(this.#text, 0)).get(String(key));
    return range === undefined ? undefined : this.#text.slice(range.start, range.end);
  }

  #valuesIn(open: number): ReadonlyMap<string, ValueRange> {
    const cachedValues = this.#valuesByStart.get(open);
    if (cachedValues !== undefined) return cachedValues;
    const values = valuesIn(this.#text, open);
    this.#valuesByStart.set(open, values);
    return values;
  }
}

/** The members or elements of the container that opens at a position; none of any other value. */
function valuesIn(text: string, open: number): ReadonlyMap<string, ValueRange> {
  const values = new Map<string, ValueRange>();
  const isObject = text.charAt(open) === '{';
  if (!isObject && text.charAt(open) !== '[') return values;
  let at = endOfBlanks(text, open + 1);
  for (let index = 0; at < text.length && !/[\]}]/.test(text.charAt(at)); index += 1) {
    const keyEnd = isObject ? endOfString(text, at) + 1 : at;
    const key = isObject ? keyIn(text.slice(at, keyEnd)) : String(index);
    const start = isObject ? endOfBlanks(text, endOfBlanks(text, keyEnd) + 1) : at;
    const end = endOfValue(text, start);
    values.set(key, { start, end });
    at = endOfBlanks(text, end);
    if (text.charAt(at) === ',') at = endOfBlanks(text, at + 1);
  }
  return values;
}

/**
 * Collects the replacements in the value at `from`, in the order of the text. Returns the position
 * after the value.
 */
function collect(
  text: string,
  from: number,
  node: EditNode,
  replacements: TextReplacement[],
): number {
  const at = endOfBlanks(text, from);
  if (node.text !== undefined) {
    const end = endOfValue(text, at);
    replacements.push({ start: at, end, text: node.text });
    return end;
  }
  const opener = text.charAt(at);
  if (opener === '{') return collectMembers(text, at, node, replacements);
  return opener === '[' ? collectElements(text, at, node, replacements) : endOfValue(text, at);
}

function collectMembers(
  text: string,
  open: number,
  node: EditNode,
  replacements: TextReplacement[],
): number {
  const present = new Set<string>();
  let at = endOfBlanks(text, open + 1);
  while (text.charAt(at) === '"') {
    const keyEnd = endOfString(text, at) + 1;
    const key = keyIn(text.slice(at, keyEnd));
    present.add(key);
    at = endOfBlanks(text, keyEnd) + 1;
    const child = node.children.get(key);
    at = endOfBlanks(
      text,
      child === undefined
        ? endOfValue(text, endOfBlanks(text, at))
        : collect(text, at, child, replacements),
    );
    if (text.charAt(at) === ',') at = endOfBlanks(text, at + 1);
  }
  let hasMembers = present.size > 0;
  for (const [key, { text: value }] of node.children) {
    if (value === undefined || present.has(key)) continue;
    replacements.push({
      start: at,
      end: at,
      text: `${hasMembers ? ',' : ''}${JSON.stringify(key)}:${value}`,
    });
    hasMembers = true;
  }
  return at + 1;
}

function collectElements(
  text: string,
  open: number,
  node: EditNode,
  replacements: TextReplacement[],
): number {
  let at = endOfBlanks(text, open + 1);
  let index = 0;
  for (; at < text.length && text.charAt(at) !== ']'; index += 1) {
    const child = node.children.get(String(index));
    at = endOfBlanks(
      text,
      child === undefined ? endOfValue(text, at) : collect(text, at, child, replacements),
    );
    if (text.charAt(at) === ',') at = endOfBlanks(text, at + 1);
  }
  for (
    let extraElement = node.children.get(String(index));
    extraElement?.text !== undefined;
    index += 1
  ) {
    replacements.push({ start: at, end: at, text: `${index > 0 ? ',' : ''}${extraElement.text}` });
    extraElement = node.children.get(String(index + 1));
  }
  return at + 1;
}

/** The position after the value that starts at `start`. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 34:
        at = endOfString(text, at);
        break;
      case 91:
      case 123:
        depth += 1;
        break;
      case 93:
      case 125:
        depth -= 1;
        if (depth < 0) return at;
        break;
      case 44:
      case 32:
      case 10:
      case 13:
      case 9:
        if (depth === 0) return at;
        break;
      default:
    }
  }
  return text.length;
}

/** How each object of a value is written in the text, which is strict JSON of the value. */
export function sourceSlices(text: string, value: JsonValue): ReadonlyMap<JsonObject, string> {
  const slices = new Map<JsonObject, string>();
  addSlices(text, endOfBlanks(text, 0), value, slices);
  return slices;
}

/** Adds the slices of a value that starts at `start`, and returns the position after it. */
function addSlices(
  text: string,
  start: number,
  value: JsonValue | undefined,
  slices: Map<JsonObject, string>,
): number {
  if (!isContainer(value)) return endOfValue(text, start);
  const members = new Map(Object.entries<JsonValue>(value));
  let at = endOfBlanks(text, start + 1);
  for (let index = 0; at < text.length && !/[\]}]/.test(text.charAt(at)); index += 1) {
    let key = String(index);
    if (isJsonObject(value)) {
      const keyEnd = endOfString(text, at) + 1;
      key = keyIn(text.slice(at, keyEnd));
      at = endOfBlanks(text, endOfBlanks(text, keyEnd) + 1);
    }
    at = endOfBlanks(text, addSlices(text, at, members.get(key), slices));
    if (text.charAt(at) === ',') at = endOfBlanks(text, at + 1);
  }
  if (isJsonObject(value)) slices.set(value, text.slice(start, at + 1));
  return at + 1;
}
