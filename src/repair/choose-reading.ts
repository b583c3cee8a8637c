import { memoize } from '../collections/memoize.ts';
import { isContainer } from '../collections/objects.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { type JsonValue, isJsonArray, sameValue, isAnyType } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import { isMap } from '../validate/strict-checks.ts';
import { isDeclaredKey } from './read-text.ts';
import type { ContractRules } from './contract-rules.ts';
import type { RepairRecord } from './repair-rule.ts';
import { keysIn, propertyNames } from './rules/drop-empty-key.ts';
import type { TextReading } from '../text/readings/build-reading.ts';
import * as edit from '../text/readings/edits.ts';
import { type MemberNames, hasSwallowed } from '../text/readings/swallowed-members.ts';

/**
 * Edits that add or keep characters of a value by choice, so that a destructive tool must have them
 * confirmed.
 */
export const lossyEdits = edit.content | edit.bareWord;

/** A reading that the value rules and the validator have accepted, as it became. */
export interface AcceptedReading<Result> {
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
  /** Keys that were taken out of the value because they are not for the tool. */
  readonly metaKeys: readonly string[];
  readonly result: Result;
}

/**
 * `several`: two of the values that the text may have. `none`: no reading has a value that is
 * certain.
 */
export type Choice<Result> =
  | { readonly kind: 'one'; readonly reading: TextReading; readonly result: Result }
  | { readonly kind: 'several'; readonly values: readonly [JsonValue, JsonValue] }
  | { readonly kind: 'none' };

/** The schema of what the text stands for, and the rules that act on it. */
interface Place {
  readonly views: SchemaViews;
  readonly schema: JsonSchema;
  readonly rules: ContractRules;
}

/**
 * Repairs and validates each reading by itself, and chooses the one that is left. `accept` returns
 * undefined for a refused reading.
 */
export function chooseReading<Result>(
  readings: readonly TextReading[],
  place: Place,
  accept: (reading: TextReading) => AcceptedReading<Result> | undefined,
): Choice<Result> {
  const isOnly = readings.every(({ value }) => sameValue(value, readings[0]?.value ?? null));
  const fitting = readings.flatMap((reading) => {
    const acceptedReading = accept(reading);
    if (acceptedReading === undefined) return [];
    const trust = trustIn(reading, acceptedReading, place, isOnly);
    const isWitness = reading.isWitness || trust === 'unsure';
    return trust === 'refused' ? [] : [{ ...acceptedReading, reading, isWitness }];
  });
  const [first, ...others] = fitting;
  if (first === undefined) return { kind: 'none' };
  const other = others.find(({ value }) => !sameValue(value, first.value));
  if (other !== undefined) return { kind: 'several', values: [first.value, other.value] };
  // The value that such a reading has with the other string is not that of any other reading.
  if (fitting.some(({ reading }) => reading.mayHaveOtherString)) return { kind: 'none' };
  const certain = fitting.find(({ isWitness }) => !isWitness);
  return certain === undefined ? { kind: 'none' } : { ...certain, kind: 'one' };
}

/** `unsure`: the reading shows what the text may mean, and is not accepted by itself. */
type Trust = 'sure' | 'unsure' | 'refused';

/** Whether the schema confirms what was read with edits. */
function trustIn(
  reading: TextReading,
  accepted: AcceptedReading<unknown>,
  place: Place,
  isOnly: boolean,
): Trust {
  const { edits, claims, quotations } = reading;
  const parts = partsOf(place.views, accepted.value, place.schema);
  const declaredKeys = declaredNames(place.views.root);
  const isConfirmed = (claim: string | number): boolean =>
    parts.some((part) => part.value === claim && confirms(part.views, claim));
  const isRefused =
    !claims.every(isConfirmed) ||
    hasSwallowedMember(quotations, accepted.value, parts, declaredKeys) ||
    parts.some((part) => isForeign(part, edits, isOnly, declaredKeys));
  if (isRefused) return 'refused';
  return (edits & edit.moving) === 0
    ? 'sure'
    : trustInMoves(reading, accepted, { parts, declaredKeys, rules: place.rules });
}

/** Whether a text that was put in quotes holds a member that belongs beside it. */
function hasSwallowedMember(
  quotations: TextReading['quotations'],
  value: JsonValue,
  parts: readonly Part[],
  declaredKeys: ReadonlySet<string>,
): boolean {
  if (quotations.length === 0) return false;
  const spellings = new Set([...declaredKeys, ...keysIn(value)].map(spellingOf));
  return quotations.some((text) =>
    hasSwallowed(text, { spellings, others: othersAround(text, parts) }),
  );
}

/** Whether a part is a member that the schema doesn't know: it may belong to another object. */
function isForeign(
  { key, kind }: Part,
  edits: number,
  isOnly: boolean,
  declaredKeys: ReadonlySet<string>,
): boolean {
  const isContentEdited = (edits & edit.contentEdits) !== 0;
  if (kind === 'free') return isContentEdited && !isName.test(key);
  return kind === 'undeclared' && (isContentEdited || !isOnly || declaredKeys.has(key));
}

/** What the moved members are compared with. */
interface MoveContext {
  readonly parts: readonly Part[];
  readonly declaredKeys: ReadonlySet<string>;
  readonly rules: ContractRules;
}

