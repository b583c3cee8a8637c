// What is the JSON text of a value that the model sent, with every number spelled as it was?
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';

/** Two blanks a level. undefined where a number came as a value and is too large to be exact. */
export function sourceOf(value: JsonValue, numbers: NumberTexts): string | undefined {
  return write(value, { numbers, spelled: undefined, indent: '' });
}

interface Around {
  readonly numbers: NumberTexts;
  readonly spelled: string | undefined;
  readonly indent: string;
}

function write(value: JsonValue, around: Around): string | undefined {
  if (isJsonArray(value)) {
    const items = value.map((item, index) => member(value, item, String(index), around));
    return bracketed('[]', items, around);
  }
  if (isJsonObject(value)) return bracketed('{}', writeMembers(value, around), around);
  if (around.spelled !== undefined) return around.spelled;
  const isLost = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLost ? undefined : JSON.stringify(value);
}

const writeMembers = (object: JsonObject, around: Around): readonly (string | undefined)[] =>
  Object.keys(object).map((key) => {
    const written = member(object, object[key] ?? null, key, around);
    return written === undefined ? undefined : `${JSON.stringify(key)}: ${written}`;
  });

const member = (container: object, value: JsonValue, key: string, around: Around): string | undefined =>
  write(value, {
    numbers: around.numbers,
    spelled: around.numbers.textAt(container, key),
    indent: `${around.indent}  `,
  });

function bracketed(
  brackets: string,
  parts: readonly (string | undefined)[],
  { indent }: Around,
): string | undefined {
  const [open = '', close = ''] = brackets;
  if (parts.includes(undefined)) return undefined;
  return parts.length === 0
    ? brackets
    : `${open}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`;
}
