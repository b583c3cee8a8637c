// Is what a store gives back a record of a call? Every member is looked at before anything is done with it.
import { RecordError } from '../../errors/record-error.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import { readPlainValue } from '../../json/plain-value.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import { recordFormat, recordVersion } from './call-record.ts';

/** What of a record is needed to drive the call again. */
export interface StoredCall {
  readonly id: string;
  readonly tool: string;
  readonly model: string | undefined;
  /** JSON text of an object. */
  readonly arguments: string;
  readonly meta: JsonObject;
}

/** Far deeper than what is accepted, so that it is the seam that refuses. */
const deepest = 256;

/** Throws a RecordError that names the member. */
export function readStoredCall(data: unknown): StoredCall {
  const reading = readPlainValue(data, deepest);
  if (reading.kind !== 'plain' || !isJsonObject(reading.value)) {
    throw wrong('', 'is no record', 'pass the object that toRecord made, parsed from JSON');
  }
  const record = reading.value;
  checkVersion(record);
  for (const member of ['repairs', 'notes']) {
    const list = ownValue(record, member);
    if (!isJsonArray(list) || !list.every((item) => isJsonObject(item) && typeof item['rule'] === 'string')) {
      throw wrong(member, 'is no list of what was done to the call', 'pass the record as toRecord made it');
    }
  }
  for (const member of ['requested', 'finishReason']) optionalText(record, member);
  return {
    id: textOf(record, 'id'),
    tool: textOf(record, 'tool'),
    model: optionalText(record, 'model'),
    arguments: argumentsOf(record),
    meta: metaOf(record),
  };
}

function checkVersion(record: JsonObject): void {
  if (ownValue(record, 'format') !== recordFormat) {
    throw wrong('format', `is not ${recordFormat}`, 'pass what toRecord made');
  }
  if (ownValue(record, 'version') !== recordVersion) {
    throw wrong(
      'version',
      `is not ${recordVersion}`,
      'read it with the toolmend that wrote it, or a newer one',
    );
  }
}

function optionalText(record: JsonObject, member: string): string | undefined {
  return Object.hasOwn(record, member) ? textOf(record, member) : undefined;
}

function textOf(record: JsonObject, member: string): string {
  const text = ownValue(record, member);
  if (typeof text === 'string') return text;
  throw wrong(member, 'is no text', 'pass the record as toRecord made it');
}

function argumentsOf(record: JsonObject): string {
  const text = textOf(record, 'arguments');
  const reading = parseJson(text, deepest, 'exact');
  if (reading.kind === 'read' && isJsonObject(reading.value) && reading.repeatedKeys.length === 0)
    return text;
  throw wrong('arguments', 'is no JSON text of an object', 'pass the record as toRecord made it');
}

/** By names that are keys without their underscore: anything else would come back as another key. */
function metaOf(record: JsonObject): JsonObject {
  const meta: JsonValue | undefined = ownValue(record, 'meta');
  if (isJsonObject(meta) && !Object.values(meta).includes(null)) return meta;
  throw wrong('meta', 'is no object of values', 'pass the record as toRecord made it');
}

const wrong = (member: string, what: string, instead: string): RecordError =>
  new RecordError(member, `The record${member === '' ? '' : `'s ${member}`} ${what}: ${instead}.`);
