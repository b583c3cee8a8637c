import type { Client } from '@modelcontextprotocol/client';
import { checkOptions } from '../../options/check-options.ts';
import {
  type DefinitionProblem,
  definitionError,
  DefinitionError,
} from '../../errors/definition-error.ts';
import { printable } from '../../json/preview.ts';
import { canonicalJson, writeJson } from '../../json/serialize.ts';
import { memberOf } from '../../collections/objects.ts';
import { spellingOf } from '../../json/key-spelling.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import { notify } from '../../telemetry/tool-event.ts';
import {
  type FirstSdkClient,
  type ToolClient,
  anyResult,
  firstSdkClient,
  isOfFirstSdk,
  listChanged,
} from './first-sdk.ts';
import { sendCall } from './remote-call.ts';
import { overlayProblems, remoteContract } from './remote-contract.ts';
import {
  type LeftOutTool,
  type ListedTool,
  type RemoteOptions,
  type ToolListChange,
  registeredName,
  remoteOptionKinds,
} from './remote-options.ts';

/** The tools of a server in a registry. */
export interface RegisteredRemoteTools {
  /** The names in the registry. */
  readonly names: readonly string[];
  readonly leftOut: readonly LeftOutTool[];
  /** Lists the tools again, and registers what has changed. Never rejects. */
  refresh(): Promise<ToolListChange>;
  /**
   * Stops following the list, and removes the tools from the registry. The client stays connected.
   */
  close(): Promise<void>;
}

/**
 * Registers the tools of the server that the client, of SDK 2 or 1, is connected to. Calls are
 * validated and repaired by the server's schemas before they are sent. A tool with an unusable
 * schema or name is left out. Rejects with the client's error if the tools can't be listed, and
 * with a DefinitionError for an overlay that doesn't fit the tools or a name that is taken; then no
 * tool is registered.
 */
export async function registerRemoteTools(
  tools: ToolRegistry,
  client: Client | FirstSdkClient,
  options: RemoteOptions = {},
): Promise<RegisteredRemoteTools> {
  checkOptions('registerRemoteTools', options, remoteOptionKinds);
  return RemoteTools.start(tools, toolClient(client), options);
}

function toolClient(client: Client | FirstSdkClient): ToolClient {
  if ('getProtocolEra' in client) return client;
  if (isOfFirstSdk(client, 'getProtocolEra')) return firstSdkClient(client);
  const what = 'was given something that is not a client';
  throw definitionError('registerRemoteTools', what, 'write registerRemoteTools(tools, client)');
}

interface ListedTools {
  readonly tools: readonly ListedTool[];
  readonly leftOut: readonly LeftOutTool[];
}

/**
 * In the order of the server. Of tools with the same name, the first. Rejects with the client's
 * error.
 */
async function listRemoteTools(client: ToolClient): Promise<ListedTools> {
  const entries = await listedEntries(client);
  const tools = new Map<string, ListedTool>();
  const leftOut: LeftOutTool[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = memberOf(entry, 'name');
    const tool = typeof name === 'string' ? printable(name) : `tool ${index + 1}`;
    if (!isTool(entry))
      leftOut.push({ tool, reason: 'it has no name, or no input schema of an object' });
    else if (tools.has(entry.name))
      leftOut.push({ tool, reason: 'the server lists another tool of that name before it' });
    else tools.set(entry.name, entry);
  }
  return { tools: [...tools.values()], leftOut };
}

/**
 * All entries of all pages, valid or not. The client refuses a list with an invalid entry; then it
 * is read without the client's checks.
 */
async function listedEntries(
  client: ToolClient,
  options: { readonly timeout?: number } = {},
): Promise<readonly unknown[]> {
  try {
    const { tools } = await client.listTools(undefined, { ...options, cacheMode: 'refresh' });
    return tools;
  } catch (error) {
    const code = memberOf(error, 'code');
    if (code !== invalidList && code !== endlessList) throw error;
    const { entries, isWhole } = await rawEntries(client);
    if (!isWhole && code === endlessList) throw error;
    return entries;
  }
}

