// How does Python print a value? As models write it that have seen more Python than JSON.
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';

/** undefined where a text would need an escape, which Python writes in other ways than JSON. */
export function pythonText(value: JsonValue): string | undefined {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return /^[^'\\\p{C}]*$/u.test(value) ? `'${value}'` : undefined;
  if (isJsonArray(value)) return joined('[', value.map(pythonText), ']');
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).map(([key, member]) => {
    const [name, text] = [pythonText(key), pythonText(member)];
    return name === undefined || text === undefined ? undefined : `${name}: ${text}`;
  });
  return joined('{', members, '}');
}

const joined = (open: string, parts: readonly (string | undefined)[], close: string): string | undefined =>
  parts.includes(undefined) ? undefined : `${open}${parts.join(', ')}${close}`;
