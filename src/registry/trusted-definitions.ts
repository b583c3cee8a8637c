// Who serves a tool can change its description and schema at any time.
import { objectOf, memoize } from '../json/value.ts';
import { type ToolListener, tellEvent } from '../telemetry/tool-event.ts';
import { type ToolContract, contractDigest } from '../tool/tool-contract.ts';

/** By tool name, the digests of definitions that somebody has looked at. */
export type Pins = Readonly<Record<string, string>>;

/** Which definitions may be called. Without pins, all; with pins, those that are pinned or were accepted since. */
export class TrustedDefinitions {
  readonly #accepted: Map<string, string> | undefined;

  constructor(pins: Pins | undefined) {
    this.#accepted = pins === undefined ? undefined : new Map(Object.entries(pins));
  }

  isTrusted(contract: ToolContract): boolean {
    return this.#accepted === undefined || this.#accepted.get(contract.name) === digestOf(contract);
  }

  accept(name: string, digest: string): void {
    this.#accepted?.set(name, digest);
  }

  /** Tells of a definition that is not the accepted one; without pins, of one that is not the one before. */
  tellChange(
    listeners: readonly ToolListener[],
    contract: ToolContract,
    before: ToolContract | undefined,
  ): void {
    const { name: tool } = contract;
    const blocked = this.#accepted !== undefined;
    // Without pins the first definition of a name is none that has changed, and its digest costs time.
    if (!blocked && before === undefined) return;
    const former = blocked ? this.#accepted?.get(tool) : before && digestOf(before);
    const digest = digestOf(contract);
    if (former === digest) return;
    const known = former === undefined ? {} : { former };
    tellEvent(listeners, Object.freeze({ type: 'tool_definition_changed', tool, digest, ...known, blocked }));
  }

  digestsOf(contracts: Iterable<ToolContract>): Pins {
    return Object.freeze(
      objectOf(Array.from(contracts, (contract) => [contract.name, digestOf(contract)] as const)),
    );
  }
}

const digestOf = memoize(contractDigest);
