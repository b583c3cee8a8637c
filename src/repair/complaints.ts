// What is wrong with a value or with the keys of an object, as far as rules are chosen by it?
import type { SchemaView } from '../contract/schema-view.ts';
import { isJsonObject, jsonTypeOf, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { pathInLink } from '../json/markdown-link.ts';
import { isInexact } from './digits/lost-digits.ts';
import { isNullWord } from './reading/is-null-word.ts';
import type { KeyComplaint, ValueComplaint } from './repair-rule.ts';

/** What is declared for the place, and how the number there was spelled. */
interface Declared {
  readonly view: SchemaView;
  readonly isPath: boolean;
  readonly numberText: string | undefined;
}

export function complaintAbout(value: JsonValue, { view, isPath, numberText }: Declared): ValueComplaint {
  if (!view.types.has(jsonTypeOf(value))) return 'type';
  if (isInexact({ numberText })) return 'digits';
  return isPath && typeof value === 'string' && pathInLink(value) !== undefined ? 'path' : 'value';
}

/** What the keys of an object give cause to complain of; most objects give none. */
export function complaintsAboutKeys(object: JsonObject, view: SchemaView): ReadonlySet<KeyComplaint> {
  const complaints = new Set<KeyComplaint>();
  for (const key of Object.keys(object)) {
    if (!view.properties.has(key)) complaints.add('undeclared');
    else if (saysNothing(object[key] ?? null)) complaints.add('empty');
  }
  for (const key of view.required) if (!Object.hasOwn(object, key)) complaints.add('missing');
  return complaints;
}

const saysNothing = (value: JsonValue): boolean =>
  value === null ||
  (typeof value === 'string' && (value.trim() === '' || isNullWord(value))) ||
  (isJsonObject(value) && Object.keys(value).length === 0);
