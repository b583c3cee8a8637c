// What does the engine do at one place? Keys first, then what is below, then the value itself; in rounds, top down.
import type { JsonSchema } from '../json/json-schema.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonType,
  type JsonValue,
} from '../json/json-value.ts';
import { sameValue } from '../json/same-value.ts';
import { editKeys, type MemberChange, withMembers } from './edit-keys.ts';
import type { Inspector } from './inspector.ts';
import { recordKeyEdit, recordReplacement } from './record-edit.ts';
import type { RepairRecord } from './repair-record.ts';
import type { KeyEdit, ValueComplaint } from './repair-rule.ts';
import { objectRules, valueRules } from './rule-table.ts';
import { elementSpot, memberSpot, type Spot } from './spot.ts';

/** `records` of a place that doesn't fit: what was mended below it all the same. */
export interface Fixed {
  readonly kind: 'fits' | 'unfit';
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
}

interface Round {
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
  readonly spot: Spot;
}

export class PlaceMender {
  readonly #inspector: Inspector;

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
  }

  /** The same value if it fits, an edited one that fits, or the value as it was. */
  fix(value: JsonValue, spot: Spot): Fixed {
    if (this.#inspector.fits(value, spot)) return { kind: 'fits', value, records: [] };
    if (this.#inspector.view(spot.schema).branches.length > 0) return this.#fixUnion(value, spot);
    let round: Round = { value, records: [], spot };
    for (let count = 0; count < this.#inspector.rounds; count += 1) {
      const next = this.#mend(round);
      if (next === undefined) break;
      round = next;
      const { value: mended, records } = round;
      if (this.#inspector.fits(mended, round.spot)) return { kind: 'fits', value: mended, records };
    }
    return { kind: 'unfit', value, records: round.records };
  }

  /** One round at one place; undefined if nothing changes any more. */
  #mend(round: Round): Round | undefined {
    const { value, spot } = round;
    const unwrapped = spot.path === '' && isJsonObject(value) ? this.#mendValue(round, 'root') : undefined;
    if (unwrapped !== undefined) return unwrapped;
    const below = this.#mendContents(round);
    if (below !== undefined && (below.value !== value || this.#inspector.fits(value, spot))) return below;
    const mended = below ?? round;
    return this.#mendValue(mended, this.#inspector.complaint(mended.value, spot));
  }

  #mendContents({ value, records, spot }: Round): Round | undefined {
    const { types } = this.#inspector.view(spot.schema);
    if (isJsonObject(value) && types.has('object')) return this.#mendObject(value, [...records], spot);
    if (isJsonArray(value) && types.has('array')) return this.#mendList(value, [...records], spot);
    return undefined;
  }

  #mendObject(value: JsonObject, records: RepairRecord[], spot: Spot): Round | undefined {
    const object = this.#mendKeys(value, records, spot);
    if (object === undefined) return undefined;
    const view = this.#inspector.view(spot.schema);
    const changes: MemberChange[] = [];
    for (const key of Object.keys(object)) {
      const member = object[key];
      const numberText = this.#inspector.numbers.textAt(object, key);
      const below = memberSpot({ view, parent: spot, numberText }, key);
      if (member === undefined || below === undefined) continue;
      const fixed = this.fix(member, below);
      for (const record of fixed.records) records.push(record);
      if (fixed.value !== member) changes.push([key, fixed.value]);
    }
    return { value: withMembers(object, changes, this.#inspector.numbers), records, spot };
  }

  /** undefined where a rule knows the keys and refuses them. */
  #mendKeys(value: JsonObject, records: RepairRecord[], spot: Spot): JsonObject | undefined {
    let object = value;
    for (const rule of objectRules) {
      const before = object;
      const proposed = rule.propose({ ...this.#inspector.place(before, spot), value: before });
      if ('kind' in proposed) return undefined;
      const edits = proposed.filter((edit) => this.#isWorthwhile(edit, before, spot));
      if (edits.length === 0) continue;
      object = editKeys(before, edits, this.#inspector.numbers);
      for (const edit of edits) {
        const edited = { rule, schema: spot.schema, path: spot.path, before, edit };
        records.push(recordKeyEdit(this.#inspector.views, edited));
      }
    }
    return object;
  }

  /** In an open object, a key whose value wouldn't fit the optional key it resembles is a key of its own. */
  #isWorthwhile(edit: KeyEdit, object: JsonObject, spot: Spot): boolean {
    const view = this.#inspector.view(spot.schema);
    if (edit.op !== 'rename' || view.additionalProperties !== true || view.required.has(edit.to)) return true;
    const numberText = this.#inspector.numbers.textAt(object, edit.key);
    const below = memberSpot({ view, parent: spot, numberText }, edit.to);
    const fits = below === undefined || this.fix(object[edit.key] ?? null, below).kind === 'fits';
    const isTaken = fits || this.#isDropped(edit.to, editKeys(object, [edit], this.#inspector.numbers), spot);
    if (!isTaken) this.#inspector.tolerate(spot, edit.key);
    return isTaken;
  }

  /** A value that says nothing is left out under its declared name. */
  #isDropped(key: string, object: JsonObject, spot: Spot): boolean {
    const place = { ...this.#inspector.place(object, spot), value: object };
    return objectRules.some((rule) => {
      const proposed = rule.propose(place);
      return !('kind' in proposed) && proposed.some((edit) => edit.op === 'remove' && edit.key === key);
    });
  }

  #mendList(value: readonly JsonValue[], records: RepairRecord[], spot: Spot): Round {
    const view = this.#inspector.view(spot.schema);
    const items = value.map((item, index) => {
      const numberText = this.#inspector.numbers.textAt(value, String(index));
      const fixed = this.fix(item, elementSpot({ view, parent: spot, numberText }, index));
      for (const record of fixed.records) records.push(record);
      return fixed.value;
    });
    if (items.every((item, index) => item === value[index])) return { value, records, spot };
    this.#inspector.numbers.carry(value, items, (key) => key);
    return { value: items, records, spot };
  }

  /** The first rule that knows the shape decides: it proposes, or it ends the place. */
  #mendValue({ value, records, spot }: Round, complaint: ValueComplaint): Round | undefined {
    const place = this.#inspector.place(value, spot);
    for (const rule of valueRules) {
      if (!rule.answers.includes(complaint)) continue;
      const proposal = rule.propose(place);
      if (proposal.kind === 'refused') return undefined;
      if (proposal.kind === 'silent') continue;
      const edited = {
        rule,
        schema: spot.schema,
        path: spot.path,
        before: value,
        edit: proposal.value,
      };
      const record = recordReplacement(this.#inspector.views, edited);
      const decodings = spot.decodings + (proposal.kind === 'decode' ? 1 : 0);
      return {
        value: proposal.value,
        records: [...records, record],
        spot: { ...spot, decodings, numberText: undefined },
      };
    }
    return undefined;
  }

  /** Each branch on its own; taken is what exactly one value comes out of, judged by the union as a whole. */
  #fixUnion(value: JsonValue, spot: Spot): Fixed {
    const results: Fixed[] = [];
    const types = this.#typesOf(spot.schema);
    for (const schema of this.#inspector.view(spot.schema).branches) {
      const fixed = this.fix(value, { ...spot, schema, types });
      if (fixed.kind === 'fits' && this.#inspector.fits(fixed.value, spot)) results.push(fixed);
    }
    const [first, ...others] = results;
    const isOnly = first !== undefined && others.every((other) => sameValue(first.value, other.value));
    return isOnly ? first : { kind: 'unfit', value, records: [] };
  }

  #typesOf(schema: JsonSchema): ReadonlySet<JsonType> {
    const { branches, types } = this.#inspector.view(schema);
    return branches.length === 0 ? types : new Set(branches.flatMap((branch) => [...this.#typesOf(branch)]));
  }
}
