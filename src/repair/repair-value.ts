import { pointerTo } from '../json/json-pointer.ts';
import { pathInLink } from '../json/markdown-link.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  sameValue,
} from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaView, SchemaViews } from '../schema/schema-view.ts';
import {
  type Fixed,
  type Made,
  MadeEdits,
  type MemberChange,
  editKeys,
  nothingMade,
  recordKeyEdit,
  recordReplacement,
  withMembers,
} from './edits.ts';
import { foldMember, isNullWord, startsLikeContainer } from './read-text.ts';
import {
  type KeyEdit,
  type RepairRecord,
  type ValueComplaint,
  complaintAbout,
  complaintsAboutKeys,
} from './repair-rule.ts';
import { type Inspector, type Spot, elementSpot, memberSpot, rootSpot } from './repair-state.ts';
import { objectRules, valueRulesFor } from './rule-table.ts';

// One is, if there is no other, and none needless.
type Fitting = Fixed & { readonly kind: 'fits' };

/** undefined where several different values are left. */
function onlyResult(results: readonly Fitting[]): Fitting | undefined {
  const [first, ...others] = results.filter((result) => !results.some((other) => goesOn(result, other)));
  return first !== undefined && others.every(({ value }) => sameValue(first.value, value))
    ? first
    : undefined;
}

/**
 * Made of what the other one is by more edits, where that one is nothing but what the text says: the text is read as
 * that and only that, it fits, so nothing more is to be edited there.
 */
const goesOn = ({ records }: Fitting, other: Fitting): boolean =>
  records.length > other.records.length &&
  other.records.length > 0 &&
  other.records.every(
    (record, at) =>
      reading.has(record.rule) && (isSameEdit(record, records[at]) || isSameInList(record, records, at)),
  );

/** The rules that read a text as what it spells: a list, an object, the path in a link. */
const reading: ReadonlySet<string> = new Set([
  'json_text_to_array',
  'json_text_to_object',
  'md_link_to_path',
]);

/** A link that is read as its path is the same in a list that was made of it. */
function isSameInList(record: RepairRecord, records: readonly RepairRecord[], at: number): boolean {
  const wrapped = records[at];
  const inside = records[at + 1];
  if (wrapped?.rule !== 'wrap_in_array' || wrapped.path !== record.path) return false;
  return inside?.rule === record.rule && inside.path === `${record.path}/0`;
}

const isSameEdit = (left: RepairRecord, right: RepairRecord | undefined): boolean =>
  left.rule === right?.rule &&
  left.path === right.path &&
  JSON.stringify(left.operations) === JSON.stringify(right.operations);

// Each member and each element on its own. Leaves alone: several elements of a list of lists that may each be meant
// as a list of one, or together as one list.
/** Where the contents stand, what is made of them, and who mends a value at a place. */
export interface Contents {
  readonly spot: Spot;
  readonly made: MadeEdits;
  readonly fix: (value: JsonValue, spot: Spot) => Fixed;
}

/** The object with those members that fit now. */
function mendMembers(inspector: Inspector, object: JsonObject, contents: Contents): JsonObject {
  const { spot, made, fix } = contents;
  const view = inspector.view(spot.schema);
  const changes: MemberChange[] = [];
  for (const key of Object.keys(object)) {
    const member = object[key];
    const below = memberSpot({ view, parent: spot, within: object }, key);
    if (member === undefined || below === undefined) continue;
    const fixed = fix(member, below);
    made.addBelow(fixed, below.path);
    if (fixed.kind === 'fits' && fixed.value !== member) changes.push([key, fixed.value]);
  }
  return withMembers(object, changes);
}

/** The list with those elements that fit now. */
function mendElements(inspector: Inspector, list: JsonArray, contents: Contents): JsonArray {
  const { spot, made, fix } = contents;
  const view = inspector.view(spot.schema);
  if (isOneElement(inspector, list, view, contents)) return list;
  const fixes = list.map((item, index) => {
    const below = elementSpot({ view, parent: spot, within: list }, index);
    const fixed = fix(item, below);
    made.addBelow(fixed, below.path);
    return fixed.value;
  });
  return fixes.every((item, index) => item === list[index]) ? list : fixes;
}

/** Whether a list of several that are no lists could as a whole be one element of a list of lists. */
function isOneElement(
  inspector: Inspector,
  list: JsonArray,
  view: SchemaView,
  { spot, fix }: Contents,
): boolean {
  if (list.length < 2 || typeof view.items === 'boolean' || list.some(isSpelledList)) return false;
  if (!inspector.typesOf(view.items).has('array')) return false;
  const below = elementSpot({ view, parent: spot, within: list }, 0);
  return !list.some((item) => inspector.fits(item, below)) && fix(list, below).kind === 'fits';
}

const isSpelledList = (value: JsonValue): boolean =>
  isJsonArray(value) || (typeof value === 'string' && startsLikeContainer(value));

// Rule by rule, each on what the one before it has left.
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
    const below = memberSpot({ view, parent: spot, within: object }, edit.to);
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
      return value === held ? [] : [[edit.to, value]];
    });
    return withMembers(object, changes);
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

