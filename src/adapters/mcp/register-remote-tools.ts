// How do another server's tools get into a registry, and stay what the server says they are?
import type { Client } from '@modelcontextprotocol/client';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import { requireFit } from './check-options.ts';
import {
  type LeftOutTool,
  listRemoteTools,
  type ListedTools,
  type ToolListChange,
} from './list-remote-tools.ts';
import type { RemoteOptions } from './remote-options.ts';
import { RemoteTools } from './remote-tools.ts';

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
 * Registers the tools of the server that this client is connected to: their calls are judged and repaired here, by the
 * server's own schemas, before they leave. Rejects as the client does where the server can't be asked, and with a
 * DefinitionError for an overlay that doesn't fit the tools and for names that are taken; then nothing is registered. A tool
 * that nobody could use is left out.
 */
export async function registerRemoteTools(
  tools: ToolRegistry,
  client: Client,
  options: RemoteOptions = {},
): Promise<RegisteredRemoteTools> {
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
