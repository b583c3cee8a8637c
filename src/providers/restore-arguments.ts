import { type NumberTexts, noNumberTexts } from '../json/exact-numbers.ts';
import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import { exactJson, parseJson } from '../json/parse.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  objectOf,
  ownValue,
  sameValue,
} from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { mergeSchemas } from '../schema/schema-view.ts';

// Two different values for one key have no reading.
export interface PairsFrame {
  /** How numbers were spelled; what is made here is added. */
  readonly numbers: NumberTexts;
  /** Told of each object at a path, in the contract's form, that was one pair where a list of pairs is shown. */
  lonePair(path: string, value: JsonValue): void;
}

/** `decode`: a pair's value at a path. The very same value where it is no such list. */
function decodePairs(
  value: JsonValue,
  frame: PairsFrame,
  path: string,
  decode: (held: JsonValue, path: string) => JsonValue,
): JsonValue {
  // Models that know maps send one, and it is what was meant; but one pair alone is a pair.
  const isLone = isPair(value);
  const pairs = isLone ? [value] : value;
  if (!isJsonArray(pairs)) return value;
  const entries = new Map<string, JsonValue>();
  const spelled = new Map<string, string | undefined>();
  for (const pair of pairs) {
    if (!isPair(pair)) return value;
    const { key } = pair;
    const own = decode(pair.value, pointerTo(path, key));
    const text = frame.numbers.textAt(pair, 'value');
    const other = entries.get(key);
    if (other !== undefined && (!sameValue(other, own) || spelled.get(key) !== text)) return value;
    entries.set(key, own);
    spelled.set(key, text);
  }
  const made = objectOf(entries);
  for (const [key, text] of spelled) if (text !== undefined) frame.numbers.spell(made, key, text);
  if (isLone) frame.lonePair(path, made);
  return made;
}

const isPair = (value: JsonValue): value is { readonly key: string; readonly value: JsonValue } =>
  isJsonObject(value) &&
  Object.keys(value).length === 2 &&
  typeof ownValue(value, 'key') === 'string' &&
  ownValue(value, 'value') !== undefined;

// By types, constants and keys; whether the value is right is the validator's to say.
/** Where a schema's references lead, and what its keys are called in the value. */
export interface FitFrame {
  readonly root: SchemaObject;
  keyOf(declared: string): string;
}

const deepest = 24;

/** Whether nothing that is looked at stands against the value. */
function fits(schema: JsonSchema, value: JsonValue, frame: FitFrame, depth: number = 0): boolean {
  if (typeof schema === 'boolean') return schema;
  if (depth > deepest) return true;
  const plain = mergeSchemas(schema, frame.root);
  // OpenAPI's: null is a value beside what is said of the others.
  if (value === null && plain.nullable === true) return true;
  const { anyOf, oneOf, enum: members, const: constant } = plain;
  return (
    hasType(plain, value) &&
    (constant === undefined || sameValue(constant, value)) &&
    (members === undefined || members.some((member) => sameValue(member, value))) &&
    [anyOf, oneOf].every(
      (branches) =>
        branches === undefined || branches.some((branch) => fits(branch, value, frame, depth + 1)),
    ) &&
    (!isJsonObject(value) || membersFit(plain, value, frame, depth)) &&
    (!isJsonArray(value) || elementsFit(plain, value, frame, depth))
  );
}

/** The same by types alone, members aside. */
function fitsOutermost(schema: JsonSchema, value: JsonValue, { root }: FitFrame): boolean {
  if (typeof schema === 'boolean') return schema;
  return hasType(mergeSchemas(schema, root), value);
}

function hasType({ type }: SchemaObject, value: JsonValue): boolean {
  if (type === undefined) return true;
  const types: readonly string[] = [type].flat();
  const found = jsonTypeOf(value);
  return types.includes(found) || (found === 'integer' && types.includes('number'));
}

