// What does the engine do with the keys of one object? Rule by rule, each on what the one before it has left.
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { complaintsAboutKeys } from '../complaints.ts';
import { editKeys, type MemberChange, withMembers } from '../edits/edit-keys.ts';
import type { MadeEdits } from '../edits/made-edits.ts';
import { recordKeyEdit } from '../edits/record-edit.ts';
import type { Inspector } from '../inspector.ts';
import type { KeyEdit } from '../repair-rule.ts';
import { objectRules } from '../rule-table.ts';
import { memberSpot, type Spot } from '../spot.ts';

export class KeyMender {
  readonly #inspector: Inspector;
  readonly #canFit: (value: JsonValue, spot: Spot) => boolean;

  /** `canFit`: whether a value can be brought to fit a place. */
  constructor(inspector: Inspector, canFit: (value: JsonValue, spot: Spot) => boolean) {
    this.#inspector = inspector;
    this.#canFit = canFit;
  }

  /** undefined where a rule knows the keys and refuses them. */
  mend(value: JsonObject, made: MadeEdits, spot: Spot): JsonObject | undefined {
    let object = value;
    const view = this.#inspector.view(spot.schema);
    let complaints = complaintsAboutKeys(object, view);
    if (complaints.size === 0) return object;
    let place = this.#inspector.place(object, spot);
    for (const rule of objectRules) {
      if (!rule.answers.some((complaint) => complaints.has(complaint))) continue;
      const before = object;
      const proposed = rule.propose(place);
      if ('kind' in proposed) return undefined;
      const edits = proposed.filter((edit) => this.#isWorthwhile(edit, before, spot));
      if (edits.length === 0) continue;
      object = this.#inOwnForm(editKeys(before, edits, this.#inspector.numbers), edits, spot);
      complaints = complaintsAboutKeys(object, view);
      place = this.#inspector.place(object, spot);
      const { schema, path } = spot;
      const records = edits.map((edit) =>
        recordKeyEdit(this.#inspector.views, { rule, schema, path, before, edit }),
      );
      // What the model is told of a call that runs it is told of one that doesn't, too.
      made.addKeys(records, !view.relatesKeys && rule.tells !== true);
    }
    return object;
  }

  /**
   * In an open object, a key whose value wouldn't fit the optional key it resembles is a key of its own; but nothing is put
   * where it may have been meant.
   */
  #isWorthwhile(edit: KeyEdit, object: JsonObject, spot: Spot): boolean {
    const view = this.#inspector.view(spot.schema);
    if (edit.op === 'set') return !this.#inspector.isSpelledOtherwise(view, object, edit.key);
    if (edit.op !== 'rename' || view.additionalProperties !== true || view.required.has(edit.to)) return true;
    const numberText = this.#inspector.numbers.textAt(object, edit.key);
    const below = memberSpot({ view, parent: spot, numberText }, edit.to);
    const held = below && this.#inspector.inOwnForm(object[edit.key] ?? null, below.path);
    const fits = below === undefined || this.#canFit(held ?? null, below);
    const isTaken = fits || this.#isDropped(edit.to, editKeys(object, [edit], this.#inspector.numbers), spot);
    if (!isTaken) this.#inspector.tolerate(spot, edit.key);
    return isTaken;
  }

  /** Under its declared key a value may say what it didn't under another one. */
  #inOwnForm(object: JsonObject, edits: readonly KeyEdit[], { path }: Spot): JsonObject {
    const changes = edits.flatMap((edit): readonly MemberChange[] => {
      if (edit.op !== 'rename') return [];
      const held = object[edit.to] ?? null;
      const value = this.#inspector.inOwnForm(held, pointerTo(path, edit.to));
      return value === held ? [] : [[edit.to, { value, numberText: undefined }]];
    });
    return withMembers(object, changes, this.#inspector.numbers);
  }

  /** A value that says nothing is left out under its declared name. */
  #isDropped(key: string, object: JsonObject, spot: Spot): boolean {
    const place = this.#inspector.place(object, spot);
    return objectRules.some((rule) => {
      const proposed = rule.propose(place);
      return !('kind' in proposed) && proposed.some((edit) => edit.op === 'remove' && edit.key === key);
    });
  }
}
