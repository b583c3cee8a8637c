import { isContainer } from '../../collections/objects.ts';
import { spellingOf } from '../../json/key-spelling.ts';
import { pointerTo } from '../../json/pointers.ts';
import { isJsonObject } from '../../json/value.ts';
import { type ValueRule, skip } from '../repair-rule.ts';

/**
 * Models send `{item: x}`, `{value: x}` or `{element: x}` as an element of an array of scalars.
 * Becomes x; the model gets a note.
 * Not when: x is an object or an array; the elements may be one; a destructive tool.
 */
export const itemToScalar: ValueRule = {
  id: 'item_to_scalar',
  level: 'value',
  answers: ['type'],
  sentTypes: ['object'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  notes: true,
  notBeside: [],
  propose({ value, isElement, types }) {
    if (!isElement || !isJsonObject(value) || types.has('object') || types.has('array'))
      return skip;
    const [entry, ...others] = Object.entries(value);
    if (entry === undefined || others.length > 0) return skip;
    const [key, inner] = entry;
    if (!elementKeys.has(spellingOf(key)) || isContainer(inner)) return skip;
    return { kind: 'replace', value: inner, from: pointerTo('', key) };
  },
};

/** What XML and templates call an element of any list. */
const elementKeys: ReadonlySet<string> = new Set(['item', 'value', 'element']);
