import { isSameName } from '../notations/read-notation.ts';
import { isDeclaredKey } from '../read-text.ts';
import type { KeyEdit, ObjectRule } from '../repair-rule.ts';

const nameKeys =
  'name function tool tool_name functionName toolName function_name action method recipient_name'.split(' ');

export const dropToolName: ObjectRule = {
  id: 'drop_tool_name',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  sends:
    'in the root of a closed object an undeclared name, function, tool, tool_name, functionName, toolName, function_name, action, method or recipient_name, whose value is this tool’s name',
  becomes: 'nothing: the key is left out',
  notWhen: 'the object is open; the key is a spelling of a declared one; any other value',
  propose(context) {
    const { value, view, contract, isRoot } = context;
    if (!isRoot || view.additionalProperties !== false || contract.isUnnamed === true) return [];
    const misspelt = new Set(context.misspelt(view, value).map(([key]) => key));
    return nameKeys
      .filter((key) => {
        const sent = Object.hasOwn(value, key) ? value[key] : undefined;
        const isName = typeof sent === 'string' && isSameName(sent, contract.name);
        return isName && !isDeclaredKey(view, key) && !misspelt.has(key);
      })
      .map((key): KeyEdit => ({ op: 'remove', key }));
  },
};
