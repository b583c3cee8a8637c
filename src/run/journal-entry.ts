// The entry of a call, which the journal writes before the call runs.
import { definitionError } from '../errors/definition-error.ts';
import { contractDigest, digestOf } from '../execute/digests.ts';
import type { Journal, NewEntry } from '../store/journal.ts';
import { argumentsWithoutSecrets, echoMaskOf } from '../execute/tool-result.ts';
import { type CallRecord, toRecord } from '../interpret/records.ts';
import type { ToolCall } from '../providers/tool-call.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import { attempt } from '../collections/attempt.ts';
import { memoize } from '../collections/memoize.ts';
import { defined, objectOf } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import { randomId } from '../platform/random-id.ts';
import { holdsSecret, redact } from '../tool/secrets.ts';
import {
  type ApplicationContext,
  type ToolContract,
  interpreterVersion,
} from '../tool/tool-contract.ts';
import { viewsOf } from '../validate/validator.ts';
import type { CallOptions } from './call-options.ts';
import type { AcceptedCall, InterpretedCall } from './interpreted-call.ts';

/** Without a journal, an empty name is the same as none. */
const ownerOf = ({ tenant = '', conversation, turn }: CallOptions) => ({
  tenant,
  ...(conversation === undefined || conversation === '' ? {} : { conversation }),
  ...(turn === undefined || turn === '' ? {} : { turn }),
});

/** The entry of an accepted call. Throws what the author's idempotency key function throws. */
export function entryOf(
  accepted: AcceptedCall,
  options: CallOptions,
  { journal, values }: { readonly journal: Journal; readonly values: ApplicationContext },
): NewEntry {
  const { call, tool, contract } = accepted;
  const hasSecrets = declaresSecrets(contract);
  const sent = hasSecrets ? undefined : sentText(call);
  const key = idempotencyKeyOf(accepted, journal, values);
  const id = randomId();
  return {
    ...ownerOf(options),
    // Each call of a tool that polls is one of its own.
    ...(contract.execution?.polls === true ? { turn: id } : {}),
    id,
    // Some providers send no ids: such calls are not the same.
    callId: call.id === '' ? id : call.id,
    tool,
    ...defined({ sent }),
    call: recordOf(accepted),
    contract: definitionDigest(contract),
    interpreter: interpreterVersion,
    digest: argumentsDigest(accepted),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    rerun: !hasSecrets && mayRunAgain(contract) ? 'allowed' : 'never',
    hasSecrets,
    ...(hasSecrets ? { secrets: secretsDigest(accepted, journal) } : {}),
  };
}

/** A digest of the arguments with their secrets. */
export const secretsDigest = (
  { tool, interpretation }: AcceptedCall,
  journal: Pick<Journal, 'secretDigest'>,
): string => journal.secretDigest(canonicalJson([tool, interpretation.value]));

/** Whether two digests have the same key: only then do they show that secrets differ. */
export const areComparable = (one: string | undefined, other: string | undefined): boolean =>
  one?.split(':')[0] === other?.split(':')[0];

export const definitionDigest = memoize(contractDigest);

const mayRunAgain = ({ effects, execution }: ToolContract): boolean =>
  effects === 'read' || execution?.idempotent === true || execution?.transactional === true;

export const declaresSecrets = memoize((contract: ToolContract): boolean => {
  const views = viewsOf(contract);
  return holdsSecret(views, views.root);
});

/**
 * The record of a call without declared secrets, and without repairs of which a value may be one.
 */
export function recordOf(accepted: AcceptedCall): CallRecord {
  const record = toRecord(accepted);
  if (!declaresSecrets(accepted.contract)) return record;
  const shown = argumentsWithoutSecrets(accepted.contract, accepted.interpretation.value);
  // Models repeat a secret in their rationale.
  const mask = echoMaskOf(accepted.contract, accepted.interpretation.value);
  const hide = (text: string): string => mask?.text(text) ?? text;
  const repairs = record.repairs.map((repair) => ({
    ...repair,
    was: hide(repair.was),
    operations: [],
  }));
  const shownMeta = Object.entries(record.meta).map(
    ([name, value]) => [name, typeof value === 'string' ? hide(value) : value] as const,
  );
  const meta = objectOf(shownMeta);
  const notes = record.notes.map((note) => ({ ...note, text: hide(note.text) }));
  return Object.freeze({ ...record, arguments: JSON.stringify(shown), meta, repairs, notes });
}

