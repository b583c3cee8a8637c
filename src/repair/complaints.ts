// What is wrong with a value or with the keys of an object, as far as rules are chosen by it?
import type { SchemaView } from '../contract/schema-view.ts';
import { isJsonObject, jsonTypeOf, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { pathInLink } from '../json/markdown-link.ts';
import { isInexact } from './digits/lost-digits.ts';
import { isNullWord } from './reading/is-null-word.ts';
import type { KeyComplaint, Place, ValueComplaint } from './repair-rule.ts';

export function complaintAbout(place: Place): ValueComplaint {
  const { value, view, numberText } = place;
  if (!view.types.has(jsonTypeOf(value))) return 'type';
  if (isInexact({ numberText })) return 'digits';
  return typeof value === 'string' && place.isPath && pathInLink(value) !== undefined ? 'path' : 'value';
}

/** What the keys of an object give cause to complain of; most objects give none. */
export function complaintsAboutKeys(object: JsonObject, view: SchemaView): ReadonlySet<KeyComplaint> {
  let complaints: Set<KeyComplaint> | undefined;
  for (const key of Object.keys(object)) {
    if (!view.properties.has(key)) (complaints ??= new Set()).add('undeclared');
    else if (saysNothing(object[key] ?? null)) (complaints ??= new Set()).add('empty');
  }
  for (const key of view.required) {
    if (!Object.hasOwn(object, key)) (complaints ??= new Set()).add('missing');
  }
  return complaints ?? noComplaints;
}

const noComplaints: ReadonlySet<KeyComplaint> = new Set();

const saysNothing = (value: JsonValue): boolean =>
  value === null ||
  (typeof value === 'string' && (value.trim() === '' || isNullWord(value))) ||
  (isJsonObject(value) && Object.keys(value).length === 0);
