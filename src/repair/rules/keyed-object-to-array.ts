import { spellingOf } from '../../json/key-spelling.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../json/value.ts';
import {
  declaresAnyKey,
  declaresKeys,
  isContainerText,
  cannotBeElement,
  lastWordOf,
  neutralListKeys,
  startsLikeContainer,
} from '../read-text.ts';
import {
  type Proposal,
  type RuleContext,
  type ValueRule,
  refuse,
  replaceWith,
  skip,
} from '../repair-rule.ts';

/**
 * Models send an object with one key instead of an array: the field’s name, its singular, its last
 * word, or item, value, element and their plurals; around one scalar also path, file, filepath,
 * filename in an array of paths, and url, uri, href, link in an array named after one of these; the
 * same key again inside; or an object whose keys count from 0 or 1.
 * Becomes its value, as the array or as the one element; the array of its values.
 * Not when: any other key; the object is itself a valid element that declares the key; a neutral
 * key or an index over elements that declare no keys (two readings: refused); one scalar, if the
 * place takes one by itself, too (two readings: refused); in an array of
 * arrays, two or more elements of an inner array under any key but a singular of the field’s name
 * (two readings: refused).
 */
export const keyedObjectToArray: ValueRule = {
  id: 'keyed_object_to_array',
  level: 'value',
  answers: ['type'],
  declaredTypes: ['array'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view, types } = context;
    if (types.has('object') || !isJsonObject(value)) return skip;
    const keys = Object.keys(value);
    if (countsUp(keys)) return proposeValues(context, value, keys);
    const [entry, ...others] = Object.entries(value);
    if (entry === undefined || others.length > 0) return skip;
    const [key, inner] = entry;
    const namesElement = isFieldName(context, key) || isElementName(context, key, inner);
    if (!namesElement && !neutralListKeys.has(spellingOf(key))) return skip;
    if (context.accepts(view.items, value)) {
      if (declaresKeys(context, view.items, [key])) return skip;
      if (!namesElement && !declaresAnyKey(context, view.items)) return refuse;
    }
    return proposeInner(context, key, inner);
  },
};

/**
 * Whether keys are 0 to n-1, or 1 to n. Objects have such keys in this order, however they were
 * sent.
 */
const countsUp = (keys: readonly string[]): boolean =>
  keys.length > 0 &&
  [0, 1].some((first) => keys.every((key, index) => key === String(first + index)));

function proposeValues(context: RuleContext, value: JsonObject, keys: readonly string[]): Proposal {
  const { items } = context.view;
  if (keys.some((key) => declaresKeys(context, items, [key]))) return skip;
  // The object may be an element, or it may contain the elements.
  if (context.accepts(items, value) && !declaresAnyKey(context, items)) return refuse;
  return replaceWith(Object.values(value));
}

function proposeInner(context: RuleContext, key: string, inner: JsonValue): Proposal {
  if (isJsonArray(inner)) {
    if (!isOnlyElement(context, inner)) return replaceWith(inner);
    // Under a singular, it is the one element. Else it may also be the list, with elements that
    // lack their brackets; for a list of one, that is the same value.
    const isOne = inner.length === 1 || isSingular(context, key);
    return isOne && !inner.some(isJsonArray) ? replaceWith([inner]) : refuse;
  }
  // Text that spells the list is read next; other text that wrap_in_array refuses is refused here.
  if (typeof inner === 'string' && cannotBeElement(inner, context.isPath()))
    return startsLikeContainer(inner) ? replaceWith(inner) : refuse;
  if (isJsonObject(inner)) {
    const [firstMember, ...others] = Object.entries(inner);
    const isSameKey =
      firstMember !== undefined &&
      others.length === 0 &&
      spellingOf(firstMember[0]) === spellingOf(key);
    if (isSameKey && !declaresKeys(context, context.view.items, [firstMember[0]]))
      return proposeInner(context, key, firstMember[1]);
  }
  return inner === null || mayBeWhole(context, inner) ? refuse : replaceWith([inner]);
}

/** Whether a value may also be meant by itself, because the place takes one. */
function mayBeWhole({ types }: RuleContext, inner: JsonValue): boolean {
  if (typeof inner === 'boolean') return types.has('boolean');
  if (typeof inner === 'object') return false;
  return types.has('string') || types.has('number') || types.has('integer');
}

/** The list's own name, the last word of it, or a singular of them, in any spelling. */
const isFieldName = (context: RuleContext, key: string): boolean =>
  isSingular(context, key) || listNames(context).map(spellingOf).includes(spellingOf(key));

const isSingular = (context: RuleContext, key: string): boolean =>
  listNames(context).flatMap(singularsOf).map(spellingOf).includes(spellingOf(key));

const listNames = ({ name }: RuleContext): readonly string[] =>
  name === undefined ? [] : [name, lastWordOf(name)];

/**
 * The English singulars of a plural: `entry`, `entri` and `entrie` of `entries`, `box` and `boxe`
 * of `boxes`.
 */
export function singularsOf(plural: string): readonly string[] {
  const forms = [
    [/ies$/i, 'y'],
    [/es$/i, ''],
    [/(?<!s)s$/i, ''],
  ] as const;
  return forms.flatMap(([ending, singular]) =>
    ending.test(plural) ? [plural.replace(ending, singular)] : [],
  );
}

const pathKeys: ReadonlySet<string> = new Set(['path', 'file', 'filepath', 'filename']);
const addressKeys: ReadonlySet<string> = new Set(['url', 'uri', 'href', 'link']);

/** A key that says what one scalar element is: a path or an address. */
function isElementName(context: RuleContext, key: string, inner: JsonValue): boolean {
  const { name } = context;
  if (typeof inner === 'object') return false;
  const spelling = spellingOf(key);
  if (context.isPath() && pathKeys.has(spelling)) return true;
  const last = name === undefined ? '' : lastWordOf(name).toLowerCase();
  return addressKeys.has(spelling) && [...addressKeys].some((word) => last === `${word}s`);
}

/**
 * Whether a list is the one element of a list of lists. Text of lists in it is that of the
 * elements.
 */
const isOnlyElement = (context: RuleContext, inner: JsonArray): boolean =>
  !inner.some((element) => typeof element === 'string' && isContainerText(element)) &&
  context.accepts(context.view.items, inner) &&
  !context.accepts(context.view.schema, inner);