/** The client's error codes for a list that it refuses. */
const invalidList = 'INVALID_RESULT';
const endlessList = 'LIST_PAGINATION_EXCEEDED';

const maxPages = 64;

async function rawEntries(client: ToolClient) {
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer: unknown = await client.request({ method: 'tools/list', params }, anyResult);
    const tools: unknown = memberOf(answer, 'tools');
    if (Array.isArray(tools)) entries.push(...tools);
    const next: unknown = memberOf(answer, 'nextCursor');
    // Some servers mark the end with an empty cursor, or with an earlier one.
    if (typeof next !== 'string' || next === '' || cursors.has(next))
      return { entries, isWhole: true };
    cursors.add(next);
    cursor = next;
  }
  return { entries, isWhole: false };
}

export function isTool(entry: unknown): entry is ListedTool {
  const annotations = memberOf(entry, 'annotations');
  const texts = [
    memberOf(entry, 'title'),
    memberOf(entry, 'description'),
    memberOf(annotations, 'title'),
  ];
  const objects = [annotations, memberOf(entry, 'outputSchema'), memberOf(entry, 'execution')];
  return (
    typeof memberOf(entry, 'name') === 'string' &&
    memberOf(memberOf(entry, 'inputSchema'), 'type') === 'object' &&
    objects.every((part) => part === undefined || (typeof part === 'object' && part !== null)) &&
    texts.every((text) => text === undefined || typeof text === 'string')
  );
}

/** Throws a DefinitionError with every problem, before any tool is registered. */
function requireFit({ tools }: ListedTools, registry: ToolRegistry, options: RemoteOptions): void {
  const namesBySpelling = new Map(registry.names().map((name) => [spellingOf(name), name]));
  const registeredTools = tools.filter((tool) => options.filter?.(tool) ?? true);
  const listedNames = new Set(tools.map(({ name }) => name));
  const problems = [
    ...Object.keys(options.overlay ?? {}).flatMap((name) =>
      listedNames.has(name) ? [] : [unlistedTool(name)],
    ),
    ...registeredTools.flatMap((tool) => overlayProblems(tool, options)),
    ...registeredTools.flatMap((tool) => {
      const name = registeredName(tool, options);
      const other = namesBySpelling.get(spellingOf(name));
      return other === undefined ? [] : [nameIsTaken(name, other)];
    }),
  ];
  if (problems.length > 0) throw new DefinitionError(problems);
}

const unlistedTool = (name: string): DefinitionProblem => ({
  where: 'registerRemoteTools',
  what: `has an overlay for ${JSON.stringify(name)}, which the server does not list`,
  instead: "write the server's own name of a tool, without the prefix",
});

const nameIsTaken = (name: string, other: string): DefinitionProblem => ({
  where: name,
  what:
    other === name
      ? 'is registered already'
      : `is spelled like ${other}, which is registered already`,
  instead: "write a prefix for this server: { prefix: '…_' }",
});

/** The tools of one server in one registry. Requests for the list run one after the other. */
class RemoteTools implements RegisteredRemoteTools {
  readonly #registry: ToolRegistry;
  readonly #client: ToolClient;
  readonly #options: RemoteOptions;
  /**
   * By the server's name. `definition`: canonical JSON of what the server listed, to find changes.
   */
  readonly #knownTools = new Map<string, { readonly name: string; readonly definition: string }>();
  #leftOut: readonly LeftOutTool[] = [];
  #isClosed = false;
  #subscription: { close(): Promise<void> } | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<ToolListChange> | undefined;

  constructor(registry: ToolRegistry, client: ToolClient, options: RemoteOptions) {
    this.#registry = registry;
    this.#client = client;
    this.#options = options;
  }

