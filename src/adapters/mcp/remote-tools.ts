// Which of a server's tools are registered at the moment, and what changes with the next list?
import type { Client } from '@modelcontextprotocol/client';
import { DefinitionError } from '../../errors/definition-error.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import { harmless } from '../../issues/excerpt.ts';
import { writeJson } from '../../json/write-json.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { LeftOutTool, ListedTool, ListedTools, ToolListChange } from './list-remote-tools.ts';
import { registeredName, remoteContract } from './remote-contract.ts';
import type { RemoteOptions } from './remote-options.ts';

interface KnownTool {
  readonly name: string;
  /** As the server gave it, to tell whether it gives another one. */
  readonly definition: string;
}

/** The tools of one server in one registry. */
export class RemoteTools {
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
      return { tool: harmless(tool.name), reason: error.message };
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
