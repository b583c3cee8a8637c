// When are two calls the same one? When they say the same, however it is written.
import { decodeBytes, isBytes } from '../../decode/decode-bytes.ts';
import { fingerprintOf } from '../../json/fingerprint.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { readPlainValue } from '../../json/plain-value.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import type { Rejected } from '../interpretation.ts';

const deepest = 64;

/** The same for arguments with the same value, whatever the order of their keys and the blanks between them. */
export function argumentsFingerprint(sent: unknown): string {
  if (typeof sent === 'string') return fingerprintOf(formOfText(sent));
  if (isBytes(sent)) {
    const reading = decodeBytes(sent);
    return fingerprintOf(reading.kind === 'text' ? formOfText(reading.text) : reading.kind);
  }
  const reading = readPlainValue(sent, deepest);
  return fingerprintOf(reading.kind === 'plain' ? formOf(reading.value) : reading.kind);
}

/** The same for rejections with the same issues. */
export const wayOf = ({ issues }: Rejected): string =>
  fingerprintOf(JSON.stringify(issues.map(({ keyword, path, key }) => [keyword, path, key ?? null])));

/** Numbers of more digits than JavaScript keeps are told apart by their text. */
function formOfText(text: string): string {
  const reading = parseJson(text, deepest, 'approximate');
  return reading.kind === 'read' && !reading.numbers.lossy ? formOf(reading.value) : text.trim();
}

/** JSON with sorted keys. */
function formOf(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(formOf).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${formOf(member)}`);
  return `{${members.toSorted().join(',')}}`;
}
