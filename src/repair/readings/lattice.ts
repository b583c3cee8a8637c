// The map of all ways to read a text: docs/internals/readings.md.

/** What may come next at a node. From `string` on: at a quote inside a string, one mode for each kind of delimiter. */
export const mode = {
  value: 0,
  firstElement: 1,
  element: 2,
  firstKey: 3,
  key: 4,
  colon: 5,
  after: 6,
  rootEnd: 7,
  end: 8,
  string: 9,
} as const;

/** What `buildReading` does at an edge, with the token between the edge's node and its `mark`. */
export const action = {
  skip: 0,
  openObject: 1,
  openList: 2,
  close: 3,
  closeAll: 4,
  key: 5,
  bareKey: 6,
  string: 7,
  /** The quote at the mark is content; the string goes on. */
  content: 8,
  scalar: 9,
  bareWord: 10,
  /** Puts the last member's value into a list. */
  wrapLast: 11,
  /** Everything up to the next node is strict JSON. */
  strict: 12,
} as const;

/** Kinds of open containers. `doubled`: opened by two braces. `wrapped`: a list whose brackets are missing. */
export const container = { none: 0, object: 1, list: 2, doubled: 3, wrapped: 4 } as const;

const none = -1;

/**
 * The nodes that were reached in a text, and the edges between them. A node is an offset, a mode and a stack of open containers.
 * Nodes, edges and stacks are indexes into the arrays. Equal nodes have one index, and so have equal stacks.
 */
export class Lattice {
  /** Of nodes. */
  readonly at: number[] = [];
  readonly mode: number[] = [];
  readonly stack: number[] = [];
  /** Of edges; `from` and `to` are nodes. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly action: number[] = [];
  readonly mark: number[] = [];
  readonly cost: number[] = [];
  /** The edge's bits in `edit`, combined. */
  readonly edits: number[] = [];
  /** The first edge out of and into each node, and behind each edge the next one; -1: none. */
  readonly firstOut: number[] = [];
  readonly firstIn: number[] = [];
  readonly nextOut: number[] = [];
  readonly nextIn: number[] = [];
  /** Of stacks: the stack below, the kind of the innermost container, and the number of containers. 0 is the empty stack. */
  readonly parent: number[] = [0];
  readonly kind: number[] = [container.none];
  readonly depth: number[] = [0];
  readonly #stacks = new Map<number, number>();
  /** The first node at each offset, and behind each node the next one there. */
  readonly #firstAt: Int32Array;
  readonly #nextAt: number[] = [];

  constructor(length: number) {
    this.#firstAt = new Int32Array(length + 1).fill(none);
  }

  /** The node, which is made if it is new. `modeKind`: a value of `mode`. */
  node(at: number, modeKind: number, stack: number): number {
    const first = this.#firstAt[at] ?? none;
    for (let node = first; node !== none; node = this.#nextAt[node] ?? none)
      if (this.mode[node] === modeKind && this.stack[node] === stack) return node;
    const made = this.at.push(at) - 1;
    this.mode.push(modeKind);
    this.stack.push(stack);
    this.#nextAt.push(first);
    this.#firstAt[at] = made;
    this.firstOut.push(none);
    this.firstIn.push(none);
    return made;
  }

  /** Adds an edge without an edit. `actionKind`: a value of `action`. */
  edge(from: number, to: number, actionKind: number, mark: number): number {
    const made = this.from.push(from) - 1;
    this.to.push(to);
    this.action.push(actionKind);
    this.mark.push(mark);
    this.cost.push(0);
    this.edits.push(0);
    this.nextOut.push(this.firstOut[from] ?? none);
    this.firstOut[from] = made;
    this.nextIn.push(this.firstIn[to] ?? none);
    this.firstIn[to] = made;
    return made;
  }

  /** Makes an edge an edit of the text. `edits`: its bits in `edit`, combined. */
  markEdit(edge: number, edits: number, cost = 1): void {
    this.edits[edge] = edits;
    this.cost[edge] = cost;
  }

  /** A stack with one more container. */
  push(stack: number, kind: number): number {
    const key = stack * 8 + kind;
    const known = this.#stacks.get(key);
    if (known !== undefined) return known;
    const made = this.parent.push(stack) - 1;
    this.kind.push(kind);
    this.depth.push((this.depth[stack] ?? 0) + 1);
    this.#stacks.set(key, made);
    return made;
  }

  /** Whether a container of some kinds is on a stack. */
  holds(stack: number, ...kinds: readonly number[]): boolean {
    for (let open = stack; open !== 0; open = this.parent[open] ?? 0)
      if (kinds.includes(this.kind[open] ?? container.none)) return true;
    return false;
  }
}