  get names(): readonly string[] {
    return Array.from(this.#knownTools.values(), ({ name }) => name);
  }

  get leftOut(): readonly LeftOutTool[] {
    return this.#leftOut;
  }

  /** Subscribes before it lists, so that no change is missed. */
  static async start(
    ...parameters: ConstructorParameters<typeof RemoteTools>
  ): Promise<RemoteTools> {
    const remote = new RemoteTools(...parameters);
    const pendingSubscription = remote.#subscribe();
    const first = remote.#inTurn(async () => {
      const listedTools = await listRemoteTools(remote.#client);
      requireFit(listedTools, remote.#registry, remote.#options);
      remote.#register(listedTools);
    });
    try {
      await Promise.all([pendingSubscription, first]);
      return remote;
    } catch (error) {
      await remote.close();
      throw error;
    }
  }

  /** While one request runs, all further ones are one request, which begins afterwards. */
  readonly refresh = (): Promise<ToolListChange> => {
    this.#next ??= this.#inTurn(async () => {
      this.#next = undefined;
      return listRemoteTools(this.#client).then(
        (listedTools) => this.#register(listedTools),
        (error: unknown) => ({ kind: 'failed', error }),
      );
    });
    return this.#next;
  };

  readonly close = async (): Promise<void> => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#removeUnlisted([]);
    if (this.#options.follow !== 'never') this.#client.removeNotificationHandler(listChanged);
    await this.#subscription?.close();
  };

  #inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Servers of the old protocol announce changes without a subscription. */
  async #subscribe(): Promise<void> {
    if (this.#options.follow === 'never') return;
    const isAnnounced = this.#client.getServerCapabilities()?.tools?.listChanged === true;
    this.#client.setNotificationHandler(listChanged, async () => {
      const change = await this.refresh();
      notify(() => this.#options.onChange?.(change));
    });
    if (!isAnnounced || this.#client.getProtocolEra() !== 'modern') return;
    this.#subscription = await this.#client.listen({ toolsListChanged: true });
  }

  /** Makes the registry match the list. */
  #register({ tools, leftOut }: ListedTools): ToolListChange {
    const selectedTools = this.#isClosed
      ? []
      : tools.filter((tool) => this.#options.filter?.(tool) ?? true);
    const change = {
      added: new Array<string>(),
      changed: new Array<string>(),
      removed: this.#removeUnlisted(selectedTools),
      leftOut: [...leftOut],
    };
    for (const tool of selectedTools) {
      const result = this.#put(tool);
      if (typeof result === 'object') change.leftOut.push(result);
      else if (result !== 'same') change[result].push(registeredName(tool, this.#options));
    }
    this.#leftOut = change.leftOut;
    return { kind: 'changed', ...change };
  }

  #put(tool: ListedTool): 'same' | 'added' | 'changed' | LeftOutTool {
    const definition = canonicalJson(writeJson(tool).value);
    const registeredTool = this.#knownTools.get(tool.name);
    if (registeredTool?.definition === definition) return 'same';
    try {
      const contract = remoteContract(tool, this.#options, (remote) =>
        sendCall(this.#client, remote),
      );
      if (registeredTool === undefined) this.#registry.register(contract);
      else this.#registry.replace(contract);
      this.#knownTools.set(tool.name, { name: contract.name, definition });
      return registeredTool === undefined ? 'added' : 'changed';
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      // The server has withdrawn the old definition, so it must not be called either.
      if (registeredTool !== undefined) this.#registry.unregister(registeredTool.name);
      this.#knownTools.delete(tool.name);
      return { tool: printable(tool.name), reason: error.message };
    }
  }

  #removeUnlisted(selectedTools: readonly ListedTool[]): string[] {
    const selectedNames = new Set(selectedTools.map(({ name }) => name));
    const goneTools = [...this.#knownTools].filter(
      ([remoteName]) => !selectedNames.has(remoteName),
    );
    for (const [remoteName] of goneTools) this.#knownTools.delete(remoteName);
    const names = goneTools.map(([, { name }]) => name);
    this.#registry.unregister(...names);
    return names;
  }
}
