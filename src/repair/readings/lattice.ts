// The map of all ways to read a text: docs/internals/readings.md.

/** What may come next at a node. `string`: a quote inside a string, which is its end or content. */
export type Mode =
  | 'value'
  | 'firstElement'
  | 'element'
  | 'firstKey'
  | 'key'
  | 'colon'
  | 'after'
  | 'rootEnd'
  | 'end'
  | 'string';

/**
 * What `buildReading` does at an edge, with the token between the edge's node and its `mark`. `structure`: containers open or close.
 * `content`: the quote at the mark is content, and the string goes on. `strict`: everything up to the next node is strict JSON.
 */
export type Action =
  'structure' | 'key' | 'bareKey' | 'string' | 'content' | 'scalar' | 'bareWord' | 'strict';

/** `doubled`: an object that was opened by two braces. `wrapped`: a list whose brackets are missing, around the last value. */
export type Container = 'object' | 'list' | 'doubled' | 'wrapped';

/** The open containers, innermost first. Equal stacks are one object. */
export class Stack {
  /** Of the root: itself. */
  readonly parent: Stack;
  readonly kind: Container | undefined;
  readonly depth: number;
  readonly isObject: boolean;
  readonly #inner = new Map<Container, Stack>();

  constructor(parent?: Stack, kind?: Container) {
    this.parent = parent ?? this;
    this.kind = kind;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.isObject = kind === 'object' || kind === 'doubled';
  }

  push(kind: Container): Stack {
    const inner = this.#inner.get(kind) ?? new Stack(this, kind);
    this.#inner.set(kind, inner);
    return inner;
  }

  /** Whether a container of some kinds is open. */
  holds(...kinds: readonly Container[]): boolean {
    return this.kind !== undefined && (kinds.includes(this.kind) || this.parent.holds(...kinds));
  }
}

/** A place in the text, and what may come next there. */
export interface Place {
  readonly at: number;
  readonly mode: Mode;
  readonly stack: Stack;
}

export interface Node extends Place {
  /** The quotes that end the string of the node, if it is in one. */
  readonly closers: string;
  /** The last one found of the edges that lead here. */
  into: Edge | undefined;
  /** The least cost from the start. */
  cost: number;
  /** Another node at the same offset. */
  readonly sibling: Node | undefined;
}

export interface Edge {
  readonly from: Node;
  readonly to: Node;
  readonly action: Action;
  readonly mark: number;
  /** Bits in `edit`, combined. */
  readonly edits: number;
  readonly cost: number;
  /** The edge that was found before it of those that lead to the same node. */
  sibling?: Edge | undefined;
}

/** The nodes that were reached in a text. Equal nodes are one object. */
export class Lattice {
  readonly root = new Stack();
  size = 0;
  /** The last one made of the nodes at each offset. */
  readonly #nodes = new Map<number, Node>();

  /** The node, which is made if it is new. */
  node(at: number, mode: Mode, stack: Stack, closers = ''): Node {
    const last = this.#nodes.get(at);
    for (let node = last; node !== undefined; node = node.sibling)
      if (node.mode === mode && node.stack === stack && node.closers === closers) return node;
    const cost = Number.POSITIVE_INFINITY;
    const made: Node = { at, mode, stack, closers, into: undefined, cost, sibling: last };
    this.#nodes.set(at, made);
    this.size += 1;
    return made;
  }
}
