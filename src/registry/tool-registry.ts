// Which tools does a program have, and what becomes of a model's call? It makes its own registry; there is no global one.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { DialectName, Dialects } from '../dialects/dialect-table.ts';
import type { ToolOutcome } from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { answerCall, type CallOptions } from './answer-call.ts';
import { historyOf } from './history-of.ts';
import { interpretCall, type InterpretedCall } from './interpret-call.ts';
import { readRegistration, type RegisteredTool } from './read-registration.ts';
import { readSetting, type RegistryOptions, type RegistrySetting } from './registry-setting.ts';
import { showTools } from './show-tools.ts';

/** The tools of one program or tenant: shows them to a model, and runs what it calls. */
export class ToolRegistry {
  readonly #contracts = new Map<string, ToolContract>();
  readonly #setting: RegistrySetting;

  /** Throws a DefinitionError for a time limit that isn't one, and for meta arguments that can't be told apart. */
  constructor(options: RegistryOptions = {}) {
    this.#setting = readSetting(options);
  }

  /**
   * Adds tools and returns this registry. Throws a DefinitionError with every complaint about any of
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

  /**
   * What a model may see of the tools, in the order of registration: a new list of frozen schemas. Default dialect:
   * `neutral`. Throws a DefinitionError for a dialect that there is not.
   */
  schemas(): Dialects['neutral'][];
  schemas<Name extends DialectName>(dialect: Name): Dialects[Name][];
  schemas(dialect: DialectName = 'neutral'): Dialects[DialectName][] {
    return showTools(this.#contracts.values(), dialect);
  }

  /**
   * Which tool and which arguments a call means. Executes nothing and tells nobody; a rejected call is counted in the
   * `memory` of its conversation.
   */
  interpret(call: ToolCall, { memory }: Pick<CallOptions, 'memory'> = {}): InterpretedCall {
    return interpretCall(this.#contracts, this.#setting.trusted, call, memory);
  }

  /**
   * A call as it should stand in the history that the model is sent: an accepted one with its arguments as interpreted
   * and of its meta arguments only those that the schema requires, any other as it came.
   */
  history(call: ToolOutcome | InterpretedCall): ReturnType<typeof historyOf> {
    return historyOf(this.#contracts, call);
  }

  /** Interprets a call and, if it is accepted, executes it. Never rejects for what a model or a tool did. */
  async call(call: ToolCall, options: CallOptions = {}): Promise<ToolOutcome> {
    return answerCall(this.interpret(call, options), options, this.#setting);
  }
}
