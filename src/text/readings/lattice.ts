// The map of all ways to read a text: docs/internals/readings.md.

/**
 * What may come next. `first`: a member, an element or a closer. `next`: another one. `string`: a
 * quote, its end or content.
 */
export type Mode = 'value' | 'first' | 'next' | 'after' | 'string' | 'end';

/** The open containers, innermost first. Equal stacks are one object. */
export class Stack {
  /** Whether the innermost container is an object. */
  readonly isObject: boolean;
  /** Of the root, where no container is open: itself. */
  readonly parent: Stack;
  readonly depth: number;
  readonly #inner = new Map<boolean, Stack>();

  constructor(isObject: boolean, parent?: Stack) {
    this.isObject = isObject;
    this.parent = parent ?? this;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  push(isObject: boolean): Stack {
    const inner = this.#inner.get(isObject) ?? new Stack(isObject, this);
    this.#inner.set(isObject, inner);
    return inner;
  }

  /** Whether an object, or a list, is open. */
  holds(isObject: boolean): boolean {
    return this.depth > 0 && (this.isObject === isObject || this.parent.holds(isObject));
  }
}

/** A place in the text, and what may come next there. */
export interface Node {
  readonly at: number;
  readonly mode: Mode;
  readonly stack: Stack;
  /** The last one found of the edges that lead here. */
  into: Edge | undefined;
  /** The least cost from the start. */
  cost: number;
}

/** Reads a token, or makes an edit. */
export interface Edge {
  readonly from: Node;
  readonly to: Node;
  readonly cost: number;
  /** Bits in `edit`, combined. */
  readonly edits: number;
  /**
   * The token as JSON, without commas; absent for strings, which are decoded when a reading is
   * built.
   */
  readonly json?: string;
  /** The name, if the token is a key. */
  readonly key?: string;
  /**
   * The value, if it is meant only where its type is declared: a word without quotes, a number with
   * a quote after it.
   */
  readonly claim?: string | number;
  /** The comma or the colon that the text lacks here. */
  readonly lacks?: ',' | ':';
  /** The offset after the string, or of the quote that is content. */
  readonly mark?: number;
  /** Another edge that leads to the same node. */
  readonly sibling: Edge | undefined;
}

/** A way from a node to the end of the text; at the end itself, it has no edge. */
export interface Way {
  readonly from: Node;
  readonly edge?: Edge;
  readonly rest?: Way;
  readonly cost: number;
  /** The bits of all edits. */
  readonly edits: number;
}

/** `too_many`: more ways than are read. `too_large`: the text has too many choices. */
export type Ways =
  | { readonly kind: 'ways'; readonly ways: readonly Way[] }
  | { readonly kind: 'refused'; readonly reason: 'too_many' | 'too_large' };

/** How much more than the least cost a way may have. */
const slack = 1;
const maxWays = 64;

/**
 * The nodes that were reached, visited in the order of their cost: until the end is reached, and
 * all that cost one more.
 */
export class Lattice {
  readonly root = new Stack(false);
  readonly start: Node;
  size = 0;
  #end: Node | undefined;
  #cost = 0;
  #limit = Number.POSITIVE_INFINITY;
  readonly #byOffset = new Map<number, Node[]>();
  /** By cost: nodes to visit. */
  readonly #reached: Node[][] = [];

  constructor(start: number) {
    this.start = this.node(start, 'value', this.root);
    this.#reach(this.start, 0);
  }

  /** The node at a place, which is made if it is new. */
  node(at: number, mode: Mode, stack: Stack): Node {
    const nodes = this.#byOffset.get(at) ?? [];
    const existingNode = nodes.find((node) => node.mode === mode && node.stack === stack);
    if (existingNode !== undefined) return existingNode;
    const newNode = { at, mode, stack, into: undefined, cost: Number.POSITIVE_INFINITY };
    this.#byOffset.set(at, [...nodes, newNode]);
    this.size += 1;
    return newNode;
  }

  add(edge: Omit<Edge, 'sibling'>): void {
    const { from, to } = edge;
    const cost = from.cost + edge.cost;
    if (cost > this.#limit) return;
    to.into = { ...edge, sibling: to.into };
    if (cost < to.cost) this.#reach(to, cost);
  }

  #reach(node: Node, cost: number): void {
    node.cost = cost;
    (this.#reached[cost] ??= []).push(node);
  }

  /** Takes the next node to visit. */
  next(): Node | undefined {
    while (this.#cost < this.#reached.length && this.#cost <= this.#limit) {
      const node = this.#reached[this.#cost]?.pop();
      if (node === undefined) this.#cost += 1;
      // A node may have been reached at a lower cost, too.
      else if (node.cost < this.#cost) continue;
      else if (node.mode !== 'end') return node;
      else [this.#end, this.#limit] = [node, this.#cost + slack];
    }
    return undefined;
  }

  /** All ways from start to end. They are made from the end, so that each leads to the start. */
  ways(): Ways {
    const ways: Way[] = [];
    const open: Way[] = this.#end === undefined ? [] : [{ from: this.#end, cost: 0, edits: 0 }];
    for (let rest = open.pop(); rest !== undefined; rest = open.pop()) {
      if (rest.from === this.start) ways.push(rest);
      if (ways.length > maxWays) return { kind: 'refused', reason: 'too_many' };
      for (let edge = rest.from.into; edge !== undefined; edge = edge.sibling) {
        const cost = rest.cost + edge.cost;
        if (cost + edge.from.cost <= this.#limit)
          open.push({ from: edge.from, edge, rest, cost, edits: rest.edits | edge.edits });
      }
    }
    return { kind: 'ways', ways: ways.toReversed() };
  }
}
