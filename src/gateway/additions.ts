// What the gateway adds to a request that not every server takes, and which servers refused it.
import type { JsonEdit } from '../json/json-edits.ts';
import { setNewest } from '../collections/bounded-map.ts';
import type { Upstream } from './upstream.ts';

/** `strict`: the tools are strict. `tool_choice`: the model must call the tool that is named. */
export type AdditionKind = 'strict' | 'tool_choice';

export interface Addition {
  readonly kind: AdditionKind;
  readonly edits: readonly JsonEdit[];
}

/** Model names are the client's: beyond this many, those that were refused longest ago are forgotten. */
const maxRefusals = 1_000;

/**
 * Which upstream refuses which addition, for each model. Kept in memory: the next version of a
 * server may take it.
 */
export class RefusedAdditions {
  readonly #refusals = new Map<string, true>();

  has(upstream: Upstream, model: string | undefined, kind: AdditionKind): boolean {
    return this.#refusals.has(keyOf(upstream, model, kind));
  }

  add(upstream: Upstream, model: string | undefined, kind: AdditionKind): void {
    setNewest(this.#refusals, [keyOf(upstream, model, kind), true], maxRefusals);
  }
}

const keyOf = ({ url }: Upstream, model: string | undefined, kind: AdditionKind): string =>
  JSON.stringify([url.href, model, kind]);