function membersFit(plain: SchemaObject, value: JsonObject, frame: FitFrame, depth: number): boolean {
  const { properties = {}, required = [], additionalProperties: others = true, patternProperties } = plain;
  if (!required.every((key) => Object.hasOwn(value, frame.keyOf(key)))) return false;
  const declared = new Map(Object.entries(properties).map(([key, schema]) => [frame.keyOf(key), schema]));
  return Object.entries(value).every(([key, member]) => {
    const schema = declared.get(key) ?? (patternProperties === undefined ? others : true);
    return fits(schema, member, frame, depth + 1);
  });
}

function elementsFit(
  plain: SchemaObject,
  value: JsonValue & readonly JsonValue[],
  frame: FitFrame,
  depth: number,
): boolean {
  const { prefixItems = [], items, minItems, maxItems } = plain;
  if (typeof minItems === 'number' && value.length < minItems) return false;
  if (typeof maxItems === 'number' && value.length > maxItems) return false;
  const rest: JsonSchema = items === undefined || isList(items) ? true : items;
  return value.every((element, index) => fits(prefixItems[index] ?? rest, element, frame, depth + 1));
}

const isList = (items: NonNullable<SchemaObject['items']>): items is readonly JsonSchema[] =>
  Array.isArray(items);

// As data, beside the schema.
export type Plan = SamePlan | NodePlan | RecordPlan | JsonTextPlan | UnionPlan | LinkPlan;

/** Nothing differs. */
interface SamePlan {
  readonly kind: 'same';
}

/** An object or a list whose members may differ. */
export interface NodePlan {
  readonly kind: 'node';
  /** By own key. */
  readonly members: ReadonlyMap<string, MemberPlan>;
  /** The same by the key that is shown, with the own one. */
  readonly byShown: ReadonlyMap<string, readonly [own: string, member: MemberPlan]>;
  /** Of keys that nobody declared. */
  readonly others: Plan;
  readonly prefix: readonly Plan[];
  readonly items: Plan;
}

export interface MemberPlan {
  readonly shown: string;
  readonly plan: Plan;
  /** What stands for a property that is left out; `null`: null means nothing else there. */
  readonly absent: 'absent' | 'null' | 'real null';
}

/** An object of any keys is a list of `{ key, value }`. */
interface RecordPlan {
  readonly kind: 'record';
  readonly value: Plan;
}

/** A value is text that holds its JSON. */
interface JsonTextPlan {
  readonly kind: 'json-text';
  readonly below: Plan;
}

/** The first branch that the value fits. */
interface UnionPlan {
  readonly kind: 'union';
  readonly branches: readonly PlanBranch[];
}

export interface PlanBranch {
  readonly own: JsonSchema;
  readonly shown: JsonSchema;
  readonly plan: Plan;
}

/** A schema that contains itself. */
interface LinkPlan {
  readonly kind: 'link';
  to(): Plan;
}

export const same: Plan = Object.freeze({ kind: 'same' });

/** A node's plan; the plain one if nothing differs in it. */
export function nodePlan(node: Omit<NodePlan, 'kind' | 'byShown'>): Plan {
  const isSame =
    [...node.prefix, node.items, node.others].every(({ kind }) => kind === 'same') &&
    [...node.members].every(
      ([own, { shown, plan, absent }]) => own === shown && plan.kind === 'same' && absent === 'absent',
    );
  if (isSame) return same;
  const byShown = new Map([...node.members].map(([own, member]) => [member.shown, [own, member]] as const));
  return { kind: 'node', ...node, byShown };
}

const planOfElement = ({ prefix, items }: NodePlan, index: number): Plan => prefix[index] ?? items;

export const unionPlan = (branches: readonly PlanBranch[]): Plan =>
  branches.every(({ plan }) => plan.kind === 'same') ? same : { kind: 'union', branches };

// What doesn't have that form stays as it came: repair and the validator come after.
const deepestText = 64;

