import { type JsonValue, isJsonArray, isJsonObject } from '../../json/value.ts';
import type { SchemaView } from '../../schema/schema-view.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

export const unwrapSingle: ValueRule = {
  id: 'unwrap_single',
  level: 'value',
  answers: ['type', 'value'],
  sent: ['array'],
  keeps: 'lossless',
  hidesMovedClosers: true,
  propose(context) {
    const { value, view, types } = context;
    if (!isJsonArray(value)) return skip;
    if (types.has('array')) {
      const [inner, ...others] = value;
      const isInner = isJsonArray(inner) && others.length === 0 && context.accepts(view.schema, inner);
      return isInner ? replaceWith(inner) : skip;
    }
    const [only, ...others] = value;
    const isOne = only !== undefined && others.length === 0 && context.accepts(view.schema, only);
    return isOne && !isEntry(only, view) ? replaceWith(only) : refuse;
  },
};

/** A list of one entry may be a map, as other languages write it. */
function isEntry(value: JsonValue, { properties }: SchemaView): boolean {
  if (!isJsonObject(value) || properties.size > 0) return false;
  const keys = Object.keys(value).toSorted().join();
  return keys === 'key,value' || keys === 'name,value';
}