const shownArguments = ({ contract, interpretation }: AcceptedCall): JsonValue =>
  declaresSecrets(contract)
    ? redact(viewsOf(contract), interpretation.value)
    : interpretation.value;

/** `sha256:…` of tool and arguments. Meta arguments are left out: models word a rationale anew. */
export function argumentsDigest(accepted: AcceptedCall): string {
  const { tool, contract, interpretation } = accepted;
  const exact = declaresSecrets(contract) ? undefined : interpretation.text;
  return digestOf([tool, exact ?? argumentsWithoutSecrets(contract, interpretation.value)]);
}

function idempotencyKeyOf(
  accepted: AcceptedCall,
  journal: Journal,
  values: ApplicationContext,
): string | undefined {
  return storedKey(accepted, journal, 'the idempotency key', (given) => {
    const key = accepted.contract.execution?.idempotencyKey?.(given, values);
    if (key === undefined || key === null) return undefined;
    return typeof key === 'string' ? key : canonicalJson(writeJson(key).value);
  });
}

/**
 * A key that is long, or depends on a secret, becomes a digest. `keyOf` makes it from the
 * arguments.
 */
export function storedKey<Key extends string | undefined>(
  accepted: AcceptedCall,
  journal: Journal,
  named: string,
  keyOf: (given: JsonObject) => Key,
): Key | string {
  const { contract, interpretation } = accepted;
  const key = keyOf(interpretation.value);
  if (key === undefined) return key;
  const stored = key.length > longestKey ? digestOf(key) : key;
  if (!declaresSecrets(contract)) return stored;
  const shown = shownArguments(accepted);
  // The key may be one that can't be made without the secret.
  if (attempt(() => isJsonObject(shown) && keyOf(shown) === key) === true) return stored;
  if (journal.sharesSecretsKey) return journal.secretDigest(key);
  // Another process would have another digest, and run the call again.
  const what = `derives ${named} of ${contract.name} from a secret`;
  const instead =
    'write openJournal({ …, secretsKey }) with the same key in all processes, or derive it from other arguments';
  throw definitionError('ToolRegistry', what, instead);
}

/** Characters. PostgreSQL refuses long values in an index. */
const longestKey = 500;

/** The arguments as sent; undefined for a value without a JSON form. */
function sentText({ arguments: sent }: ToolCall): string | undefined {
  if (typeof sent === 'string') return sent;
  if (sent instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(sent);
  return attempt(() => JSON.stringify(sent));
}

/** What a model was shown of a tool, for exports. */
export const definitionOf = memoize((contract: ToolContract): JsonObject => {
  const { name, description, inputSchema, effects, meta } = contract;
  const shown = { name, description, inputSchema, ...(effects === undefined ? {} : { effects }) };
  const { value } = writeJson({ ...shown, hasMeta: meta.length > 0 });
  return isJsonObject(value) ? value : {};
});

/**
 * The entry of a call that was not accepted, or that a limit refused. `contract`: undefined if no
 * tool has the name.
 */
export function refusalEntry(
  interpreted: InterpretedCall,
  contract: ToolContract | undefined,
  options: CallOptions,
): NewEntry {
  const { call } = interpreted;
  const hasSecrets = contract === undefined || declaresSecrets(contract);
  const sent = hasSecrets ? undefined : sentText(call);
  return {
    ...ownerOf(options),
    id: randomId(),
    callId: call.id,
    tool: contract?.name ?? call.name,
    ...defined({ sent }),
    ...(interpreted.status === 'accepted' ? { call: recordOf(interpreted) } : {}),
    ...(contract === undefined ? {} : { contract: definitionDigest(contract) }),
    interpreter: interpreterVersion,
    digest: '',
    rerun: 'never',
    hasSecrets,
  };
}