/** What decoding must know beside the value. */
export interface DecodeFrame extends PairsFrame {
  /** Of the schema that was shown. */
  readonly shown: FitFrame;
  /** What becomes of text that holds a number of more digits than a number keeps: it stays text where code gets the value. */
  readonly longNumbers: 'text' | 'numbers';
}

/** The very same value where nothing differs. `path`: JSON Pointer in the contract's form. */
function decodeValue(plan: Plan, value: JsonValue, frame: DecodeFrame, path: string): JsonValue {
  switch (plan.kind) {
    case 'same':
      return value;
    case 'link':
      return decodeValue(plan.to(), value, frame, path);
    case 'json-text':
      return decodeText(plan.below, value, frame, path);
    case 'record':
      return decodePairs(value, frame, path, (held, below) => decodeValue(plan.value, held, frame, below));
    case 'union': {
      const branch = branchOf(plan, value, frame);
      return branch === undefined ? value : decodeValue(branch, value, frame, path);
    }
    case 'node':
      break;
  }
  if (isJsonArray(value)) return decodeList(plan, value, frame, path);
  return isJsonObject(value) ? decodeObject(plan, value, frame, path) : value;
}

/** The branch that the value fits; where it nearly fits, the only one that has its kind. */
function branchOf(
  { branches }: Plan & { readonly kind: 'union' },
  value: JsonValue,
  { shown }: DecodeFrame,
): Plan | undefined {
  const fitting = branches.find((branch) => fits(branch.shown, value, shown));
  if (fitting !== undefined) return fitting.plan;
  const [only, ...others] = branches.filter((branch) => fitsOutermost(branch.shown, value, shown));
  return others.length === 0 ? only?.plan : undefined;
}

/** Text that isn't JSON was meant as text. */
function decodeText(below: Plan, value: JsonValue, frame: DecodeFrame, path: string): JsonValue {
  if (typeof value !== 'string') return value;
  const reading = parseJson(value, deepestText);
  if (reading.kind !== 'read' || reading.repeatedKeys.length > 0) return value;
  if (reading.numbers.lossy && frame.longNumbers === 'text') return value;
  frame.numbers.adopt(reading.numbers, reading.value);
  return decodeValue(below, reading.value, frame, path);
}

function decodeList(plan: NodePlan, value: JsonArray, frame: DecodeFrame, path: string): JsonValue {
  const [only] = value;
  // A list of one, where one is shown: whoever takes it out finds it in the contract's form.
  const isWrapped = plan.members.size > 0 && value.length === 1 && isJsonObject(only);
  const decoded = value.map((element, index) =>
    decodeValue(isWrapped ? plan : planOfElement(plan, index), element, frame, pointerTo(path, index)),
  );
  return withSpellings(value, decoded, frame.numbers);
}

/** The same list where nothing differs. */
function withSpellings(from: JsonArray, to: JsonArray, numbers: NumberTexts): JsonArray {
  if (to.every((element, index) => element === from[index])) return from;
  numbers.carry(from, to, (key) => key);
  for (const [index, element] of to.entries()) {
    const text = spellingIn(from[index] ?? null, element);
    if (text !== undefined) numbers.spell(to, String(index), text);
  }
  return to;
}

/** A number that was read from text is spelled as the text is. */
const spellingIn = (sent: JsonValue, read: JsonValue): string | undefined =>
  typeof sent === 'string' && typeof read === 'number' && sent.trim() !== String(read)
    ? sent.trim()
    : undefined;

