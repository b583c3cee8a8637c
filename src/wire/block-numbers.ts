// Tells the blocks of a streamed answer apart: servers give two of them one index, or none.

interface NumberedBlock {
  readonly number: number;
  readonly id: string | undefined;
}

/** Numbers of their own for the blocks of one answer. A block whose index is its own keeps it. */
export class BlockNumbers {
  readonly #byIndex = new Map<unknown, NumberedBlock[]>();
  readonly #takenNumbers = new Set<number>();
  #next = 0;
  #last: number | undefined;

  /** The number of a block that begins. `index`: as it was sent; undefined if it was absent. */
  begin(index: unknown, id?: string): number {
    const isOwn = typeof index === 'number' && !this.#takenNumbers.has(index);
    const number = isOwn ? index : this.#next;
    this.#takenNumbers.add(number);
    this.#next = Math.max(this.#next, number + 1);
    const others = this.#byIndex.get(index) ?? [];
    others.push({ number, id });
    this.#byIndex.set(index, others);
    this.#last = number;
    return number;
  }

  /**
   * The number of the block that a part belongs to: of those with its index the one with its id,
   * else the last. A part without an index belongs to the last block. undefined: no block began
   * with this index.
   */
  find(index: unknown, id?: string): number | undefined {
    const sameIndex = this.#byIndex.get(index) ?? [];
    const sameId = id === undefined ? undefined : sameIndex.findLast((block) => block.id === id);
    const number = (sameId ?? sameIndex.at(-1))?.number;
    return number ?? (typeof index === 'number' ? undefined : this.#last);
  }
}
