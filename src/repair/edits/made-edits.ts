// What has been done at one place so far, and which of the places as sent would fit now for certain?
import type { JsonValue } from '../../json/json-value.ts';
import type { Spelled } from '../digits/follow-spellings.ts';
import type { RepairRecord } from '../repair-record.ts';

/** What became of a place. Unfit: the value as it was, and the places below it that would fit all the same. */
export type Fixed =
  | (Spelled & { readonly kind: 'fits'; readonly records: readonly RepairRecord[] })
  | { readonly kind: 'unfit'; readonly value: JsonValue; readonly mended: readonly string[] };

export interface Made {
  readonly records: readonly RepairRecord[];
  readonly mended: readonly string[];
}

/** Collects the records of one round; nothing of a place that stays unfit is kept. */
export class MadeEdits implements Made {
  readonly #records: RepairRecord[];
  readonly #mended: string[];
  /** Edits of keys that stand or fall together. */
  readonly #keyEdits: (readonly RepairRecord[])[] = [];
  readonly #unfit = new Set<string>();

  constructor(records: readonly RepairRecord[], mended: readonly string[]) {
    this.#records = [...records];
    this.#mended = [...mended];
  }

  get records(): readonly RepairRecord[] {
    return this.#records;
  }

  /** Keys that were edited count only if the values under their new names fit. */
  get mended(): readonly string[] {
    if (this.#keyEdits.length === 0) return this.#mended;
    const certain = this.#keyEdits
      .map((edits) => edits.flatMap(placesOf))
      .filter((places) => places.every((place) => !this.#unfit.has(place)));
    return [...this.#mended, ...certain.flat()];
  }

  /** `isCertain`: no other key than these decides whether they are right. */
  addKeys(edits: readonly RepairRecord[], isCertain: boolean): void {
    for (const record of edits) this.#records.push(record);
    if (!isCertain) return;
    const isMove = ({ operations: [operation] }: RepairRecord): boolean => operation?.op === 'move';
    // Each renamed key for itself; what was taken apart and put together anew as one.
    for (const record of edits.filter(isMove)) this.#keyEdits.push([record]);
    this.#keyEdits.push(edits.filter((record) => !isMove(record)));
  }

  /** What became of a member or an element. */
  addBelow(fixed: Fixed, path: string): void {
    if (fixed.kind === 'unfit') {
      this.#unfit.add(path);
      for (const place of fixed.mended) this.#mended.push(place);
    } else if (fixed.records.length > 0) {
      this.#mended.push(path);
      for (const record of fixed.records) this.#records.push(record);
    }
  }
}

const placesOf = ({ operations }: RepairRecord): readonly string[] =>
  operations.flatMap((operation) =>
    operation.op === 'move' ? [operation.from, operation.path] : [operation.path],
  );
