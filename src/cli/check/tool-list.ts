// Which entries of a file are tools? A list, a list under `tools` (as of `tools/list`), or one object a line.
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import { parseJson } from '../../json/reader/parse-json.ts';

const deepest = 200;

export interface ToolList {
  readonly entries: readonly JsonValue[];
  /** Lines that are no JSON, counted from 1. */
  readonly broken: readonly number[];
}

/** undefined for text that is neither JSON nor JSON lines. */
export function toolList(text: string): ToolList | undefined {
  const whole = read(text);
  if (whole !== undefined) {
    const entries = listIn(whole);
    return entries === undefined ? undefined : { entries, broken: [] };
  }
  const lines = text.split('\n').map((line) => ({ isEmpty: line.trim() === '', value: read(line) }));
  // A document over several lines is no list of lines that are broken.
  const first = lines.find(({ isEmpty }) => !isEmpty)?.value;
  if (first === undefined || !isJsonObject(first)) return undefined;
  return {
    entries: lines.flatMap(({ value }) => value ?? []),
    broken: lines.flatMap(({ isEmpty, value }, index) => (isEmpty || value !== undefined ? [] : [index + 1])),
  };
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
