import { nameKeys } from '../../notations/call-envelope.ts';
import { isSameName } from '../../notations/read-notation.ts';
import { isDeclaredKey } from '../read-text.ts';
import { ownValue } from '../../collections/objects.ts';
import { type JsonObject } from '../../json/value.ts';
import type { KeyEdit, ObjectRule, RuleContext } from '../repair-rule.ts';

/**
 * Models send in the root of a closed object an undeclared name, function, tool, tool_name,
 * functionName, toolName, function_name, action, method or recipient_name, whose value is this
 * tool’s name.
 * Becomes nothing: the key is left out.
 * Not when: the object is open; the key is a spelling of a declared one; any other value.
 */
export const dropToolName: ObjectRule = {
  id: 'drop_tool_name',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view, isRoot } = context;
    if (!isRoot || view.additionalProperties !== false) return [];
    const keys = keysWithToolName(context, value);
    if (keys.length === 0) return [];
    const misspelt = new Set(context.misspelt(view, value).map(([key]) => key));
    return keys
      .filter((key) => !isDeclaredKey(view, key) && !misspelt.has(key))
      .map((key): KeyEdit => ({ op: 'remove', key }));
  },
};

/** The keys of an object under which calls have their tool's name, and which hold this tool's. */
export const keysWithToolName = (
  { contract }: RuleContext,
  value: JsonObject,
): readonly string[] =>
  contract.isUnnamed === true
    ? []
    : [...nameKeys].filter((key) => {
        const sentValue = ownValue(value, key);
        return typeof sentValue === 'string' && isSameName(sentValue, contract.name);
      });
