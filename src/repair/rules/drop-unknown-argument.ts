import { isNearName } from '../../json/nearest-name.ts';
import type { JsonObject } from '../../json/value.ts';
import type { SchemaView } from '../../schema/schema-view.ts';
import { isDeclaredKey } from '../read-text.ts';
import type { KeyEdit, ObjectRule } from '../repair-rule.ts';

/**
 * Models send an undeclared key in a closed object of a tool with `unknownArguments: strip`.
 * Becomes nothing: the key is left out, and the model gets a note.
 * Not when: the tool has another `unknownArguments`.
 */
export const dropUnknownArgument: ObjectRule = {
  id: 'drop_unknown_argument',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  notes: true,
  propose({ value, view, contract }) {
    const strips = view.strips || contract.unknownArguments === 'strip';
    if (!strips || view.additionalProperties !== false) return [];
    return Object.keys(value)
      .filter((key) => !isDeclaredKey(view, key) && absentNear(view, value, key) === undefined)
      .map((key): KeyEdit => ({ op: 'remove', key }));
  },
};

/** The declared key that was not sent and that an undeclared one probably misspells. */
export const absentNear = (
  { properties }: Pick<SchemaView, 'properties'>,
  value: JsonObject,
  key: string,
): string | undefined =>
  [...properties.keys()].find((name) => !Object.hasOwn(value, name) && isNearName(key, name));
