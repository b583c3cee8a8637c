import { checkOptions } from '../../errors/check-options.ts';
import type { Client } from '@modelcontextprotocol/client';
import { DefinitionError } from '../../errors/definition-error.ts';
import { canonicalJson, writeJson } from '../../json/serialize.ts';
import { printable } from '../../json/preview.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { SchemaObject } from '../../schema/json-schema.ts';
import { registeredName, remoteContract } from './remote-contract.ts';
import { type RemoteOptions, remoteOptionKinds, requireFit } from './remote-options.ts';

// All pages; an entry that is no tool doesn't lose the others.
/** A tool as its server describes it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: SchemaObject;
  readonly outputSchema?: SchemaObject;
  /** What the server says of it, which need not be true. */
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
  };
}

export interface ListedTools {
  readonly tools: readonly ListedTool[];
  readonly leftOut: readonly LeftOutTool[];
}

/** Names as they are registered. */
export type ToolListChange =
  | {
      readonly kind: 'changed';
      readonly added: readonly string[];
      /** Another definition than before; with pins, calls to it are rejected until it is accepted. */
      readonly changed: readonly string[];
      readonly removed: readonly string[];
      readonly leftOut: readonly LeftOutTool[];
    }
  /** The server could not be asked; what was registered stays. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** A tool of the server that is not registered. */
export interface LeftOutTool {
  /** As the server calls it; cut and cleaned. */
  readonly tool: string;
  /** For the developer. */
  readonly reason: string;
}

/** In the server's order, the first of each name. Rejects as the client does. */
async function listRemoteTools(client: Client): Promise<ListedTools> {
  const entries = await listedEntries(client);
  const tools = new Map<string, ListedTool>();
  const leftOut: LeftOutTool[] = [];
  for (const [index, entry] of entries.entries()) {
    if (!isTool(entry)) {
      leftOut.push({
        tool: nameOf(entry) ?? `tool ${index + 1}`,
        reason: 'it has no name, or no input schema of an object',
      });
    } else if (tools.has(entry.name)) {
      leftOut.push({
        tool: printable(entry.name),
        reason: 'the server lists another tool of that name before it',
      });
    } else tools.set(entry.name, entry);
  }
  return { tools: [...tools.values()], leftOut };
}

/**
 * The client refuses a list in which one entry is no tool, and one whose pages it takes to have no end: then the entries are
 * read as they come.
 */
export async function listedEntries(
  client: Client,
  options: { readonly timeout?: number } = {},
): Promise<readonly unknown[]> {
  try {
    const { tools } = await client.listTools(undefined, { ...options, cacheMode: 'refresh' });
    return tools;
  } catch (error) {
    const code = memberOf(error, 'code');
    if (code !== invalid && code !== endless) throw error;
    const { entries, isWhole } = await rawEntries(client);
    if (!isWhole && code === endless) throw error;
    return entries;
  }
}

/** A server that pages without end is asked no further. */
const mostPages = 64;

async function rawEntries(
  client: Client,
): Promise<{ readonly entries: readonly unknown[]; readonly isWhole: boolean }> {
  const entries: unknown[] = [];
  const asked = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer: unknown = await client.request({ method: 'tools/list', params }, anyResult);
    const tools: unknown = memberOf(answer, 'tools');
    if (Array.isArray(tools)) entries.push(...tools);
    const next: unknown = memberOf(answer, 'nextCursor');
    // Some servers say the end with an empty cursor, or with one that was there before.
    if (typeof next !== 'string' || next === '' || asked.has(next)) return { entries, isWhole: true };
    asked.add(next);
    cursor = next;
  }
  return { entries, isWhole: false };
}

/** A Standard Schema (https://standardschema.dev) that takes what comes. */
const anyResult = {
  '~standard': { version: 1 as const, vendor: 'toolmend', validate: (value: unknown) => ({ value }) },
};

/** The SDK's codes for a list that it doesn't take. */
const invalid = 'INVALID_RESULT';
const endless = 'LIST_PAGINATION_EXCEEDED';

function isTool(entry: unknown): entry is ListedTool {
  const schema = memberOf(entry, 'inputSchema');
  const annotations = memberOf(entry, 'annotations');
  const texts = [memberOf(entry, 'title'), memberOf(entry, 'description'), memberOf(annotations, 'title')];
  return (
    typeof memberOf(entry, 'name') === 'string' &&
    memberOf(schema, 'type') === 'object' &&
    [annotations, memberOf(entry, 'outputSchema')].every((part) => part === undefined || isObject(part)) &&
    texts.every((text) => text === undefined || typeof text === 'string')
  );
}

function nameOf(entry: unknown): string | undefined {
  const name = memberOf(entry, 'name');
  return typeof name === 'string' ? printable(name) : undefined;
}

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) ? Reflect.get(value, key) : undefined;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

interface KnownTool {
  readonly name: string;
  /** As the server gave it, to tell whether it gives another one. */
  readonly definition: string;
}

/** The tools of one server in one registry. */
class RemoteTools {
  readonly registry: ToolRegistry;
  readonly #client: Client;
  readonly #options: RemoteOptions;
  /** By the server's own name. */
  readonly #known = new Map<string, KnownTool>();
  #leftOut: readonly LeftOutTool[] = [];
  #isClosed = false;

  constructor(registry: ToolRegistry, client: Client, options: RemoteOptions) {
    this.registry = registry;
    this.#client = client;
    this.#options = options;
  }

