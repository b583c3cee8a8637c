// Models that know lists elsewhere send one where a single value is declared. Leaves alone: lists of two or more, and
// lists that are allowed.
import { type JsonValue, isJsonArray, isJsonObject } from '../../json/value.ts';
import type { SchemaView } from '../../schema/schema-view.ts';
import { type ValueRule, refused, replaceBy, silent } from '../repair-rule.ts';

export const unwrapSingle: ValueRule = {
  id: 'unwrap_single',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'a list of one, where one is declared and the element is valid',
  becomes: 'the element',
  notWhen: 'two or more; an entry of a map, as `{key, value}`',
  propose({ value, view, types, ask }) {
    if (!isJsonArray(value) || types.has('array')) return silent;
    const [only, ...others] = value;
    const isOne = only !== undefined && others.length === 0 && ask.accepts(view.schema, only);
    return isOne && !isEntry(only, view) ? replaceBy(only) : refused;
  },
};

/** A list of entries is how other languages write a map: what stands in the one is a key, and its value. */
function isEntry(value: JsonValue, { properties }: SchemaView): boolean {
  if (!isJsonObject(value) || properties.size > 0) return false;
  const keys = Object.keys(value).toSorted().join();
  return keys === 'key,value' || keys === 'name,value';
}
