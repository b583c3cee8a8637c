// The entry of a call, which is stored before the call runs.
import type { InvalidArguments, UnknownTool } from '../outcomes/tool-outcome.ts';
import type { CallFacts, RejectedPlace } from '../store/call-figures.ts';
import type { NewEntry, CallStore } from '../store/call-store.ts';
import { placesOf, repairsOf } from './call-events.ts';
import type { CallOptions } from './call-options.ts';
import type { CallSettings, ReceivedCall, RunningCall } from './running-call.ts';
import {
  declaresSecrets,
  sentText,
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

/** An empty name is the same as none. */
const ownerOf = ({ tenant = '', conversation, turn }: CallOptions) => ({
  tenant,
  ...(conversation === undefined || conversation === '' ? {} : { conversation }),
  ...(turn === undefined || turn === '' ? {} : { turn }),
});

/**
 * The entry of an accepted call. `id`: a UUID that it has already. Throws what the author's
 * idempotency key function throws.
 */
export function entryOf(
  { acceptedCall, interpretedCall, options, settings, values }: RunningCall,
  id = randomId(),
): NewEntry {
  const { call, tool, contract } = acceptedCall;
  const { store, recording } = settings;
  const hasSecrets = declaresSecrets(contract);
  const sentArguments = hasSecrets ? undefined : sentText(call);
  const isCompared = recording === 'every_call';
  const key = isCompared ? idempotencyKeyOf(acceptedCall, store, values) : undefined;
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
    digest: isCompared ? argumentsDigest(acceptedCall) : '',
    ...factsOf(interpretedCall, contract, options, settings),
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
export function refusalEntry({
  interpretedCall,
  contract,
  options,
  settings,
}: Omit<ReceivedCall, 'listeners'>): NewEntry {
  const { call } = interpretedCall;
  const hasSecrets = contract === undefined || declaresSecrets(contract);
  const sentArguments = hasSecrets ? undefined : sentText(call);
  return {
    ...ownerOf(options),
    id: randomId(),
    callId: call.id,
    // Models make up names of any length.
    tool: contract?.name ?? shortenName(call.name),
    ...defined({ sent: sentArguments }),
    ...(interpretedCall.status === 'accepted' ? { call: recordOf(interpretedCall) } : {}),
    ...(contract === undefined ? {} : { contract: definitionDigest(contract) }),
    interpreter: interpreterVersion,
    digest: '',
    ...factsOf(interpretedCall, contract, options, settings),
    rerun: 'never',
    hasSecrets,
  };
}

/** What is counted of a call, as it came. */
function factsOf(
  interpretedCall: InterpretedCall,
  contract: ToolContract | undefined,
  { provider = interpretedCall.call.provider, run }: CallOptions,
  { release }: CallSettings,
): CallFacts {
  const { model } = interpretedCall.call;
  const facts = defined({
    model: model && shortenName(model),
    provider,
    run: run?.id && shortenName(run.id),
    release: release && shortenName(release),
  });
  if (interpretedCall.status !== 'accepted')
    return { ...facts, status: 'rejected', rules: [], issues: issuesOf(interpretedCall, contract) };
  const rules = [...new Set(repairsOf(interpretedCall).map(({ rule }) => rule))];
  return { ...facts, status: rules.length === 0 ? 'valid' : 'repaired', rules, issues: [] };
}

const issuesOf = (
  rejection: InvalidArguments | UnknownTool,
  contract: ToolContract | undefined,
): readonly RejectedPlace[] =>
  rejection.status === 'unknown_tool'
    ? [{ keyword: 'unknown_tool', path: '' }]
    : placesOf(rejection, contract).slice(0, maxIssues);

/** Issues of a call that are stored. */
const maxIssues = 50;
/** Characters of a name; PostgreSQL refuses long values in an index. */
const maxNameLength = 200;

const shortenName = (name: string): string => name.slice(0, maxNameLength).toWellFormed();

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
