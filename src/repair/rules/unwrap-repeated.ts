import { spellingOf } from '../../json/key-spelling.ts';
import { isJsonObject } from '../../json/value.ts';
import { declaresKeys } from '../read-text.ts';
import { memberSchema } from '../../schema/schema-view.ts';
import { type ValueRule, replaceIfFits, skip } from '../repair-rule.ts';

/**
 * Models send a parameter’s object whose only key is the parameter’s own name, over an object with
 * declared keys.
 * Becomes the inner object, if it passes after repair.
 * Not when: the key is declared there, or any key is; the inner object is empty or has an
 * undeclared key.
 */
export const unwrapRepeated: ValueRule = {
  id: 'unwrap_repeated',
  level: 'value',
  answers: ['member'],
  sentTypes: ['object'],
  declaredTypes: ['object'],
  keys: ['undeclared'],
  keeps: 'lossless',
  propose(context) {
    const { value, view, name, isElement } = context;
    if (!isJsonObject(value) || name === undefined || isElement) return skip;
    const [[key, inner] = ['', null], ...others] = Object.entries(value);
    if (others.length > 0 || spellingOf(key) !== spellingOf(name) || !isJsonObject(inner))
      return skip;
    const isDeclared = view.properties.has(key) || typeof memberSchema(view, key) !== 'boolean';
    const keys = Object.keys(inner);
    if (isDeclared || keys.length === 0 || !declaresKeys(context, view.schema, keys)) return skip;
    return replaceIfFits(inner);
  },
};
