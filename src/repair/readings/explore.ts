import { type ExpandOptions, Expander } from './expand.ts';
import { type Edge, Lattice, type Node } from './lattice.ts';
import { strictEdges } from './strict-run.ts';

/** The edges of one way through a lattice, from the start of the text to its end. */
export type Path = readonly Edge[];

/** `none`: no way leads to the end. `too_many`: more than `maxReadings` do. `too_large`: the text has too many choices. */
export type Exploration =
  | { readonly kind: 'paths'; readonly least: number; readonly paths: readonly Path[] }
  | { readonly kind: 'none' | 'too_many' | 'too_large' };

const maxReadings = 64;
/** The most nodes for each quote, bracket, comma and colon of the text. */
const nodesPerToken = 8;
/** Further nodes, so that short texts have enough. */
const freeNodes = 256;

interface ExploreOptions extends ExpandOptions {
  /** How much more than the least cost a path may have. */
  readonly slack: number;
  /** `all`: every edit at every node. `faults`: edits only where strict JSON stops, or shortly before. */
  readonly edits: 'all' | 'faults';
}

/** Finds every path of the least cost, and of up to `slack` more. */
export function explore(text: string, options: ExploreOptions): Exploration {
  const lattice = new Lattice();
  const expander = new Expander(text, lattice, options);
  const jump = options.edits === 'faults' ? strictEdges(text, lattice, options.maxDepth) : undefined;
  let maxNodes: number | undefined;
  let [end, limit]: [Node | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  // Nodes that were reached, by their cost: until the end is reached, and all that costs up to `slack` more.
  const reached: Node[][] = [[expander.start]];
  for (let cost = 0; cost < reached.length && cost <= limit; cost += 1) {
    for (let node = reached[cost]?.pop(); node !== undefined; node = reached[cost]?.pop()) {
      // It was reached at a lower cost.
      if (node.cost < cost) continue;
      if (node.mode === 'end') [end, limit] = [node, cost + options.slack];
      for (const edge of jump?.(node) ?? expander.expand(node)) {
        const total = cost + edge.cost;
        if (total > limit) continue;
        const { to } = edge;
        edge.sibling = to.into;
        to.into = edge;
        if (to.cost <= total) continue;
        to.cost = total;
        (reached[total] ??= []).push(to);
      }
      if (lattice.size <= freeNodes) continue;
      maxNodes ??= countTokens(text) * nodesPerToken + freeNodes;
      if (lattice.size > maxNodes) return { kind: 'too_large' };
    }
  }
  if (end === undefined) return { kind: 'none' };
  const paths = walk(end, expander.start, limit);
  return paths === undefined ? { kind: 'too_many' } : { kind: 'paths', least: end.cost, paths };
}

const countTokens = (text: string): number => text.match(/["'{}[\],:]/g)?.length ?? 0;

/** A node of a path, and the way from there to the end. */
interface Step {
  readonly node: Node;
  readonly edge?: Edge;
  readonly next?: Step;
  readonly spent: number;
}

/**
 * All paths within the limit; undefined if there are too many. They are walked from the end, where the least cost of the rest is
 * known at each step, so that each step leads to the start.
 */
function walk(end: Node, start: Node, limit: number): readonly Path[] | undefined {
  const paths: Path[] = [];
  const steps: Step[] = [{ node: end, spent: 0 }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step.node === start) {
      if (paths.length === maxReadings) return undefined;
      paths.push(edgesFrom(step));
    }
    for (let edge = step.node.into; edge !== undefined; edge = edge.sibling) {
      const spent = step.spent + edge.cost;
      if (spent + edge.from.cost <= limit) steps.push({ node: edge.from, edge, next: step, spent });
    }
  }
  return paths.toReversed();
}

function edgesFrom(first: Step): Path {
  const edges: Edge[] = [];
  for (let step: Step | undefined = first; step?.edge !== undefined; step = step.next) edges.push(step.edge);
  return edges;
}