function decodeObject(plan: NodePlan, value: JsonObject, frame: DecodeFrame, path: string): JsonValue {
  // One element, where a list of them is shown.
  if (plan.members.size === 0 && plan.others.kind === 'same' && plan.items.kind !== 'same')
    return decodeValue(plan.items, value, frame, path);
  const moved = new Map<string, string>();
  let differs = false;
  const entries = Object.entries(value).flatMap(([sent, held]): readonly (readonly [string, JsonValue])[] => {
    const [own, member] = plan.byShown.get(sent) ?? [sent, undefined];
    if (member?.absent === 'null' && held === null) {
      differs = true;
      return [];
    }
    // Under its own name the same key may be there too; then both stay, and one of them is unknown.
    const name = Object.hasOwn(value, own) ? sent : own;
    const decoded = decodeValue(member?.plan ?? plan.others, held, frame, pointerTo(path, name));
    differs ||= decoded !== held || name !== sent;
    moved.set(sent, name);
    return [[name, decoded]];
  });
  return differs ? spelledObject(value, objectOf(entries), moved, frame.numbers) : value;
}

function spelledObject(
  from: JsonObject,
  to: JsonObject,
  moved: ReadonlyMap<string, string>,
  numbers: NumberTexts,
): JsonObject {
  numbers.carry(from, to, (key) => moved.get(key));
  for (const [sent, name] of moved) {
    const text = spellingIn(from[sent] ?? null, to[name] ?? null);
    if (text !== undefined) numbers.spell(to, name, text);
  }
  return to;
}

// For the history of a conversation.
/** Where the contract's own schema and the one that is shown have their parts. */
export interface EncodeFrames {
  readonly own: FitFrame;
  readonly shown: FitFrame;
}

export interface EncodeFrame extends EncodeFrames {
  /** How numbers were spelled; what is made here is added. */
  readonly numbers: NumberTexts;
}

/** A value, and how it was spelled if it is a number. */
interface Held {
  readonly value: JsonValue;
  readonly numberText: string | undefined;
}

/** Arguments of the contract as the model should have written them. */
function encodeValue(plan: Plan, held: Held, frame: EncodeFrame): JsonValue {
  const { value, numberText } = held;
  switch (plan.kind) {
    case 'same':
      return value;
    case 'link':
      return encodeValue(plan.to(), held, frame);
    case 'json-text': {
      const below = encodeValue(plan.below, held, frame);
      return typeof below === 'number' && numberText !== undefined
        ? numberText
        : exactJson(below, frame.numbers, 0);
    }
    case 'record':
      return isJsonObject(value) ? encodePairs(plan.value, value, frame) : value;
    case 'union':
      return encodeBranch(plan, held, frame);
    case 'node':
      break;
  }
  if (isJsonArray(value)) return encodeList(plan, value, frame);
  return isJsonObject(value) ? encodeObject(plan, value, frame) : value;
}

function encodeBranch(
  { branches }: Plan & { readonly kind: 'union' },
  held: Held,
  frame: EncodeFrame,
): JsonValue {
  const able = branches.filter(({ own }) => fits(own, held.value, frame.own));
  const [first] = able;
  if (first === undefined) return held.value;
  // A branch that takes any key may be another one's value too, and is not shown so.
  const encoded = able.map((branch) => ({ branch, sent: encodeValue(branch.plan, held, frame) }));
  const fitting = encoded.find(({ branch, sent }) => fits(branch.shown, sent, frame.shown));
  return (fitting ?? encoded[0])?.sent ?? held.value;
}

function encodePairs(plan: Plan, value: JsonObject, frame: EncodeFrame): JsonArray {
  return Object.entries(value).map(([key, member]) => {
    const numberText = frame.numbers.textAt(value, key);
    const sent = encodeValue(plan, { value: member, numberText }, frame);
    const pair = { key, value: sent };
    if (numberText !== undefined && sent === member) frame.numbers.spell(pair, 'value', numberText);
    return pair;
  });
}

function encodeList(plan: NodePlan, value: JsonArray, frame: EncodeFrame): JsonArray {
  const sent = value.map((element, index) => {
    const numberText = frame.numbers.textAt(value, String(index));
    return encodeValue(planOfElement(plan, index), { value: element, numberText }, frame);
  });
  frame.numbers.carry(value, sent, (key) => (sent[Number(key)] === value[Number(key)] ? key : undefined));
  return sent;
}

