// What has been done at one place so far, and which of the places as sent would fit now for certain?
import type { JsonValue } from '../../json/json-value.ts';
import type { Spelled } from '../digits/follow-spellings.ts';
import type { RepairRecord } from '../repair-record.ts';

/** What became of a place. Unfit: the value as it was, and the places below it that would fit all the same. */
export type Fixed =
  | (Spelled & { readonly kind: 'fits'; readonly records: readonly RepairRecord[] })
  | { readonly kind: 'unfit'; readonly value: JsonValue; readonly mended: readonly string[] };

/** `mended` is asked for only where a call is rejected in the end. */
export interface Made {
  readonly records: readonly RepairRecord[];
  readonly mended: readonly string[];
}

export const nothingMade: Made = Object.freeze({ records: [], mended: [] });

/** Collects the records of one round; nothing of a place that stays unfit is kept. */
export class MadeEdits implements Made {
  readonly #before: Made;
  readonly #records: RepairRecord[];
  readonly #mendedBelow: string[] = [];
  /** Edits of keys that no other key decides about. */
  readonly #keyEdits: (readonly RepairRecord[])[] = [];
  readonly #unfit: string[] = [];

  /** `before`: what the rounds before have done. */
  constructor(before: Made) {
    this.#before = before;
    this.#records = [...before.records];
  }

  get records(): readonly RepairRecord[] {
    return this.#records;
  }

  /** Keys that were edited count only if the values under their new names fit. */
  get mended(): readonly string[] {
    const unfit = new Set(this.#unfit);
    const certain = this.#keyEdits
      .flatMap(standingTogether)
      .map((edits) => edits.flatMap(placesOf))
      .filter((places) => places.every((place) => !unfit.has(place)));
    return [...this.#before.mended, ...this.#mendedBelow, ...certain.flat()];
  }

  /** `isCertain`: no other key than these decides whether they are right. */
  addKeys(edits: readonly RepairRecord[], isCertain: boolean): void {
    for (const record of edits) this.#records.push(record);
    if (isCertain) this.#keyEdits.push(edits);
  }

  /** What became of a member or an element. */
  addBelow(fixed: Fixed, path: string): void {
    if (fixed.kind === 'unfit') {
      this.#unfit.push(path);
      for (const place of fixed.mended) this.#mendedBelow.push(place);
    } else if (fixed.records.length > 0) {
      this.#mendedBelow.push(path);
      for (const record of fixed.records) this.#records.push(record);
    }
  }
}

/** Each renamed key for itself; what was taken apart and put together anew as one. */
function standingTogether(edits: readonly RepairRecord[]): readonly (readonly RepairRecord[])[] {
  const isMove = ({ operations: [operation] }: RepairRecord): boolean => operation?.op === 'move';
  return [...edits.filter(isMove).map((record) => [record]), edits.filter((record) => !isMove(record))];
}

const placesOf = ({ operations }: RepairRecord): readonly string[] =>
  operations.flatMap((operation) =>
    operation.op === 'move' ? [operation.from, operation.path] : [operation.path],
  );
