// The entry of a call, which is stored before the call runs.
import type { NewEntry, CallStore } from '../store/call-store.ts';
import type { CallOptions } from './call-options.ts';
import type { RunningCall } from './running-call.ts';
import {
  declaresSecrets,
  recordOf,
  definitionDigest,
  argumentsDigest,
  secretsDigest,
  storedKey,
} from './call-digests.ts';
import { randomId } from '../platform/random-id.ts';
import { defined } from '../collections/objects.ts';
import {
  interpreterVersion,
  type ToolContract,
  type ApplicationContext,
} from '../tool/tool-contract.ts';
import type { InterpretedCall, AcceptedCall } from './interpreted-call.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { attempt } from '../collections/attempt.ts';

/** An empty name is the same as none. */
const ownerOf = ({ tenant = '', conversation, turn }: CallOptions) => ({
  tenant,
  ...(conversation === undefined || conversation === '' ? {} : { conversation }),
  ...(turn === undefined || turn === '' ? {} : { turn }),
});

/** The entry of an accepted call. Throws what the author's idempotency key function throws. */
export function entryOf({ acceptedCall, options, settings, values }: RunningCall): NewEntry {
  const { call, tool, contract } = acceptedCall;
  const { store, recording } = settings;
  const hasSecrets = declaresSecrets(contract);
  const sentArguments = hasSecrets ? undefined : sentText(call);
  const isCompared = recording === 'every_call';
  const key = isCompared ? idempotencyKeyOf(acceptedCall, store, values) : undefined;
  const id = randomId();
  return {
    ...ownerOf(options),
    // Each call of a tool that polls is one of its own.
    ...(contract.execution?.polls === true || !isCompared ? { turn: id } : {}),
    id,
    // Some providers send no ids: such calls are not the same.
    callId: call.id === '' ? id : call.id,
    tool,
    ...defined({ sent: sentArguments }),
    call: recordOf(acceptedCall),
    contract: definitionDigest(contract),
    interpreter: interpreterVersion,
    digest: argumentsDigest(acceptedCall),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    rerun: !hasSecrets && mayRunAgain(contract) ? 'allowed' : 'never',
    hasSecrets,
    ...(hasSecrets ? { secrets: secretsDigest(acceptedCall, store) } : {}),
  };
}

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
  const sentArguments = hasSecrets ? undefined : sentText(call);
  return {
    ...ownerOf(options),
    id: randomId(),
    callId: call.id,
    tool: contract?.name ?? call.name,
    ...defined({ sent: sentArguments }),
    ...(interpreted.status === 'accepted' ? { call: recordOf(interpreted) } : {}),
    ...(contract === undefined ? {} : { contract: definitionDigest(contract) }),
    interpreter: interpreterVersion,
    digest: '',
    rerun: 'never',
    hasSecrets,
  };
}

const mayRunAgain = ({ effects, execution }: ToolContract): boolean =>
  effects === 'read' || execution?.idempotent === true || execution?.transactional === true;

function idempotencyKeyOf(
  acceptedCall: AcceptedCall,
  store: CallStore,
  values: ApplicationContext,
): string | undefined {
  return storedKey(acceptedCall, store, 'the idempotency key', (keyValues) => {
    const key = acceptedCall.contract.execution?.idempotencyKey?.(keyValues, values);
    if (key === undefined || key === null) return undefined;
    return typeof key === 'string' ? key : canonicalJson(writeJson(key).value);
  });
}

/** The arguments as sent; undefined for a value without a JSON form. */
function sentText({ arguments: value }: ToolCall): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array)
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(value);
  return attempt(() => JSON.stringify(value));
}
