import { objectOf } from '../../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonObject, sameValue } from '../../json/value.ts';
import { memberSchema } from '../../schema/schema-view.ts';
import { envelopeKeys, nameKeys } from '../../notations/call-envelope.ts';
import { startsLikeContainer } from '../read-text.ts';
import {
  type RuleContext,
  type ValueRule,
  decodeTo,
  refuse,
  replaceWith,
  skip,
} from '../repair-rule.ts';

/**
 * Models send beside declared keys one undeclared arguments, args, input, parameters, params or
 * kwargs, with an object (or its JSON text) all of whose keys are declared.
 * Becomes one object of both.
 * Not when: a key in both with different values (two readings: refused); an undeclared key in it or
 * beside it; two such keys; an empty object; beside it only a name that may be another tool’s.
 */
export const mergeEnvelope: ValueRule = {
  id: 'merge_envelope',
  level: 'value',
  answers: ['root'],
  sentTypes: ['object'],
  keys: ['undeclared'],
  keeps: 'lossless',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value: root, view } = context;
    if (!isJsonObject(root)) return skip;
    const [key, ...others] = Object.keys(root).filter((name) => !view.properties.has(name));
    if (key === undefined || others.length > 0 || !envelopeKeys.has(key)) return skip;
    const sentValue = root[key];
    const isText = typeof sentValue === 'string' && startsLikeContainer(sentValue);
    const inner = isText ? context.read(sentValue) : sentValue;
    if (!isJsonObject(inner)) return skip;
    const keys = Object.keys(inner);
    if (keys.length === 0 || keys.some((name) => !view.properties.has(name))) return skip;
    const otherMembers = Object.entries(root).filter(([name]) => name !== key);
    if (otherMembers.some(([name, value]) => !isSame(inner, name, value))) return refuse;
    if (
      otherMembers.length === 1 &&
      otherMembers.every(([name, value]) => mayNameTool(context, name, value))
    )
      return refuse;
    const mergedObject = objectOf([...Object.entries(inner), ...otherMembers]);
    return isText ? decodeTo(mergedObject) : replaceWith(mergedObject);
  },
};

/** Whether the object may be another tool's call. A member of an enum is an argument. */
const mayNameTool = (context: RuleContext, name: string, value: JsonValue): boolean =>
  nameKeys.has(name) &&
  typeof value === 'string' &&
  context.viewOf(memberSchema(context.view, name)).members?.includes(value) !== true;

const isSame = (inner: JsonObject, name: string, value: JsonValue): boolean =>
  !Object.hasOwn(inner, name) || sameValue(inner[name] ?? null, value);
