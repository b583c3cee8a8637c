// What of a call may be stored, and the digests by which calls are compared.
import { definitionError } from '../errors/definition-error.ts';
import { contractDigest, digestOf } from '../outcomes/digests.ts';
import type { CallStore } from '../store/call-store.ts';
import { argumentsWithoutSecrets, echoMaskOf } from '../outcomes/tool-result.ts';
import { type CallRecord, toRecord } from '../interpret/records.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import { pointerKeys, pointerTo } from '../json/pointers.ts';
import { attempt } from '../collections/attempt.ts';
import { memoize } from '../collections/memoize.ts';
import { objectOf } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import { holdsSecret, redact, redactPointer } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { viewsOf } from '../validate/validator.ts';
import type { AcceptedCall } from './interpreted-call.ts';

/** A digest of the arguments with their secrets. */
export const secretsDigest = (
  { tool, interpretation }: AcceptedCall,
  store: Pick<CallStore, 'secretDigest'>,
): string => store.secretDigest(canonicalJson([tool, interpretation.value]));

/** Whether two digests have the same key: only then do they show that secrets differ. */
export const areComparable = (one: string | undefined, other: string | undefined): boolean =>
  one?.split(':')[0] === other?.split(':')[0];

export const definitionDigest = memoize(contractDigest);

export const declaresSecrets = memoize((contract: ToolContract): boolean => {
  const views = viewsOf(contract);
  return holdsSecret(views, views.root);
});

/**
 * The record of a call without declared secrets, and without repairs of which a value may be one.
 */
export function recordOf(acceptedCall: AcceptedCall): CallRecord {
  const record = toRecord(acceptedCall);
  if (!declaresSecrets(acceptedCall.contract)) return record;
  const shownValues = argumentsWithoutSecrets(
    acceptedCall.contract,
    acceptedCall.interpretation.value,
  );
  // Models repeat a secret in their rationale.
  const mask = echoMaskOf(acceptedCall.contract, acceptedCall.interpretation.value);
  const hide = (text: string): string => mask?.text(text) ?? text;
  const repairs = record.repairs.map((repair) => ({
    ...repair,
    path: pointerKeys(redactPointer(viewsOf(acceptedCall.contract), repair.path))
      .map(hide)
      .reduce(pointerTo, ''),
    was: hide(repair.was),
    operations: [],
  }));
  const shownMeta = Object.entries(record.meta).map(
    ([name, value]) => [name, typeof value === 'string' ? hide(value) : value] as const,
  );
  const meta = objectOf(shownMeta);
  const notes = record.notes.map((note) => ({ ...note, text: hide(note.text) }));
  return Object.freeze({ ...record, arguments: JSON.stringify(shownValues), meta, repairs, notes });
}

const shownArguments = ({ contract, interpretation }: AcceptedCall): JsonValue =>
  declaresSecrets(contract)
    ? redact(viewsOf(contract), interpretation.value)
    : interpretation.value;

/** `sha256:…` of tool and arguments. Meta arguments are left out: models word a rationale anew. */
export function argumentsDigest(acceptedCall: AcceptedCall): string {
  const { tool, contract, interpretation } = acceptedCall;
  const exact = declaresSecrets(contract) ? undefined : interpretation.text;
  return digestOf([tool, exact ?? argumentsWithoutSecrets(contract, interpretation.value)]);
}

/**
 * A key that is long, or depends on a secret, becomes a digest. `keyOf` makes it from the
 * arguments.
 */
export function storedKey<Key extends string | undefined>(
  acceptedCall: AcceptedCall,
  store: CallStore,
  keyName: string,
  keyOf: (values: JsonObject) => Key,
): Key | string {
  const { contract, interpretation } = acceptedCall;
  const key = keyOf(interpretation.value);
  if (key === undefined) return key;
  const shortKey = key.length > maxKeyLength ? digestOf(key) : key;
  if (!declaresSecrets(contract)) return shortKey;
  const shownValues = shownArguments(acceptedCall);
  // The key may be one that can't be made without the secret.
  if (attempt(() => isJsonObject(shownValues) && keyOf(shownValues) === key) === true)
    return shortKey;
  if (store.sharesSecretsKey) return store.secretDigest(key);
  // Another process would have another digest, and run the call again.
  const what = `derives ${keyName} of ${contract.name} from a secret`;
  const instead =
    'write openJournal({ …, secretsKey }) with the same key in all processes, or derive it from other arguments';
  throw definitionError('ToolRegistry', what, instead);
}

/** Characters. PostgreSQL refuses long values in an index. */
const maxKeyLength = 500;

/** What a model was shown of a tool, for exports. */
export const definitionOf = memoize((contract: ToolContract): JsonObject => {
  const { name, description, inputSchema, effects, meta } = contract;
  const definition = {
    name,
    description,
    inputSchema,
    ...(effects === undefined ? {} : { effects }),
  };
  const { value } = writeJson({ ...definition, hasMeta: meta.length > 0 });
  return isJsonObject(value) ? value : {};
});

/** The arguments as sent; undefined for a value without a JSON form. */
export function sentText({ arguments: value }: ToolCall): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array)
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(value);
  return attempt(() => JSON.stringify(value));
}