/** Whether the schema confirms that members belong where moved closers and braces put them. */
function trustInMoves(
  { movedKeys }: TextReading,
  { records, metaKeys }: AcceptedReading<unknown>,
  { parts, declaredKeys, rules }: MoveContext,
): Trust {
  const movedParts = parts.filter(({ key }) => movedKeys.includes(key));
  const isGone = (key: string): boolean =>
    !metaKeys.includes(key) && !movedParts.some((part) => part.key === key);
  // The reading is not accepted without the member, but shows that the closer may have stood there.
  if (movedKeys.some(isGone)) return 'unsure';
  // In an object that takes any key, the schema can't confirm that a member belongs there.
  const isFree = ({ kind }: Part): boolean => kind === 'free';
  const isDeclaredElsewhere = (part: Part): boolean => isFree(part) && declaredKeys.has(part.key);
  const isRefused =
    records.some(({ rule }) => rules.acceptsAlmostAnything(rule)) ||
    // A key that holds a token may have swallowed it.
    movedKeys.some((key) => /["{}[\],:]/.test(key)) ||
    movedParts.some(isDeclaredElsewhere);
  if (isRefused) return 'refused';
  // The closer of a member whose name is declared elsewhere may have been lost before it.
  return movedParts.some(isFree) || parts.some(isDeclaredElsewhere) ? 'unsure' : 'sure';
}

const declaredNames = memoize((root: object): ReadonlySet<string> => new Set(propertyNames(root)));

/**
 * A word can be text where the schema takes any value, and a number in quotes where it takes text.
 */
const confirms = (views: readonly SchemaView[], claim: string | number): boolean =>
  typeof claim === 'string'
    ? views.some(({ types }) => types.has('string') && !isAnyType(types))
    : views.every(({ types }) => !types.has('string'));

const isName = /^[\p{L}\p{N}_\-.$]{1,64}$/u;

/** Which undeclared keys the objects around a text take; if it was repaired, all objects. */
function othersAround(text: string, parts: readonly Part[]): MemberNames['others'] {
  const places = parts.filter(({ value }) => value === text);
  const others = (places.length === 0 ? parts : places).map((part) => part.others);
  return others.find((one) => one === 'any') ?? others.find((one) => one !== 'none') ?? 'none';
}

/** A value in a reading, with the views of its schema, or of the branches of a union. */
interface Part {
  readonly value: JsonValue;
  readonly views: readonly SchemaView[];
  /** The key of a member, or the index of an element. */
  readonly key: string;
  /**
   * `undeclared`: the object around it declares keys, but not this one. `free`: it takes any key.
   * `none`: it is no member.
   */
  readonly kind: 'declared' | 'undeclared' | 'free' | 'none';
  /** Which undeclared keys the innermost object around it takes. */
  readonly others: MemberNames['others'];
}

/** By the view of a schema: itself, or those of the branches of a union. */
const branchViews = memoize((all: SchemaViews) => {
  const viewsOf = memoize(
    (view: SchemaView): readonly SchemaView[] =>
      view.branches.length === 0
        ? [view]
        : view.branches.flatMap((branch) => viewsOf(all.of(branch))),
    [],
  );
  return viewsOf;
});

/** A value and all values in it. */
function partsOf(all: SchemaViews, root: JsonValue, schema: JsonSchema): readonly Part[] {
  const viewsOf = (one: JsonSchema): readonly SchemaView[] => branchViews(all)(all.of(one));
  // Elements of one list share their views, so that a key is looked up once for all of them.
  const membersOf = memoize((_views: readonly SchemaView[]) => new Map<string | number, Below>());
  const below = (views: readonly SchemaView[], key: string | number): Below => {
    const members = membersOf(views);
    const cachedMember = members.get(key);
    if (cachedMember !== undefined) return cachedMember;
    const schemaBelow = (view: SchemaView): JsonSchema =>
      typeof key === 'number' ? (view.prefixItems[key] ?? view.items) : memberSchema(view, key);
    const member: Below = {
      views: views.flatMap((view) => viewsOf(schemaBelow(view))),
      kind: typeof key === 'number' ? 'none' : kindOf(views, key),
    };
    members.set(key, member);
    return member;
  };
  const start: Part = {
    value: root,
    views: viewsOf(schema),
    key: '',
    kind: 'none',
    others: 'none',
  };
  const parts = [start];
  // The list grows while it is read.
  for (const { value, views, others: outerStrings } of parts) {
    if (!isContainer(value)) continue;
    const isList = isJsonArray(value);
    const others = isList ? outerStrings : othersIn(views);
    const rest = isList ? Math.max(0, ...views.map(({ prefixItems }) => prefixItems.length)) : 0;
    for (const [key, member] of Object.entries<JsonValue>(value)) {
      const { views: viewsBelow, kind } = below(views, isList ? Math.min(Number(key), rest) : key);
      parts.push({ value: member, views: viewsBelow, key, kind, others });
    }
  }
  return parts;
}

/** What the schemas of a container say of a member. */
type Below = Pick<Part, 'views' | 'kind'>;

/** Which keys an object takes beside those that it declares. */
function othersIn(object: readonly SchemaView[]): MemberNames['others'] {
  const isWrittenOpen = ({ mergedSchema, properties }: SchemaView): boolean =>
    properties.size === 0 || mergedSchema['additionalProperties'] === true;
  const isOpen = (view: SchemaView): boolean => view.additionalProperties !== false;
  if (object.some((view) => isMap(view) || (isOpen(view) && isWrittenOpen(view)))) return 'any';
  return object.some(isOpen) ? 'strings' : 'none';
}

function kindOf(object: readonly SchemaView[], key: string): Part['kind'] {
  if (object.some(({ properties }) => properties.has(key))) return 'declared';
  const declaresOthers = object.some(({ properties }) => properties.size > 0);
  return declaresOthers && !object.some((view) => isDeclaredKey(view, key) || isMap(view))
    ? 'undeclared'
    : 'free';
}
