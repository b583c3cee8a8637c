// Which entries of a file are tools? A list, a list under `tools` (as of `tools/list`), or one object a line.
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import { parseJson } from '../../json/reader/parse-json.ts';

const deepest = 200;

/** undefined for text that is neither JSON nor JSON lines. */
export function toolList(text: string): readonly JsonValue[] | undefined {
  const whole = read(text);
  if (whole !== undefined) return listIn(whole);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.flatMap((line) => read(line) ?? []);
  return lines.length > 0 && values.length === lines.length ? values : undefined;
}

function read(text: string): JsonValue | undefined {
  const reading = parseJson(text, deepest, 'approximate');
  return reading.kind === 'read' ? reading.value : undefined;
}

function listIn(value: JsonValue): readonly JsonValue[] | undefined {
  if (isJsonArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  const inner = ownValue(value, 'tools') ?? ownValue(value, 'result');
  return inner === undefined ? [value] : listIn(inner);
}
