// How is a value that the judge refuses brought to one that it accepts? Top down, only where it fails, all or nothing.
import type { JsonSchema } from '../json/json-schema.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonType,
  type JsonValue,
} from '../json/json-value.ts';
import type { NumberTexts } from '../json/number-texts.ts';
import { sameValue } from '../json/same-value.ts';
import type { Judge } from '../validate/judge.ts';
import { editKeys, type MemberChange } from './edit-keys.ts';
import { Inspector } from './inspector.ts';
import type { Spot } from './spot.ts';
import { memberSpot, elementSpot } from './spot.ts';
import { RepairLedger } from './repair-ledger.ts';
import { defaultRepairLimits, type RepairLimits } from './repair-limits.ts';
import type { RepairRecord } from './repair-record.ts';
import { objectRules, valueRules } from './rule-table.ts';

/** `mended`: places that would fit now, so that their issues need not be told. */
export type RepairResult =
  | { readonly kind: 'repaired'; readonly value: JsonValue; readonly records: readonly RepairRecord[] }
  | { readonly kind: 'failed'; readonly mended: readonly string[]; readonly isOverBudget: boolean };

export interface RepairRequest {
  readonly value: JsonValue;
  readonly numbers: NumberTexts;
  /** Characters of what was sent; decoding is bounded by it. */
  readonly size: number;
  readonly limits?: RepairLimits;
}

/** Proposals at the failing places, judged again, until the whole call passes or nothing helps. */
export function repairArguments(judge: Judge, request: RepairRequest): RepairResult {
  const ledger = new RepairLedger(request.limits ?? defaultRepairLimits, request.size);
  const repair = new Repair(new Inspector(judge, ledger, request.numbers), ledger);
  const start: Spot = {
    schema: judge.views.root,
    path: '',
    name: undefined,
    isPath: false,
    types: undefined,
    decodings: 0,
  };
  const result = repair.fix(request.value, start);
  return result.kind === 'fits' && judge.accepts(result.value)
    ? { kind: 'repaired', value: result.value, records: result.records }
    : { kind: 'failed', mended: result.records.map(({ path }) => path), isOverBudget: ledger.isOverBudget };
}

/** `records` of a place that doesn't fit: what was mended below it all the same. */
interface Fixed {
  readonly kind: 'fits' | 'unfit';
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
}

interface Round {
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
  readonly spot: Spot;
}

class Repair {
  readonly #inspector: Inspector;
  readonly #ledger: RepairLedger;

  constructor(inspector: Inspector, ledger: RepairLedger) {
    this.#inspector = inspector;
    this.#ledger = ledger;
  }

  /** The same value if it fits, an edited one that fits, or the value as it was. */
  fix(value: JsonValue, spot: Spot): Fixed {
    if (this.#inspector.fits(value, spot)) return { kind: 'fits', value, records: [] };
    if (this.#inspector.view(spot.schema).branches.length > 0) return this.#fixUnion(value, spot);
    let round: Round = { value, records: [], spot };
    for (let count = 0; count < this.#ledger.limits.rounds && !this.#ledger.isOverBudget; count += 1) {
      const next = this.#mend(round);
      if (next === undefined) break;
      round = next;
      if (this.#inspector.fits(round.value, round.spot))
        return { kind: 'fits', value: round.value, records: round.records };
    }
    return { kind: 'unfit', value, records: round.records };
  }

  /** One round at one place; undefined if nothing changes any more. */
  #mend(round: Round): Round | undefined {
    const below = this.#mendContents(round);
    if (below !== undefined && below.value !== round.value) return below;
    return this.#mendValue(below ?? round);
  }

  #mendContents({ value, records, spot }: Round): Round | undefined {
    const { types } = this.#inspector.view(spot.schema);
    if (isJsonObject(value) && types.has('object')) return this.#mendObject(value, records, spot);
    if (isJsonArray(value) && types.has('array')) return this.#mendList(value, records, spot);
    return undefined;
  }

  #mendObject(value: JsonObject, earlier: readonly RepairRecord[], spot: Spot): Round {
    const records = [...earlier];
    let object = value;
    for (const rule of objectRules) {
      const edits = rule.propose({ ...this.#inspector.place(object, spot), value: object });
      if (edits.length === 0) continue;
      const edited = editKeys(object, edits, this.#inspector.numbers);
      for (const edit of edits)
        records.push(this.#inspector.recordKeyEdit(rule.id, edit, { before: object, spot }));
      object = edited;
    }
    const changes: MemberChange[] = [];
    for (const key of Object.keys(object)) {
      const member = object[key];
      const below = memberSpot(this.#inspector.view(spot.schema), spot, key);
      if (member === undefined || below === undefined) continue;
      const fixed = this.fix(member, below);
      for (const record of fixed.records) records.push(record);
      if (fixed.value !== member) changes.push([key, fixed.value]);
    }
    return { value: this.#inspector.withMembers(object, changes), records, spot };
  }

  #mendList(value: readonly JsonValue[], earlier: readonly RepairRecord[], spot: Spot): Round {
    const records = [...earlier];
    const view = this.#inspector.view(spot.schema);
    const items = value.map((item, index) => {
      const fixed = this.fix(item, elementSpot(view, spot, index));
      for (const record of fixed.records) records.push(record);
      return fixed.value;
    });
    const isSame = items.every((item, index) => item === value[index]);
    return { value: isSame ? value : this.#inspector.carryNumbers(value, items), records, spot };
  }

  /** The first rule that knows the shape decides: it proposes, or it ends the place. */
  #mendValue({ value, records, spot }: Round): Round | undefined {
    const complaint = this.#inspector.complaint(value, spot);
    if (complaint === undefined) return undefined;
    const place = this.#inspector.place(value, spot);
    for (const rule of valueRules) {
      if (rule.answers !== complaint) continue;
      const proposal = rule.propose(place);
      if (proposal.kind === 'refused') return undefined;
      if (proposal.kind !== 'replace') continue;
      const record = this.#inspector.recordReplacement(rule.id, proposal.value, { value, spot });
      const isDecoded = typeof value === 'string' && rule.id.startsWith('json_text');
      const decodings = spot.decodings + (isDecoded ? 1 : 0);
      return { value: proposal.value, records: [...records, record], spot: { ...spot, decodings } };
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
    const view = this.#inspector.view(schema);
    return view.branches.length === 0
      ? view.types
      : new Set(view.branches.flatMap((branch) => [...this.#typesOf(branch)]));
  }
}
