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
import { editKeys, type MemberChange, withItems, withMembers } from './edit-keys.ts';
import type { Inspector } from './inspector.ts';
import { recordKeyEdit, recordReplacement } from './record-edit.ts';
import { type Fixed, type Made, MadeEdits } from './made-edits.ts';
import type { KeyEdit, ObjectPlace, ValueComplaint } from './repair-rule.ts';
import { objectRules, valueRules } from './rule-table.ts';
import { elementSpot, memberSpot, type Spot } from './spot.ts';

interface Round extends Made {
  readonly value: JsonValue;
  readonly spot: Spot;
}

/** A place that was looked at and didn't fit. */
interface Misfit {
  readonly value: JsonValue;
  readonly decodings: number;
  readonly fixed: Fixed;
}

export class PlaceMender {
  readonly #inspector: Inspector;
  /** By path, then by schema: each round asks again about places that no round has changed. */
  #misfits = new Map<string, Map<JsonSchema, Misfit>>();

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
  }

  /** The same value if it fits, an edited one that fits, or the value as it was. */
  fix(value: JsonValue, spot: Spot): Fixed {
    const known = this.#misfits.get(spot.path)?.get(spot.schema);
    if (known?.value === value && known.decodings === spot.decodings) return known.fixed;
    if (this.#inspector.rounds === 0) return { kind: 'unfit', value, mended: [] };
    const fixed = this.#fixAnew(value, spot);
    if (fixed.kind === 'unfit' && isCostly(value)) {
      const { path, schema, decodings } = spot;
      const misfits = this.#misfits.get(path) ?? new Map<JsonSchema, Misfit>();
      this.#misfits.set(path, misfits.set(schema, { value, decodings, fixed }));
    }
    return fixed;
  }

  /** The arguments without what stands around them as a whole; undefined if nothing does. */
  unwrap(value: JsonValue, spot: Spot): (Made & { readonly value: JsonValue }) | undefined {
    return this.#mendValue({ value, records: [], mended: [], spot }, 'root');
  }

  #fixAnew(value: JsonValue, spot: Spot): Fixed {
    if (this.#inspector.fits(value, spot))
      return { kind: 'fits', value, numberText: spot.numberText, records: [] };
    if (this.#inspector.view(spot.schema).branches.length > 0) return this.#fixUnion(value, spot);
    let round: Round = { value, records: [], mended: [], spot };
    for (let count = 0; count < this.#inspector.rounds; count += 1) {
      const next = this.#mend(round);
      if (next === undefined) break;
      round = next;
      const { value: mended, records } = round;
      const { numberText } = round.spot;
      if (this.#inspector.fits(mended, round.spot))
        return { kind: 'fits', value: mended, numberText, records };
    }
    return { kind: 'unfit', value, mended: round.mended };
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

  #mendContents(round: Round): Round | undefined {
    const { value, spot } = round;
    const { types } = this.#inspector.view(spot.schema);
    const made = new MadeEdits(round.records, round.mended);
    if (isJsonObject(value) && types.has('object')) return this.#mendObject(value, made, spot);
    if (isJsonArray(value) && types.has('array')) return this.#mendList(value, made, spot);
    return undefined;
  }

  #mendObject(value: JsonObject, made: MadeEdits, spot: Spot): Round | undefined {
    const object = this.#mendKeys(value, made, spot);
    if (object === undefined) return undefined;
    const view = this.#inspector.view(spot.schema);
    const changes: MemberChange[] = [];
    for (const key of Object.keys(object)) {
      const member = object[key];
      const numberText = this.#inspector.numbers.textAt(object, key);
      const below = memberSpot({ view, parent: spot, numberText }, key);
      if (member === undefined || below === undefined) continue;
      const fixed = this.fix(member, below);
      made.addBelow(fixed, below.path);
      if (fixed.kind === 'fits' && fixed.value !== member) changes.push([key, fixed]);
    }
    const { records, mended } = made;
    return { value: withMembers(object, changes, this.#inspector.numbers), records, mended, spot };
  }

  /** undefined where a rule knows the keys and refuses them. */
  #mendKeys(value: JsonObject, made: MadeEdits, spot: Spot): JsonObject | undefined {
    let object = value;
    let complaints = this.#inspector.keyComplaints(object, spot);
    if (complaints.size === 0) return object;
    let place = this.#objectPlace(object, spot);
    for (const rule of objectRules) {
      if (!rule.answers.some((complaint) => complaints.has(complaint))) continue;
      const before = object;
      const proposed = rule.propose(place);
      if ('kind' in proposed) return undefined;
      const edits = proposed.filter((edit) => this.#isWorthwhile(edit, before, spot));
      if (edits.length === 0) continue;
      object = editKeys(before, edits, this.#inspector.numbers);
      complaints = this.#inspector.keyComplaints(object, spot);
      place = this.#objectPlace(object, spot);
      const { schema, path } = spot;
      const records = edits.map((edit) =>
        recordKeyEdit(this.#inspector.views, { rule, schema, path, before, edit }),
      );
      made.addKeys(records, !place.view.relatesKeys);
    }
    return object;
  }

  #objectPlace(value: JsonObject, spot: Spot): ObjectPlace {
    return { ...this.#inspector.place(value, spot), value };
  }

  /** In an open object, a key whose value wouldn't fit the optional key it resembles is a key of its own. */
  #isWorthwhile(edit: KeyEdit, object: JsonObject, spot: Spot): boolean {
    const view = this.#inspector.view(spot.schema);
    if (edit.op !== 'rename' || view.additionalProperties !== true || view.required.has(edit.to)) return true;
    const numberText = this.#inspector.numbers.textAt(object, edit.key);
    const below = memberSpot({ view, parent: spot, numberText }, edit.to);
    const fits = below === undefined || this.fix(object[edit.key] ?? null, below).kind === 'fits';
    const isTaken = fits || this.#isDropped(edit.to, editKeys(object, [edit], this.#inspector.numbers), spot);
    if (!isTaken) {
      this.#inspector.tolerate(spot, edit.key);
      this.#misfits = new Map();
    }
    return isTaken;
  }

  /** A value that says nothing is left out under its declared name. */
  #isDropped(key: string, object: JsonObject, spot: Spot): boolean {
    const place = this.#objectPlace(object, spot);
    return objectRules.some((rule) => {
      const proposed = rule.propose(place);
      return !('kind' in proposed) && proposed.some((edit) => edit.op === 'remove' && edit.key === key);
    });
  }

  #mendList(value: readonly JsonValue[], made: MadeEdits, spot: Spot): Round {
    const view = this.#inspector.view(spot.schema);
    const fixes = value.map((item, index) => {
      const numberText = this.#inspector.numbers.textAt(value, String(index));
      const below = elementSpot({ view, parent: spot, numberText }, index);
      const fixed = this.fix(item, below);
      made.addBelow(fixed, below.path);
      return fixed;
    });
    const { records, mended } = made;
    return { value: withItems(value, fixes, this.#inspector.numbers), records, mended, spot };
  }

  /** The first rule that knows the shape decides: it proposes, or it ends the place. */
  #mendValue({ value, records, spot }: Round, complaint: ValueComplaint): Round | undefined {
    const place = this.#inspector.place(value, spot);
    // Verbatim text stays what it is, also where it is not what it should be.
    if (place.view.isVerbatim && typeof value === 'string' && place.types.has('string')) return undefined;
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
      const numberText = this.#inspector.spellingAfter(value, spot, proposal.value);
      const decodings = spot.decodings + (proposal.kind === 'decode' ? 1 : 0);
      return {
        value: proposal.value,
        records: [...records, record, ...this.#inspector.repeatedKeys(proposal.value, spot)],
        // Below another value there are other places.
        mended: [],
        spot: { ...spot, decodings, numberText },
      };
    }
    return undefined;
  }

  /** Each branch on its own; taken is what exactly one value comes out of, judged by the union as a whole. */
  #fixUnion(value: JsonValue, spot: Spot): Fixed {
    const results: (Fixed & { kind: 'fits' })[] = [];
    const types = spot.types ?? this.#typesOf(spot.schema);
    for (const schema of this.#inspector.view(spot.schema).branches) {
      const fixed = this.fix(value, { ...spot, schema, types });
      if (fixed.kind === 'fits' && this.#inspector.fits(fixed.value, spot)) results.push(fixed);
    }
    const [first, ...others] = results;
    const isOnly = first !== undefined && others.every((other) => sameValue(first.value, other.value));
    return isOnly ? first : { kind: 'unfit', value, mended: [] };
  }

  #typesOf(schema: JsonSchema): ReadonlySet<JsonType> {
    const { branches, types } = this.#inspector.view(schema);
    return branches.length === 0 ? types : new Set(branches.flatMap((branch) => [...this.#typesOf(branch)]));
  }
}

/** Asking again about a number or an empty list is cheaper than remembering it. */
const isCostly = (value: JsonValue): boolean =>
  typeof value === 'string' ||
  (isJsonArray(value) && value.length > 0) ||
  (isJsonObject(value) && Object.keys(value).length > 0);
