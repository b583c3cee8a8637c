// Does a text start like a list or an object, and what does it say then?
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject } from '../../json/json-value.ts';
import { pathInLink } from '../../json/markdown-link.ts';
import type { Place } from '../repair-rule.ts';

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

/** Reads text at a place where a container may stand. A link in a path is no list. */
export function readContainerText(place: Place, text: string): ContainerText {
  if (place.isPath && pathInLink(text) !== undefined) return { kind: 'other' };
  const isQuoted = startsLikeQuotedContainer(text);
  if (!isQuoted && !startsLikeContainer(text)) return { kind: 'other' };
  const value = place.ask.read(text);
  if (isJsonArray(value) || isJsonObject(value)) return { kind: 'container', value };
  if (isQuoted && typeof value === 'string') return { kind: 'text', value };
  return isQuoted && !text.trimEnd().endsWith('"') ? { kind: 'other' } : { kind: 'unreadable' };
}
