import { type JsonValue, isJsonArray, isJsonObject } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { declaresKeys, startsLikeContainer } from '../read-text.ts';
import { type RuleContext, type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send an array of one element instead of the element; an array, or its JSON text, in an
 * array of one.
 * Becomes the element; the inner array.
 * Not when: two or more elements; the outer array is valid; an entry of a map or an open object, as
 * `{key, value}`.
 */
export const unwrapSingle: ValueRule = {
  id: 'unwrap_single',
  level: 'value',
  answers: ['type', 'value'],
  sentTypes: ['array'],
  keeps: 'lossless',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view, types } = context;
    if (!isJsonArray(value)) return skip;
    if (types.has('array')) {
      const [sent, ...others] = value;
      const inner =
        typeof sent === 'string' && startsLikeContainer(sent) ? context.read(sent) : sent;
      if (!isJsonArray(inner) || others.length > 0 || !context.accepts(view.schema, inner))
        return skip;
      return inner.some((element) => isEntry(context, view.items, element))
        ? refuse
        : replaceWith(inner);
    }
    const [only, ...others] = value;
    const isOne = only !== undefined && others.length === 0 && context.accepts(view.schema, only);
    return isOne && !isEntry(context, view.schema, only) ? replaceWith(only) : refuse;
  },
};

/** A list of entries may be a map, as other languages write it. */
const isEntry = (context: RuleContext, schema: JsonSchema, value: JsonValue): boolean =>
  isJsonObject(value) &&
  /^(?:key|name),value$/.test(Object.keys(value).toSorted().join()) &&
  !declaresKeys(context, schema, ['value']);
