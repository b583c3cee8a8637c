// Is what a store or a web page gives back an approval? Every member is looked at before anything is done with it.
import { RecordError } from '../../errors/record-error.ts';
import { fromRecord } from '../../interpret/records/from-record.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import { readPlainValue } from '../../json/plain-value.ts';
import { approvalFormat, approvalVersion, type PendingApproval } from './pending-approval.ts';

const deepest = 256;
const instead = 'pass the approval of a waiting call, parsed from JSON';

/** Throws a RecordError for anything that no waiting call had. */
export function readApproval(data: unknown): PendingApproval {
  const reading = readPlainValue(data, deepest);
  const approval = reading.kind === 'plain' ? reading.value : undefined;
  if (!isJsonObject(approval)) throw new RecordError('', `The approval is none: ${instead}.`);
  if (!isApproval(approval)) throw wrong(approval);
  fromRecord(approval.call);
  return approval;
}

const texts = ['id', 'digest', 'contract', 'expiresAt'];

const isApproval = (approval: JsonObject): approval is JsonObject & PendingApproval =>
  firstWrong(approval) === undefined;

function firstWrong(approval: JsonObject): string | undefined {
  if (ownValue(approval, 'format') !== approvalFormat) return 'format';
  if (ownValue(approval, 'version') !== approvalVersion) return 'version';
  if (!isJsonObject(ownValue(approval, 'call'))) return 'call';
  if (Object.hasOwn(approval, 'scope') && typeof approval['scope'] !== 'string') return 'scope';
  const missing = texts.find((member) => typeof ownValue(approval, member) !== 'string');
  return missing ?? (isDate(ownValue(approval, 'expiresAt')) ? undefined : 'expiresAt');
}

const isDate = (text: JsonValue | undefined): boolean =>
  typeof text === 'string' && !Number.isNaN(Date.parse(text));

function wrong(approval: JsonObject): RecordError {
  const member = firstWrong(approval) ?? '';
  return new RecordError(member, `The approval's ${member} is not what it was: ${instead}.`);
}
