import { matchAt } from '../json/tokens.ts';
import { afterBlanks } from './json-body.ts';

/** An element, and the text between its tags. */
export interface TextElement {
  readonly name: string;
  readonly text: string;
}

const token = '(?:\\]<\\]minimax\\[>\\[)?';
const openingTag = new RegExp(`${token}<([A-Za-z_][\\w.-]{0,127})>`, 'y');
const anyTag = new RegExp(`${token}<(/?)([A-Za-z_][\\w.-]{0,127})>`, 'g');

/**
 * The elements that a text consists of, with nothing between them; undefined if it is anything
 * else.
 */
export function elementsIn(text: string): readonly TextElement[] | undefined {
  const elements: TextElement[] = [];
  let at = afterBlanks(text, 0);
  while (at < text.length) {
    const [opening, name = ''] = matchAt(openingTag, text, at) ?? [];
    const closing = opening === undefined ? undefined : closingOf(text, at + opening.length, name);
    if (opening === undefined || closing === undefined) return undefined;
    elements.push({ name, text: text.slice(at + opening.length, closing.start) });
    at = afterBlanks(text, closing.end);
  }
  return elements.length === 0 ? undefined : elements;
}

/** The tag that closes an element, after the elements of the same name in it. */
function closingOf(
  text: string,
  from: number,
  name: string,
): { readonly start: number; readonly end: number } | undefined {
  let depth = 1;
  for (let tag = matchAt(anyTag, text, from); tag !== null; tag = anyTag.exec(text)) {
    const [tagText, slash, tagName] = tag;
    if (tagName !== name) continue;
    depth += slash === '' ? 1 : -1;
    if (depth === 0) return { start: tag.index, end: tag.index + tagText.length };
  }
  return undefined;
}
