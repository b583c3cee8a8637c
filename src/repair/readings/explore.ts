import { type ExpandOptions, Expander } from './expand.ts';
import { Lattice, action, mode } from './lattice.ts';
import { runStrictly } from './strict-run.ts';

/** The edges of one way through a lattice, from the start of the text to its end. */
export type Path = readonly number[];

export type Exploration =
  | {
      readonly kind: 'paths';
      readonly lattice: Lattice;
      readonly least: number;
      readonly paths: readonly Path[];
    }
  /** `none`: no way leads to the end. `too_many`: more than `maxReadings` do. `too_large`: the text has too many choices. */
  | { readonly kind: 'none' | 'too_many' | 'too_large' };

/** The first node, at the start of the text. */
const start = 0;
const none = -1;
const maxReadings = 64;
/** The most nodes for each quote, bracket, comma and colon of the text. */
const nodesPerToken = 8;
/** Further nodes, so that short texts have enough. */
const freeNodes = 256;
/** Characters that are read ahead as strict JSON, as a multiple of the text's size. */
const runsPerText = 16;

interface ExploreOptions extends ExpandOptions {
  /** How much more than the least cost a path may have. */
  readonly slack: number;
  /** `all`: every edit at every node. `faults`: edits only where strict JSON stops, or shortly before. */
  readonly edits: 'all' | 'faults';
}

/** Finds every path of the least cost, and of up to `slack` more. */
export function explore(text: string, options: ExploreOptions): Exploration {
  const lattice = new Lattice(text.length);
  const expander = new Expander(text, lattice, options);
  const jumper = options.edits === 'faults' ? new Jumper(text, lattice, options.maxDepth) : undefined;
  const maxNodes = countTokens(text) * nodesPerToken + freeNodes;
  let [end, least, limit] = [none, 0, Number.POSITIVE_INFINITY];
  // Forward, until the end is reached and all that costs up to `slack` more.
  const { firstOut, nextOut, to, firstIn, nextIn, from } = lattice;
  const forward = { first: firstOut, next: nextOut, target: to };
  spread(lattice, start, forward, (node, cost) => {
    if (lattice.at.length > maxNodes) return none;
    if (lattice.mode[node] === mode.end) {
      if (end === none) least = cost;
      end = node;
      limit = least + options.slack;
    } else if (jumper?.jump(node) !== true) {
      expander.expand(node);
      jumper?.passOn(node);
    }
    return limit;
  });
  if (lattice.at.length > maxNodes) return { kind: 'too_large' };
  if (end === none) return { kind: 'none' };
  // Backward, so that no step of a path leads to a dead end.
  const toEnd = spread(lattice, end, { first: firstIn, next: nextIn, target: from }, () => limit);
  const paths = walk(lattice, toEnd, limit);
  return paths === undefined ? { kind: 'too_many' } : { kind: 'paths', lattice, least, paths };
}

function countTokens(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 127 && code > 33 && isToken[code] === 1) count += 1;
  }
  return count;
}

const isToken = new Uint8Array(127);
for (const character of '"\'{}[],:') isToken[character.charCodeAt(0)] = 1;

interface Edges {
  readonly first: readonly number[];
  readonly next: readonly number[];
  readonly target: readonly number[];
}

/** The least cost from a node to each one, within the limit that `visit` gives. Nodes are visited in the order of their costs. */
function spread(
  lattice: Lattice,
  from: number,
  { first, next, target }: Edges,
  visit: (node: number, cost: number) => number,
): readonly (number | undefined)[] {
  const costs: (number | undefined)[] = [];
  const buckets: number[][] = [[from]];
  costs[from] = 0;
  let limit = Number.POSITIVE_INFINITY;
  for (let cost = 0; cost < buckets.length && cost <= limit; cost += 1) {
    const bucket = buckets[cost];
    for (let node = bucket?.pop(); node !== undefined; node = bucket?.pop()) {
      // It was reached at a lower cost.
      if (costs[node] !== cost) continue;
      limit = visit(node, cost);
      for (let edge = first[node] ?? none; edge !== none; edge = next[edge] ?? none) {
        const reached = target[edge] ?? none;
        const total = cost + (lattice.cost[edge] ?? 0);
        if (total > limit || (costs[reached] ?? Number.POSITIVE_INFINITY) <= total) continue;
        costs[reached] = total;
        while (buckets.length <= total) buckets.push([]);
        buckets[total]?.push(reached);
      }
    }
  }
  return costs;
}

/** Passes over strict JSON, so that edits are looked for only where they may act. */
class Jumper {
  readonly #text: string;
  readonly #lattice: Lattice;
  readonly #maxDepth: number;
  /** By node: the offset up to which the text behind it was read as strict JSON. */
  readonly #stops: (number | undefined)[] = [];
  #left: number;

  constructor(text: string, lattice: Lattice, maxDepth: number) {
    this.#text = text;
    this.#lattice = lattice;
    this.#maxDepth = maxDepth;
    this.#left = text.length * runsPerText;
  }

  /** Adds an edge to the end, or to where edits are looked for; false if that is at the node itself. */
  jump(node: number): boolean {
    const { mode: modes, at: offsets, stack: stacks } = this.#lattice;
    const [kind = mode.end, at = 0, stack = 0] = [modes[node], offsets[node], stacks[node]];
    if (kind === mode.colon || kind >= mode.end || at < (this.#stops[node] ?? 0) || this.#left < 0)
      return false;
    const { stop, isWhole, before } = runStrictly(
      this.#text,
      this.#lattice,
      { at, mode: kind, stack },
      this.#maxDepth,
    );
    this.#left -= stop - at;
    const next = isWhole ? { at: stop, mode: mode.end, stack: 0 } : before;
    const target = next === undefined ? node : this.#lattice.node(next.at, next.mode, next.stack);
    this.#stops[target] = stop;
    if (target === node) return false;
    this.#lattice.edge(node, target, action.strict, stop);
    return true;
  }

  /** The nodes behind the tokens of a node are read as strict JSON as far as the node itself. */
  passOn(node: number): void {
    const { mode: modes, firstOut, nextOut, edits, to } = this.#lattice;
    if ((modes[node] ?? 0) >= mode.string) return;
    for (let edge = firstOut[node] ?? none; edge !== none; edge = nextOut[edge] ?? none)
      if (edits[edge] === 0) this.#stops[to[edge] ?? none] ??= this.#stops[node];
  }
}

/** All paths within the limit. Each step that is taken leads to the end, so a path costs its own length. */
function walk(lattice: Lattice, toEnd: readonly (number | undefined)[], limit: number): Path[] | undefined {
  const paths: Path[] = [];
  const path: number[] = [];
  let spent = 0;
  let node = start;
  let edge = lattice.firstOut[node] ?? -1;
  for (;;) {
    if (edge === -1) {
      if (lattice.mode[node] === mode.end) {
        if (paths.length === maxReadings) return undefined;
        paths.push([...path]);
      }
      const last = path.pop();
      if (last === undefined) return paths;
      spent -= lattice.cost[last] ?? 0;
      node = lattice.from[last] ?? start;
      edge = lattice.nextOut[last] ?? -1;
      continue;
    }
    const target = lattice.to[edge] ?? -1;
    const rest = toEnd[target];
    const cost = lattice.cost[edge] ?? 0;
    if (rest === undefined || spent + cost + rest > limit) {
      edge = lattice.nextOut[edge] ?? -1;
      continue;
    }
    path.push(edge);
    spent += cost;
    node = target;
    edge = lattice.firstOut[node] ?? -1;
  }
}
