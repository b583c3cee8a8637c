import { type ExpandOptions, Expander } from './expand.ts';
import { Lattice, mode } from './lattice.ts';

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
const maxReadings = 64;
/** The most nodes for each quote, bracket, comma and colon of the text. */
const nodesPerToken = 8;
/** Further nodes, so that short texts have enough. */
const freeNodes = 256;

interface ExploreOptions extends ExpandOptions {
  /** How much more than the least cost a path may have. */
  readonly slack: number;
}

/** Finds every path of the least cost, and of up to `slack` more. */
export function explore(text: string, options: ExploreOptions): Exploration {
  const lattice = new Lattice(text.length);
  const expander = new Expander(text, lattice, options);
  const maxNodes = countTokens(text) * nodesPerToken + freeNodes;
  const reached = reach(lattice, expander, { slack: options.slack, maxNodes });
  if (reached.kind !== 'reached') return reached;
  const limit = reached.least + options.slack;
  const paths = walk(lattice, costToEnd(lattice, reached.end, limit), limit);
  return paths === undefined ? { kind: 'too_many' } : { kind: 'paths', lattice, least: reached.least, paths };
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

type Reached =
  | { readonly kind: 'reached'; readonly end: number; readonly least: number }
  | { readonly kind: 'none' | 'too_large' };

/** Visits nodes in the order of their costs, until the end is reached and all that costs up to `slack` more. */
function reach(
  lattice: Lattice,
  expander: Expander,
  { slack, maxNodes }: { readonly slack: number; readonly maxNodes: number },
): Reached {
  const costs: number[] = [];
  const buckets: number[][] = [[start]];
  costs[start] = 0;
  let limit = Number.POSITIVE_INFINITY;
  let end = -1;
  let least = 0;
  for (let cost = 0; cost < buckets.length && cost <= limit; cost += 1) {
    const bucket = buckets[cost];
    for (let node = bucket?.pop(); node !== undefined; node = bucket?.pop()) {
      // The node was reached at a lower cost, or is expanded already.
      if (costs[node] !== cost || lattice.firstOut[node] !== -1) continue;
      if (lattice.mode[node] === mode.end) {
        if (end === -1) least = cost;
        end = node;
        limit = least + slack;
        continue;
      }
      expander.expand(node);
      if (lattice.at.length > maxNodes) return { kind: 'too_large' };
      for (let edge = lattice.firstOut[node] ?? -1; edge !== -1; edge = lattice.nextOut[edge] ?? -1) {
        const target = lattice.to[edge] ?? -1;
        const total = cost + (lattice.cost[edge] ?? 0);
        if (total > limit || (costs[target] ?? Number.POSITIVE_INFINITY) <= total) continue;
        costs[target] = total;
        while (buckets.length <= total) buckets.push([]);
        buckets[total]?.push(target);
      }
    }
  }
  return end === -1 ? { kind: 'none' } : { kind: 'reached', end, least };
}

/** The least cost from each node to the end; undefined for a node that can't reach it within the limit. */
function costToEnd(lattice: Lattice, end: number, limit: number): readonly (number | undefined)[] {
  const costs: number[] = [];
  const buckets: number[][] = [[end]];
  costs[end] = 0;
  for (let cost = 0; cost < buckets.length; cost += 1) {
    const bucket = buckets[cost];
    for (let node = bucket?.pop(); node !== undefined; node = bucket?.pop()) {
      if (costs[node] !== cost) continue;
      for (let edge = lattice.firstIn[node] ?? -1; edge !== -1; edge = lattice.nextIn[edge] ?? -1) {
        const source = lattice.from[edge] ?? -1;
        const total = cost + (lattice.cost[edge] ?? 0);
        if (total > limit || (costs[source] ?? Number.POSITIVE_INFINITY) <= total) continue;
        costs[source] = total;
        while (buckets.length <= total) buckets.push([]);
        buckets[total]?.push(source);
      }
    }
  }
  return costs;
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