// Each round asks again about those that no round has changed.
interface Misfit {
  readonly value: JsonValue;
  /** Keys that were to stay as they came by then: another one could change the answer. */
  readonly tolerations: number;
  readonly fixed: Fixed;
}

class Misfits {
  /** By path, then by schema. */
  readonly #known = new Map<string, Map<JsonSchema, Misfit>>();

  find(value: JsonValue, { path, schema }: Spot, tolerations: number): Fixed | undefined {
    // Asked for each place, and nearly always in vain.
    const known = this.#known.size === 0 ? undefined : this.#known.get(path)?.get(schema);
    return known?.value === value && known.tolerations === tolerations ? known.fixed : undefined;
  }

  keep(fixed: Fixed, value: JsonValue, { path, schema }: Spot, tolerations: number): void {
    if (!isCostly(value)) return;
    const misfits = this.#known.get(path) ?? new Map<JsonSchema, Misfit>();
    this.#known.set(path, misfits.set(schema, { value, tolerations, fixed }));
  }
}

/** Characters of a text that costs less to be looked at again than to be remembered. */
const shortText = 64;

/** Asking again about a number or a short text is cheaper than remembering it. */
const isCostly = (value: JsonValue): boolean =>
  typeof value === 'string' ? value.length > shortText : typeof value === 'object' && value !== null;

// Not those whose discriminator says another word.
/**
 * Without the branches that no rule could bring the value to: objects that ask for one word under a key where the value
 * has another one. To try them would change nothing but the time it takes.
 */
export function possibleBranches(
  value: JsonValue,
  branches: readonly JsonSchema[],
  views: SchemaViews,
): readonly JsonSchema[] {
  if (!isJsonObject(value)) return branches;
  return branches.filter((branch) => !isContradicted(value, views.of(branch), views));
}

function isContradicted(value: JsonObject, view: SchemaView, views: SchemaViews): boolean {
  if (view.types.size !== 1 || !view.types.has('object')) return false;
  return discriminatorsOf(view, views).some(([key, word]) => {
    const said = Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof said === 'string' && isSettled(said) && !isSpelling(said, word);
  });
}

/** Text that no rule reads as anything but a spelling of a member. */
const isSettled = (text: string): boolean =>
  text.trim() !== '' && !isNullWord(text) && pathInLink(text) === undefined;

const isSpelling = (text: string, word: string): boolean =>
  text === word || foldMember(text) === foldMember(word);

type Discriminator = readonly [key: string, word: string];

const knownEdits = new WeakMap<SchemaView, readonly Discriminator[]>();

/** Keys under which an object has to have the one word; found out once. */
function discriminatorsOf(view: SchemaView, views: SchemaViews): readonly Discriminator[] {
  let found = knownEdits.get(view);
  if (found === undefined) {
    found = [...view.properties].flatMap(([key, schema]) => {
      const { members, types, branches } = views.of(schema);
      const [word, ...others] = members ?? [];
      const isOne = typeof word === 'string' && others.length === 0 && branches.length === 0;
      return isOne && types.has('string') ? [[key, word] as const] : [];
    });
    knownEdits.set(view, found);
  }
  return found;
}

// Each branch on its own; taken is the only outcome.
/** What exactly one value comes out of, validated by the union as a whole. `fix`: mends a value at a place. */
function mendUnion(
  inspector: Inspector,
  value: JsonValue,
  spot: Spot,
  fix: (value: JsonValue, spot: Spot) => Fixed,
): Fixed {
  const results: (Fixed & { kind: 'fits' })[] = [];
  const types = spot.types ?? inspector.typesOf(spot.schema);
  const { branches } = inspector.view(spot.schema);
  // The arguments as a whole may stand in an envelope.
  const possible = spot.path === '' ? branches : possibleBranches(value, branches, inspector.views);
  for (const schema of possible) {
    const fixed = fix(value, { ...spot, schema, types });
    if (fixed.kind === 'fits' && inspector.fits(fixed.value, spot)) results.push(fixed);
  }
  return onlyResult(results) ?? { kind: 'unfit', value, mended: [] };
}

// The first rule that knows its shape decides.
export interface MendedValue {
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
  /** The same place, with what is now known of the value there. */
  readonly spot: Spot;
}

/** undefined where no rule knows the shape, or the one that does refuses it. `asked`: what is wrong, if it's known. */
function mendValue(
  inspector: Inspector,
  value: JsonValue,
  spot: Spot,
  asked?: ValueComplaint,
): MendedValue | undefined {
  const place = inspector.place(value, spot);
  // Verbatim text stays what it is, also where it is not what it should be.
  if (place.view.isVerbatim && typeof value === 'string' && place.types.has('string')) return undefined;
  for (const rule of valueRulesFor[asked ?? complaintAbout(place)]) {
    const proposal = rule.propose(place);
    if (proposal.kind === 'refused') return undefined;
    if (proposal.kind === 'silent') continue;
    const { schema, path } = spot;
    // What was around it is no place of the contract, so what is inside was not read yet.
    const made =
      asked === 'root' && proposal.kind === 'replace'
        ? inspector.inOwnForm(proposal.value, path)
        : proposal.value;
    const edited = { rule, schema, path, before: value, edit: made };
    const decodings = spot.decodings + (proposal.kind === 'decode' ? 1 : 0);
    return {
      value: made,
      records: [recordReplacement(inspector.views, edited), ...inspector.repeatedKeys(proposal.value, spot)],
      spot: { ...spot, decodings },
    };
  }
  return undefined;
}