function encodeObject(plan: NodePlan, value: JsonObject, frame: EncodeFrame): JsonObject {
  const absent = [...plan.members].filter(
    ([own, member]) => member.absent !== 'absent' && !Object.hasOwn(value, own),
  );
  const shownKey = (key: string): string => plan.members.get(key)?.shown ?? key;
  const sent = objectOf([
    ...Object.entries(value).map(([key, held]): readonly [string, JsonValue] => {
      const numberText = frame.numbers.textAt(value, key);
      const below = plan.members.get(key)?.plan ?? plan.others;
      return [shownKey(key), encodeValue(below, { value: held, numberText }, frame)];
    }),
    ...absent.map(([, { shown }]) => [shown, null] as const),
  ]);
  frame.numbers.carry(value, sent, (key) => (sent[shownKey(key)] === value[key] ? shownKey(key) : undefined));
  return sent;
}

/** The way back takes the first branch that fits; a value of a later one must not fit it, unless it is read alike. */
export const lookAlike = (branches: readonly PlanBranch[], root: SchemaObject): boolean =>
  branches.some((later, index) =>
    branches.slice(0, index).some((earlier) => {
      const isSame = later.plan.kind === 'same' && earlier.plan.kind === 'same';
      return !isSame && canBe(later, earlier, root, 0);
    }),
  );

type Shown = Pick<PlanBranch, 'own' | 'shown' | 'plan'>;

const deepestLookAlike = 6;

/** Whether a value that is sent for one branch may fit another one. */
function canBe(sent: Shown, other: Shown, root: SchemaObject, depth: number): boolean {
  const [one, two] = [seen(sent, root), seen(other, root)];
  if (isNull(one) !== isNull(two) && (one === undefined || two === undefined)) return false;
  if (one === undefined || two === undefined || depth > deepestLookAlike) return true;
  if (one.anyOf !== undefined)
    return one.anyOf.some((branch) => canBe({ ...sent, shown: branch }, other, root, depth + 1));
  if (two.anyOf !== undefined)
    return two.anyOf.some((branch) => canBe(sent, { ...other, shown: branch }, root, depth + 1));
  const types = typesIn(one).filter((type) => typesIn(two).includes(type));
  if (types.length === 0 && typesIn(one).length > 0 && typesIn(two).length > 0) return false;
  if (membersApart(one, two)) return false;
  const isRecord = sent.plan.kind === 'record' || other.plan.kind === 'record';
  if (types.length === 1 && types[0] === 'object') return objectCanBe(one, two, root, depth);
  if (types.length === 1 && types[0] === 'array' && !isRecord)
    return canBe(itemsOf(one, sent.plan), itemsOf(two, other.plan), root, depth + 1);
  return true;
}

/** What is shown; of a definition that is being made still, what it is made from. */
function seen({ shown }: Shown, root: SchemaObject): SchemaObject | undefined {
  if (typeof shown === 'boolean') return undefined;
  if (shown.$ref === undefined) return shown;
  const own = mergeSchemas(shown, root);
  if (own.properties !== undefined) return { ...own, additionalProperties: false };
  return own.type === undefined || [own.type].flat().includes('object') ? undefined : own;
}

const isNull = (schema: SchemaObject | undefined): boolean => schema?.type === 'null';

/** A whole number is a number. */
const typesIn = ({ type }: SchemaObject): readonly string[] =>
  type === undefined ? [] : [type].flat().map((said) => (said === 'integer' ? 'number' : said));

function membersApart(one: SchemaObject, two: SchemaObject): boolean {
  const [first, second] = [membersOf(one), membersOf(two)];
  if (first === undefined || second === undefined) return false;
  return !first.some((member) => second.some((other) => sameValue(member, other)));
}

const membersOf = ({ enum: members, const: constant }: SchemaObject): SchemaObject['enum'] =>
  constant === undefined ? members : [constant];

