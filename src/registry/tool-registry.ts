// It makes its own registry; there is no global one.
import { checkOptions, millisecondsOrZero } from '../errors/check-options.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type RegisteredTool, readRegistration } from './register.ts';
import { type RegistryOptions, type RegistrySetting, readSetting } from './registry-options.ts';
import { type ToolSelection, selectTools } from './select-tools.ts';
import { ToolMap, ToolSet } from './tool-set.ts';

/** The tools of one program or tenant: shows them to a model, and runs what it calls. */
export class ToolRegistry extends ToolSet {
  readonly #contracts: ToolMap;
  readonly #setting: RegistrySetting;

  /** Throws a DefinitionError for a time limit that isn't one, and for meta arguments that can't be told apart. */
  constructor(options: RegistryOptions = {}) {
    const contracts = new ToolMap();
    const setting = readSetting(options);
    super(contracts, setting);
    this.#contracts = contracts;
    this.#setting = setting;
  }

  /**
   * Adds tools and returns this registry. Throws a DefinitionError with every problem about any of
   * them, two of one name included; then none of them is added.
   */
  register(...tools: readonly RegisteredTool[]): this {
    for (const contract of readRegistration(tools, [...this.#contracts.values()], this.#setting)) {
      this.#put(contract);
    }
    return this;
  }

  /**
   * Puts tools where others of the same names are, as when a server says that its tools have changed; the rest is added.
   * Listeners are told of each definition that is another one now. Throws as `register` does, and then changes nothing.
   */
  replace(...tools: readonly RegisteredTool[]): this {
    const contracts = readRegistration(tools, [], this.#setting);
    const names = new Set(contracts.map(({ name }) => name));
    const kept = [...this.#contracts.values()].filter(({ name }) => !names.has(name));
    readRegistration(contracts, kept, this.#setting);
    for (const contract of contracts) this.#put(contract);
    return this;
  }

  /**
   * Takes tools away, by name; calls to them are calls to an unknown tool from then on, but for selections that were made
   * before. Names that are not there are ignored.
   */
  unregister(...names: readonly string[]): this {
    for (const name of names) this.#contracts.delete(name);
    return this;
  }

  /**
   * The tools for one conversation: those that are enabled in its context, and deferred ones as they are found. Make one
   * for each conversation; tools that are registered later are not in it. The registry itself has all tools, whatever
   * their `enabled` and `deferred` say.
   */
  select(selection: ToolSelection = {}): ToolSet {
    return new ToolSet(selectTools(this.#contracts.values(), selection, this.#setting), this.#setting);
  }

  #put(contract: ToolContract): void {
    const { trusted, listeners } = this.#setting;
    trusted.tellChange(listeners, contract, this.#contracts.get(contract.name));
    this.#contracts.set(contract.name, contract);
  }

  /** The digest of each tool's definition, by name: what to keep as `pins` once somebody has looked at the tools. */
  digests(): ReturnType<RegistrySetting['trusted']['digestsOf']> {
    return this.#setting.trusted.digestsOf(this.#contracts.values());
  }

  /** From now on calls to the definition with this digest are executed. Without `pins` there is nothing to accept. */
  accept(tool: string, digest: string): void {
    this.#setting.trusted.accept(tool, digest);
  }

  /** How many calls run and wait at the moment. */
  get load(): RegistrySetting['limiter']['load'] {
    return this.#setting.limiter.load;
  }

  /**
   * Refuses every call from now on, those that wait too, and resolves when the running ones have ended. After `timeoutMs`
   * milliseconds (default: 10 seconds; 0: at once) they are cancelled; asked again, the shorter limit holds. Rejects with a
   * DefinitionError for a limit that isn't one, and closes nothing.
   */
  async close(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    checkOptions('ToolRegistry.close', options, { timeoutMs: millisecondsOrZero });
    const { timeoutMs = 10_000 } = options;
    await this.#setting.limiter.close(timeoutMs);
  }
}