// Keys first, then what is below, then the value itself; in rounds, top down.
interface Round {
  readonly value: JsonValue;
  readonly spot: Spot;
  readonly made: Made;
  /** Whether the places below are those that were sent, or another value's. */
  readonly below: 'sent' | 'made';
}

export class PlaceMender {
  readonly #inspector: Inspector;
  readonly #keys: KeyMender;
  readonly #misfits = new Misfits();

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    this.#keys = new KeyMender(inspector, (value, spot) => this.fix(value, spot).kind === 'fits');
  }

  /** The arguments as a whole. Where digits are lost they may fit all the same. */
  fixRoot(value: JsonValue): Fixed {
    const spot = rootSpot(this.#inspector.views.root);
    return this.#inspector.numbers.lossy ? this.fix(value, spot) : this.#fixMisfit(value, spot);
  }

  /** The same value if it fits, an edited one that fits, or the value as it was. */
  fix(value: JsonValue, spot: Spot): Fixed {
    const { rounds, tolerations } = this.#inspector;
    const known = this.#misfits.find(value, spot, tolerations);
    if (known !== undefined) return known;
    if (rounds === 0) return { kind: 'unfit', value, mended: [] };
    const fixed = this.#fixAnew(value, spot);
    if (fixed.kind === 'unfit') this.#misfits.keep(fixed, value, spot, this.#inspector.tolerations);
    return fixed;
  }

  /** The arguments without what stands around them as a whole; undefined if nothing does. */
  unwrap(value: JsonValue, spot: Spot): Round | undefined {
    return this.#mendValue({ value, spot, made: nothingMade, below: 'sent' }, 'root');
  }

  #fixAnew(value: JsonValue, spot: Spot): Fixed {
    return this.#inspector.fits(value, spot)
      ? { kind: 'fits', value, records: [] }
      : this.#fixMisfit(value, spot);
  }

  #fixMisfit(value: JsonValue, spot: Spot): Fixed {
    if (this.#inspector.view(spot.schema).branches.length > 0)
      return mendUnion(this.#inspector, value, spot, this.#fixBelow);
    let round: Round = { value, spot, made: nothingMade, below: 'sent' };
    for (let count = 0; count < this.#inspector.rounds; count += 1) {
      const next = this.#mend(round);
      if (next === undefined) break;
      round = next;
      const { value: mended, made } = round;
      if (this.#inspector.fits(mended, round.spot))
        return { kind: 'fits', value: mended, records: made.records };
    }
    return { kind: 'unfit', value, mended: round.below === 'sent' ? round.made.mended : [] };
  }

  /** One round at one place; undefined if nothing changes any more. */
  #mend(round: Round): Round | undefined {
    const { value, spot } = round;
    const unwrapped = spot.path === '' && isJsonObject(value) ? this.#mendValue(round, 'root') : undefined;
    if (unwrapped !== undefined) return unwrapped;
    const below = this.#mendContents(round);
    if (below !== undefined && (below.value !== value || this.#inspector.fits(value, spot))) return below;
    return this.#mendValue(below ?? round);
  }

  #mendContents(round: Round): Round | undefined {
    const { value, spot, made } = round;
    const { types } = this.#inspector.view(spot.schema);
    const edits = new MadeEdits(made);
    if (isJsonObject(value) && types.has('object')) return this.#mendObject(value, edits, round);
    if (isJsonArray(value) && types.has('array')) return this.#mendList(value, edits, round);
    return undefined;
  }

  #mendObject(value: JsonObject, made: MadeEdits, { spot, below }: Round): Round | undefined {
    const object = this.#keys.mend(value, made, spot);
    if (object === undefined) return undefined;
    const members = mendMembers(this.#inspector, object, { spot, made, fix: this.#fixBelow });
    return { value: members, spot, made, below };
  }

  #mendList(value: JsonArray, made: MadeEdits, { spot, below }: Round): Round {
    const elements = mendElements(this.#inspector, value, { spot, made, fix: this.#fixBelow });
    return { value: elements, spot, made, below };
  }

  readonly #fixBelow = (value: JsonValue, spot: Spot): Fixed => this.fix(value, spot);

  #mendValue({ value, made, spot }: Round, asked?: ValueComplaint): Round | undefined {
    const mended = mendValue(this.#inspector, value, spot, asked);
    if (mended === undefined) return undefined;
    const { records, ...after } = mended;
    return { ...after, made: { records: [...made.records, ...records], mended: [] }, below: 'made' };
  }
}