  get names(): readonly string[] {
    return Array.from(this.#known.values(), ({ name }) => name);
  }

  get leftOut(): readonly LeftOutTool[] {
    return this.#leftOut;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Registers what is new, replaces what has changed, takes away what is gone. */
  register({ tools, leftOut }: ListedTools): ToolListChange {
    const listed = this.#isClosed ? [] : tools.filter((tool) => this.#options.filter?.(tool) ?? true);
    const change = {
      added: new Array<string>(),
      changed: new Array<string>(),
      removed: this.#takeAwayAllBut(listed),
      leftOut: [...leftOut],
    };
    for (const tool of listed) {
      const became = this.#put(tool);
      if (typeof became !== 'string') change.leftOut.push(became);
      else if (became !== 'same') change[became].push(registeredName(tool, this.#options));
    }
    this.#leftOut = change.leftOut;
    return { kind: 'changed', ...change };
  }

  close(): void {
    this.#isClosed = true;
    this.#takeAwayAllBut([]);
  }

  #put(tool: ListedTool): 'same' | 'added' | 'changed' | LeftOutTool {
    const definition = canonicalJson(writeJson(tool).value);
    const known = this.#known.get(tool.name);
    if (known?.definition === definition) return 'same';
    try {
      const contract = remoteContract(this.#client, tool, this.#options);
      if (known === undefined) this.registry.register(contract);
      else this.registry.replace(contract);
      this.#known.set(tool.name, { name: contract.name, definition });
      return known === undefined ? 'added' : 'changed';
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      // What the server no longer means must not be called.
      if (known !== undefined) this.registry.unregister(known.name);
      this.#known.delete(tool.name);
      return { tool: printable(tool.name), reason: error.message };
    }
  }

  #takeAwayAllBut(listed: readonly ListedTool[]): string[] {
    const kept = new Set(listed.map(({ name }) => name));
    const gone = [...this.#known].filter(([remoteName]) => !kept.has(remoteName));
    for (const [remoteName] of gone) this.#known.delete(remoteName);
    const names = gone.map(([, { name }]) => name);
    this.registry.unregister(...names);
    return names;
  }
}

/** A server's tools in a registry. */
export interface RegisteredRemoteTools {
  /** The names under which they are registered. */
  readonly names: readonly string[];
  /** Tools of the server that are not registered, and why. */
  readonly leftOut: readonly LeftOutTool[];
  /** Asks for the list again and registers what has changed. Never rejects. */
  refresh(): Promise<ToolListChange>;
  /** Follows the list no longer and takes the tools out of the registry. The client stays connected. */
  close(): Promise<void>;
}

/**
 * Registers the tools of the server that this client is connected to: their calls are validated and repaired here, by the
 * server's own schemas, before they leave. Rejects as the client does where the server can't be asked, and with a
 * DefinitionError for an overlay that doesn't fit the tools and for names that are taken; then nothing is registered. A tool
 * that nobody could use is left out.
 */
export async function registerRemoteTools(
  tools: ToolRegistry,
  client: Client,
  options: RemoteOptions = {},
): Promise<RegisteredRemoteTools> {
  checkOptions('registerRemoteTools', options, remoteOptionKinds);
  const remote = new RemoteTools(tools, client, options);
  const following = new ListFollower(client, remote, options);
  try {
    await following.start();
  } catch (error) {
    await following.stop();
    throw error;
  }
  return {
    get names() {
      return remote.names;
    },
    get leftOut() {
      return remote.leftOut;
    },
    refresh: () => following.refresh(),
    close: () => following.stop(),
  };
}

/** Asks for the list, one time after the other. */
class ListFollower {
  readonly #client: Client;
  readonly #remote: RemoteTools;
  readonly #options: RemoteOptions;
  #subscription: { close(): Promise<void> } | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<ToolListChange> | undefined;

  constructor(client: Client, remote: RemoteTools, options: RemoteOptions) {
    this.#client = client;
    this.#remote = remote;
    this.#options = options;
  }

  /** Follows first, so that no change is missed. */
  async start(): Promise<void> {
    const announced = this.#follow();
    const first = this.#inTurn(async () => {
      const listed = await listRemoteTools(this.#client);
      requireFit(listed, this.#remote.registry, this.#options);
      this.#remote.register(listed);
    });
    await Promise.all([announced, first]);
  }

  /** Those that are asked for while one is running are one: it begins after them. */
  refresh(): Promise<ToolListChange> {
    this.#next ??= this.#inTurn(async () => {
      this.#next = undefined;
      return this.#read();
    });
    return this.#next;
  }

  async stop(): Promise<void> {
    if (this.#remote.isClosed) return;
    this.#remote.close();
    if (this.#options.follow !== 'never') this.#client.removeNotificationHandler(listChanged);
    await this.#subscription?.close();
  }

  async #read(): Promise<ToolListChange> {
    let listed: ListedTools;
    try {
      listed = await listRemoteTools(this.#client);
    } catch (error) {
      return { kind: 'failed', error };
    }
    return this.#remote.register(listed);
  }

  #inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** The older protocol announces unasked; of a newer server it has to be asked for. */
  async #follow(): Promise<void> {
    if (this.#options.follow === 'never') return;
    const isAnnounced = this.#client.getServerCapabilities()?.tools?.listChanged === true;
    this.#client.setNotificationHandler(listChanged, () => this.#announced());
    if (!isAnnounced || this.#client.getProtocolEra() !== 'modern') return;
    this.#subscription = await this.#client.listen({ toolsListChanged: true });
  }

  async #announced(): Promise<void> {
    const change = await this.refresh();
    try {
      await this.#options.onChange?.(change);
    } catch {
      // Whoever is told changes nothing.
    }
  }
}

const listChanged = 'notifications/tools/list_changed';