function objectCanBe(one: SchemaObject, two: SchemaObject, root: SchemaObject, depth: number): boolean {
  const [first, second] = [
    new Map(Object.entries(one.properties ?? {})),
    new Map(Object.entries(two.properties ?? {})),
  ];
  if ((two.required ?? []).some((key) => !first.has(key))) return false;
  const required = one.required ?? [];
  if (two.additionalProperties === false && required.some((key) => !second.has(key))) return false;
  return required.every((key) => {
    const [held, other] = [first.get(key), second.get(key)];
    return held === undefined || other === undefined || canBe(plain(held), plain(other), root, depth + 1);
  });
}

const plain = (shown: JsonSchema): Shown => ({ own: shown, shown, plan: { kind: 'same' } });

function itemsOf({ items }: SchemaObject, plan: Plan): Shown {
  const shown = items === undefined || isList(items) ? true : items;
  return { ...plain(shown), plan: plan.kind === 'node' ? plan.items : { kind: 'same' } };
}

export interface ShownPlace {
  /** How the value there differs. */
  readonly plan: Plan;
  /** JSON Pointer of the place, with the keys that are shown. A map's key is one that is shown as a list of pairs. */
  readonly path: string;
}

/** `path`: JSON Pointer in the contract's own arguments. */
export function placeIn(root: Plan, path: string): ShownPlace {
  return pointerKeys(path).reduce<ShownPlace>(
    (place, key) => {
      const { plan, shown } = memberBelow(place.plan, key);
      return { plan, path: pointerTo(place.path, shown) };
    },
    { plan: root, path: '' },
  );
}

interface Below {
  readonly plan: Plan;
  readonly shown: string;
}

function memberBelow(plan: Plan, key: string): Below {
  switch (plan.kind) {
    case 'same':
      return { plan, shown: key };
    case 'link':
      return memberBelow(plan.to(), key);
    case 'json-text':
      return memberBelow(plan.below, key);
    case 'record':
      return { plan: plan.value, shown: key };
    case 'union':
      return onlyBelow(
        plan.branches.map((branch) => memberBelow(branch.plan, key)),
        key,
      );
    case 'node':
      break;
  }
  const member = plan.members.get(key);
  if (member !== undefined) return member;
  const isElement = plan.others.kind === 'same' && /^\d+$/.test(key);
  return { plan: isElement ? planOfElement(plan, Number(key)) : plan.others, shown: key };
}

/** What branches say differently can't be known without the value. */
function onlyBelow(places: readonly Below[], key: string): Below {
  const different = places.filter(({ plan, shown }) => plan.kind !== 'same' || shown !== key);
  const [only, ...others] = different;
  return only !== undefined && others.length === 0 ? only : { plan: same, shown: key };
}

/** What differs between a contract's arguments and the same in the form that was shown. */
export interface WayBack extends EncodeFrames {
  readonly plan: Plan;
}

export type SentForm = Omit<DecodeFrame, 'shown'>;

/** The contract's own arguments; the very same object where nothing differs. */
export const decodeArguments = ({ plan, shown }: WayBack, value: JsonObject, form: SentForm): JsonObject =>
  objectOr(decodeValue(plan, value, { ...form, shown }, ''), value);

/** The same of a value that comes to stand at a place of the contract. `path`: JSON Pointer. */
export const decodeAt = (
  { plan, shown }: WayBack,
  { value, path }: { readonly value: JsonValue; readonly path: string },
  form: SentForm,
): JsonValue => decodeValue(placeIn(plan, path).plan, value, { ...form, shown }, path);

/** The arguments as the model should have written them. */
export const encodeArguments = (
  { plan, ...frames }: WayBack,
  value: JsonObject,
  numbers: NumberTexts = noNumberTexts.copied(),
): JsonObject => objectOr(encodeValue(plan, { value, numberText: undefined }, { ...frames, numbers }), value);

const objectOr = (value: JsonValue, other: JsonObject): JsonObject => (isJsonObject(value) ? value : other);
