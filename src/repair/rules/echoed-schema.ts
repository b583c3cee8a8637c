// Models copy the parameter's schema and put the value into it. Leaves alone: an echo of nothing, of the schema's own
// description, or with more than one candidate.
import { type JsonObject, type JsonValue, isJsonObject } from '../../json/value.ts';
import { declaresKeys } from '../read-text.ts';
import { type Place, type Proposal, type ValueRule, refused, replaceBy, silent } from '../repair-rule.ts';

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
  notWhen:
    'the type is no type’s name; the description is the schema’s own; more than one candidate; an element of the list that is declared',
  propose(place) {
    const { value, types } = place;
    if (!isJsonObject(value) || types.has('object')) return silent;
    const shape = Object.keys(value).toSorted().join();
    if (shape === 'value') return holdsTextOrList(types) ? silent : replaceBy(value['value'] ?? null);
    if (!typeNames.has(value['type'])) return silent;
    if (types.has('array')) {
      const around = besideLists(place, value);
      if (around !== undefined) return around;
    }
    if (shape === 'type,value' || shape === 'description,type,value')
      return replaceBy(value['value'] ?? null);
    if (shape === 'description,type') return proposeDescription(place, value);
    return types.has('array') ? silent : refused;
  },
};

/** `{value}` alone may be meant as text, and where a list is declared another rule knows it. */
const holdsTextOrList = (types: Place['types']): boolean => types.has('string') || types.has('array');

const listNames: ReadonlySet<JsonValue | undefined> = new Set(['array', 'list']);

/** What else the object may be where a list is declared: an element, or an echo of another branch. undefined: nothing else. */
function besideLists(place: Place, value: JsonObject): Proposal | undefined {
  const { view, types, ask } = place;
  const saysList = listNames.has(value['type']);
  if (view.types.has('array')) {
    if (knowsType(place, value)) return silent;
    if (ask.accepts(view.items, value)) return saysList ? refused : silent;
  }
  const isAlone = [...types].every((type) => type === 'array' || type === 'null');
  return isAlone || saysList === view.types.has('array') ? undefined : refused;
}

/** Elements have a key of that name, or one that it is a spelling of. */
const knowsType = ({ view: { items }, ask }: Place, value: JsonObject): boolean =>
  declaresKeys(ask, items, ['type']) || ask.misspelt(ask.view(items), value).some(([key]) => key === 'type');

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
