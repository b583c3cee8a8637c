// May the schema around a value be taken off? Models copy the parameter's schema and put the value into it.
// Leaves alone: an echo of nothing, of the schema's own description, or with more than one candidate.
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { type Place, type Proposal, refused, replaceBy, silent, type ValueRule } from '../repair-rule.ts';

/** JSON Schema's names of types, and Python's. */
const typeNames: ReadonlySet<JsonValue | undefined> = new Set(
  'string number integer boolean array object null str int float bool list dict None'.split(' '),
);

export const echoedSchema: ValueRule = {
  id: 'echoed_schema',
  level: 'value',
  answers: ['type'],
  keeps: 'lossy',
  sends:
    '`{type, value}`, `{type, description, value}`, `{description, type}` copied from the schema around one value; `{value}` alone where no text is allowed',
  becomes: 'the value',
  notWhen: 'the type is no type’s name; the description is the schema’s own; more than one candidate',
  propose(place) {
    const { value, types } = place;
    if (!isJsonObject(value) || types.has('object') || types.has('array')) return silent;
    const shape = Object.keys(value).toSorted().join();
    if (shape === 'value') return types.has('string') ? silent : replaceBy(value['value'] ?? null);
    if (!typeNames.has(value['type'])) return silent;
    if (shape === 'type,value' || shape === 'description,type,value')
      return replaceBy(value['value'] ?? null);
    return shape === 'description,type' ? proposeDescription(place, value) : refused;
  },
};

function proposeDescription({ view }: Place, { description }: JsonObject): Proposal {
  return typeof description === 'string' && wordsOf(description) !== wordsOf(view.description ?? '')
    ? replaceBy(description)
    : refused;
}

/** Copied with another case or without its full stop, a description is the schema's all the same. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .split(/[\s.]+/)
    .join(' ')
    .trim();
