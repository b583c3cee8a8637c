import { type JsonObject, type JsonValue, isJsonObject } from '../../json/value.ts';
import { wordsInName } from '../../json/nearest-name.ts';
import { declaresKeys } from '../read-text.ts';
import {
  type Proposal,
  type RuleContext,
  type ValueRule,
  refuse,
  replaceWith,
  skip,
} from '../repair-rule.ts';

/** JSON Schema's names of types, and Python's. */
const typeNames: ReadonlySet<JsonValue | undefined> = new Set(
  'string number integer boolean array object null str int float bool list dict None'.split(' '),
);

/**
 * Models send `{type, value}`, `{type, description, value}`, `{description, type}` copied from the
 * schema around one value; `{value}` alone if no string is allowed.
 * Becomes the value.
 * Not when: the type is not the name of a type; the description is the schema’s own, or, if the
 * schema has none, has the parameter’s name among other words; more than one candidate; the object
 * may be an element of the declared array.
 */
export const echoedSchema: ValueRule = {
  id: 'echoed_schema',
  level: 'value',
  answers: ['type'],
  sentTypes: ['object'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, types } = context;
    if (!isJsonObject(value)) return skip;
    const shape = Object.keys(value).toSorted().join();
    if (types.has('object')) return isEchoBesideObjects(context, value) ? refuse : skip;
    // The object may be meant as text. For a list, `value` is a key that names the elements, so the
    // object is not an echo.
    if (shape === 'value' && (types.has('string') || types.has('array'))) return skip;
    if (shape === 'value') return replaceWith(value['value'] ?? null);
    if (!typeNames.has(value['type'])) return skip;
    if (types.has('array')) {
      const proposal = proposeBesideLists(context, value);
      if (proposal !== undefined) return proposal;
    }
    if (shape === 'type,value' || shape === 'description,type,value')
      return replaceWith(value['value'] ?? null);
    if (shape === 'description,type') return proposeDescription(context, value);
    return types.has('array') ? skip : refuse;
  },
};

/** Whether an object has the name of a type, as schemas have. */
export const hasTypeName = (value: JsonObject): boolean => typeNames.has(value['type']);

/** Whether an object looks like a parameter's schema, copied with or without a value. */
export const looksLikeEcho = (value: JsonObject): boolean =>
  hasTypeName(value) && Object.keys(value).every((key) => echoKeys.has(key));

const echoKeys: ReadonlySet<string> = new Set(['type', 'description', 'value']);

/**
 * Where an object may be meant, an echo of another branch is neither that branch's value nor an
 * element of its array.
 */
function isEchoBesideObjects(context: RuleContext, value: JsonObject): boolean {
  if (!looksLikeEcho(value)) return false;
  const { view } = context;
  const isElement = elementsDeclareType(context, value) || context.accepts(view.items, value);
  return !view.types.has('array') || !isElement;
}

const listNames: ReadonlySet<JsonValue | undefined> = new Set(['array', 'list']);

/**
 * Handles a declared list, of which the object may be an element, or the echo of another branch;
 * undefined if it is neither.
 */
function proposeBesideLists(context: RuleContext, value: JsonObject): Proposal | undefined {
  const { view, types } = context;
  const isListEcho = listNames.has(value['type']);
  if (view.types.has('array')) {
    if (elementsDeclareType(context, value)) return skip;
    if (context.accepts(view.items, value)) return isListEcho ? refuse : skip;
  }
  const isOnlyList = [...types].every((type) => type === 'array' || type === 'null');
  return isOnlyList || isListEcho === view.types.has('array') ? undefined : refuse;
}

/** Under the key `type`, or another spelling of it. */
function elementsDeclareType(context: RuleContext, value: JsonObject): boolean {
  const { items } = context.view;
  if (declaresKeys(context, items, ['type'])) return true;
  return context.misspelt(context.viewOf(items), value).some(([key]) => key === 'type');
}

function proposeDescription({ view, name }: RuleContext, { description }: JsonObject): Proposal {
  if (typeof description !== 'string') return refuse;
  const { description: ownDescription } = view.mergedSchema;
  const isEcho =
    ownDescription === undefined
      ? namesParameter(description, name)
      : wordsOf(description) === wordsOf(ownDescription);
  return isEcho ? refuse : replaceWith(description);
}

/** Text of several words with the parameter's name among them may describe the parameter. */
function namesParameter(description: string, name: string | undefined): boolean {
  const words = description.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const wordsOfName = name === undefined ? [] : wordsInName(name);
  return (
    words.length > 1 && wordsOfName.length > 0 && wordsOfName.every((word) => words.includes(word))
  );
}

/** A description is the schema's own in another case and without its full stop, too. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .split(/[\s.]+/)
    .join(' ')
    .trim();
