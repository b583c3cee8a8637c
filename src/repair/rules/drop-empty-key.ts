import { type JsonValue, isJsonArray, isJsonObject } from '../../json/value.ts';
import { isDeclaredKey } from '../read-text.ts';
import type { KeyEdit, ObjectRule } from '../repair-rule.ts';

export const dropEmptyKey: ObjectRule = {
  id: 'drop_empty_key',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  hidesMovedClosers: true,
  sends: 'an unknown key of a closed object with null, `""`, `{}` or `[]`; the key `""` with an empty value',
  becomes: 'nothing: the key is left out',
  notWhen:
    'the value holds anything; the key doesn’t look like a name (letters, digits, `_ - . $`, at most 64)',
  propose({ value, view }) {
    if (view.additionalProperties !== false) return [];
    return Object.keys(value)
      .filter(
        (key) =>
          !isDeclaredKey(view, key) && /^[\p{L}\p{N}_\-.$]{0,64}$/u.test(key) && isEmpty(value[key] ?? null),
      )
      .map((key): KeyEdit => ({ op: 'remove', key }));
  },
};

const isEmpty = (value: JsonValue): boolean =>
  value === null ||
  value === '' ||
  (isJsonArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);
