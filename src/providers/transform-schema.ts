import { pointerTo } from '../json/json-pointer.ts';
import { type JsonType, type JsonValue, freezeDeep, objectOf } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import {
  type SchemaChange,
  admitsNull,
  divided,
  impliedType,
  keywordWords,
  requiredWords,
  typesOf,
} from './keyword-words.ts';
import {
  type DescribedTool,
  type ProviderRules,
  type SchemaRules,
  type ShownNames,
  isPrimitive,
  onceEach,
  shownSchema,
} from './provider-rules.ts';
import {
  type MemberPlan,
  type Plan,
  type PlanBranch,
  type WayBack,
  lookAlike,
  nodePlan,
  same,
  unionPlan,
} from './restore-arguments.ts';
import { conditionalProperties, flattenSchema, referencesAt, schemaToLower } from './simplify-schema.ts';

// Behind the type, so that the same schema is always the same text.
/** The schema with this description and whatever else is said of it. */
function withDescription(schema: SchemaObject, said: SchemaObject): SchemaObject {
  const { type, nullable, description: _own, ...rest } = schema;
  const { description, ...others } = said;
  const about = description === undefined ? {} : { description };
  const head = {
    ...(type === undefined ? {} : { type }),
    ...(nullable === undefined ? {} : { nullable }),
  };
  return type === undefined
    ? { ...head, ...rest, ...others, ...about }
    : { ...head, ...about, ...rest, ...others };
}

// A schema that a provider accepts, and the way back from it.
/** A schema as a provider takes it, and how its values differ from the contract's. */
export interface Lowered {
  readonly schema: SchemaObject;
  readonly plan: Plan;
}

/** Where a schema stands. */
export interface Place {
  /** JSON Pointer in the contract's schema. */
  readonly pointer: string;
  /** The references on the way here, each with the plan of what it led to. */
  readonly around: ReadonlyMap<string, () => Plan>;
}

export interface Lowering {
  readonly rules: SchemaRules;
  /** The contract's schema in JSON Schema 2020-12, with the keys that are shown. */
  readonly root: SchemaObject;
  /** A property's own name, by the one that is shown. */
  ownKey(shown: string): string;
  /** Whether any property is shown under another name. */
  readonly hasOtherKeys: boolean;
  lower(schema: JsonSchema, place: Place): Lowered;
  /** A definition, lowered once however often it is referred to. */
  define(reference: string): Plan;
  tell(change: SchemaChange): void;
  /** Puts sentences behind a description, as far as there is room. */
  describe(schema: SchemaObject, words: readonly string[], place: Place): SchemaObject;
}

// Text that holds the value's JSON.
/** `described`: what is said of the value beside that. */
function lowerAnything(described: SchemaObject, place: Place, lowering: Lowering): Lowered {
  return lowering.rules.anything === 'kept'
    ? { schema: described, plan: same }
    : jsonText({ described, words: 'any JSON value, as JSON text', below: same }, place, lowering);
}

interface JsonText {
  readonly described: SchemaObject;
  readonly words: string;
  /** How the value in the text differs from the contract's. */
  readonly below: Plan;
}

/** Text that holds the JSON of a value. What is said of the value, as its default, is no such text: it stands in words. */
function jsonText({ described, words, below }: JsonText, place: Place, lowering: Lowering): Lowered {
  lowering.tell({ kind: 'adapted', pointer: place.pointer, rule: 'any-value', what: 'is sent as JSON text' });
  const { description, ...others } = described;
  const said = Object.entries(others).flatMap(([keyword, held]) => keywordWords(keyword, held) ?? []);
  const text: SchemaObject = { type: 'string', ...(description === undefined ? {} : { description }) };
  const schema = lowering.describe(text, [words, ...said], place);
  return { schema, plan: { kind: 'json-text', below } };
}

// A list of `{ key, value }`.
/** undefined for what is no map, or may stay one. */
function lowerMap(schema: SchemaObject, place: Place, lowering: Lowering): Lowered | undefined {
  const { rules } = lowering;
  const { type, properties, required = [], patternProperties, additionalProperties: others = true } = schema;
  const isClosing = rules.objects === 'closed' || rules.objects === 'listed';
  const types: readonly string[] = type === undefined ? [] : [type].flat();
  if (!isClosing || place.pointer === '' || !types.includes('object') || required.length > 0)
    return undefined;
  if (Object.keys(properties ?? {}).length > 0) return undefined;
  const patterns: readonly JsonSchema[] = Object.values(patternProperties ?? {});
  const values = [...patterns, ...(others === false ? [] : [others])];
  if (values.length === 0)
    return rules.objects === 'listed' ? emptyObject(schema, place, lowering) : undefined;
  lowering.tell({
    kind: 'adapted',
    pointer: place.pointer,
    rule: 'map',
    what: 'is a list of { key, value }',
  });
  return asPairs(schema, values, place, lowering);
}

/** An object without keys isn't taken either. */
function emptyObject({ description }: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const described = description === undefined ? {} : { description };
  return jsonText({ described, words: 'an empty object, as JSON text: {}', below: same }, place, lowering);
}

function asPairs(
  schema: SchemaObject,
  values: readonly JsonSchema[],
  place: Place,
  lowering: Lowering,
): Lowered {
  const isNullable = [schema.type].flat().includes('null');
  const pointer = pointerTo(place.pointer, 'additionalProperties');
  const [only = true, ...more] = values;
  const value = lowering.lower(more.length === 0 ? only : { anyOf: values }, { ...place, pointer });
  const { asserted, described } = divided(schema);
  const said = Object.entries({ ...asserted, ...described })
    .filter(([keyword]) => !told.has(keyword))
    .flatMap(([keyword, held]) => keywordWords(keyword, held) ?? []);
  const { description } = schema;
  const isClosed = lowering.rules.objects === 'closed';
  const shown: SchemaObject = {
    type: isNullable && lowering.rules.types === 'lists' ? ['array', 'null'] : 'array',
    ...(isNullable && lowering.rules.types === 'nullable' ? { nullable: true } : {}),
    ...(description === undefined ? {} : { description }),
    items: {
      type: 'object',
      properties: { key: { type: 'string' }, value: value.schema },
      required: ['key', 'value'],
      ...(isClosed ? { additionalProperties: false } : {}),
    },
  };
  const words = ['an object, as a list of its keys and values', ...said];
  return { schema: lowering.describe(shown, words, place), plan: { kind: 'record', value: value.plan } };
}

const told: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'description',
]);

// Kept as they are where a provider takes all of JSON Schema; else branches that are whole in themselves, with what
// stood beside the union in each of them.
function lowerUnion(schema: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const { anyOf, oneOf, ...beside } = schema;
  const keyword = anyOf === undefined ? 'oneOf' : 'anyOf';
  const branches = anyOf ?? oneOf ?? [];
  const other = anyOf === undefined || oneOf === undefined ? {} : { allOf: [{ oneOf }] };
  const said = requiredWords(branches);
  if (lowering.rules.keeps('oneOf', oneOf)) return keptUnion(schema, place, lowering);
  if (said !== undefined) {
    const lowered = lowering.lower({ ...beside, ...other }, place);
    return { ...lowered, schema: lowering.describe(lowered.schema, [said], place) };
  }
  if (keyword === 'oneOf')
    lowering.tell({ kind: 'adapted', pointer: place.pointer, rule: 'union', what: 'is shown as anyOf' });
  const { described, asserted } = divided(beside);
  const isBare = Object.keys(asserted).length === 0 && Object.keys(other).length === 0;
  const whole = branches
    .filter((branch) => branch !== false)
    .map((branch): JsonSchema => (isBare ? branch : { allOf: [{ ...asserted, ...other }, branch] }));
  return lowerBranches(whole, described, { ...place, pointer: pointerTo(place.pointer, keyword) }, lowering);
}

/** `described`: what is said of the union as a whole. */
function lowerBranches(
  branches: readonly JsonSchema[],
  described: SchemaObject,
  place: Place,
  lowering: Lowering,
): Lowered {
  const { rules } = lowering;
  const kept = Object.entries(described).filter(
    ([keyword, held]) => keyword === 'description' || rules.keeps(keyword, held),
  );
  const words = Object.entries(described).flatMap(([keyword, held]) =>
    rules.keeps(keyword, held) ? [] : (keywordWords(keyword, held) ?? []),
  );
  const outer: SchemaObject = lowering.describe(Object.fromEntries(kept), words, place);
  const apart = rules.types === 'nullable' ? branches.filter((branch) => !isNullSchema(branch)) : branches;
  if (apart.length > 0 && apart.length < branches.length) {
    const lowered = lowerBranches(apart, described, place, lowering);
    return { ...lowered, schema: asNullable(lowered.schema) };
  }
  const [only, ...others] = branches;
  if (only === undefined) return lowerAnything(outer, place, lowering);
  const at = (index: number): Place => ({ ...place, pointer: pointerTo(place.pointer, index) });
  if (others.length === 0) {
    const inner = typeof only === 'boolean' ? {} : only;
    return lowering.lower({ ...inner, ...outer, ...joinedDescription(inner, outer) }, at(0));
  }
  const made = branches.map((own, index): PlanBranch & Lowered => {
    const lowered = lowering.lower(own, at(index));
    return { ...lowered, own, shown: lowered.schema };
  });
  const shown = flatBranches(
    made.map(({ schema }) => schema),
    outer,
  );
  if (!lookAlike(made, lowering.root)) return { schema: shown, plan: unionPlan(made) };
  const { anyOf: _branches, ...said } = shown;
  const text = { described: said, words: `the JSON text of ${branchWords(branches)}`, below: same };
  return jsonText(text, place, lowering);
}

const branchWords = (branches: readonly JsonSchema[]): string =>
  branches.map((branch) => JSON.stringify(branch)).join(' or ');

const isNullSchema = (branch: JsonSchema): boolean => typeof branch === 'object' && branch.type === 'null';

const asNullable = ({ type, ...schema }: SchemaObject): SchemaObject =>
  type === undefined ? { ...schema, nullable: true } : { type, nullable: true, ...schema };

function joinedDescription(inner: SchemaObject, outer: SchemaObject): SchemaObject {
  const both = [outer.description, inner.description].filter((text) => text !== undefined && text !== '');
  return both.length === 0 ? {} : { description: [...new Set(both)].join(' ') };
}

/** Branches without repetitions: two that were different may look the same. */
function flatBranches(branches: readonly SchemaObject[], outer: SchemaObject): SchemaObject {
  const different = new Map(branches.map((branch) => [JSON.stringify(branch), branch] as const));
  const [only, ...others] = different.values();
  return only !== undefined && others.length === 0
    ? withDescription(only, { ...outer, ...joinedDescription(only, outer) })
    : { anyOf: [...different.values()], ...outer };
}

/** Each branch is shown as it is; for the way back it is read with what stands beside it. */
function keptUnion(schema: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const { anyOf, oneOf, ...beside } = schema;
  const { asserted } = divided(beside);
  const shownBranches = (
    branches: readonly JsonSchema[] | undefined,
    keyword: string,
  ): readonly JsonSchema[] | undefined =>
    branches?.map((branch, index) => {
      const pointer = pointerTo(pointerTo(place.pointer, keyword), index);
      return typeof branch === 'boolean' ? branch : lowering.lower(branch, { ...place, pointer }).schema;
    });
  const shown = { anyOf: shownBranches(anyOf, 'anyOf'), oneOf: shownBranches(oneOf, 'oneOf') };
  const own = lowering.lower(beside, place);
  const isBare = Object.keys(asserted).length === 0;
  const wholes = lowering.hasOtherKeys ? (anyOf ?? oneOf ?? []) : [];
  const plans = wholes.map((branch): PlanBranch => {
    const whole: JsonSchema = isBare ? branch : { allOf: [asserted, branch] };
    const lowered = lowering.lower(whole, place);
    return { own: whole, shown: lowered.schema, plan: lowered.plan };
  });
  return {
    schema: {
      ...own.schema,
      ...(shown.anyOf === undefined ? {} : { anyOf: shown.anyOf }),
      ...(shown.oneOf === undefined ? {} : { oneOf: shown.oneOf }),
    },
    plan: unionPlan(plans),
  };
}

// Their schema lowered; a tuple is a list of any of its parts, and its order is said.
export interface ListParts {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
  readonly plan: { readonly prefix: readonly Plan[]; readonly items: Plan };
}

function lowerList(schema: SchemaObject, place: Place, lowering: Lowering): ListParts {
  const { prefixItems, minItems, maxItems } = schema;
  const isList = [schema.type].flat().includes('array');
  const elements =
    prefixItems === undefined
      ? lowerItems(schema, isList, place, lowering)
      : lowerTuple(schema, place, lowering);
  const bounds = { ...bound('minItems', minItems), ...bound('maxItems', maxItems), ...elements.bounds };
  const entries = Object.entries(bounds);
  const stays = (keyword: string, held: unknown): boolean =>
    lowering.rules.keeps(keyword, held) &&
    (keyword !== 'minItems' || Number(held) <= (lowering.rules.mostMinItems ?? Infinity));
  return {
    schema: {
      ...elements.schema,
      ...Object.fromEntries(entries.filter(([keyword, held]) => stays(keyword, held))),
    },
    words: [
      ...elements.words,
      ...entries.flatMap(([keyword, held]) =>
        stays(keyword, held) ? [] : (keywordWords(keyword, held) ?? []),
      ),
    ],
    plan: elements.plan,
  };
}

const anyJson = 'any JSON value, as JSON text';

const bound = (keyword: string, held: unknown): SchemaObject =>
  held === undefined ? {} : { [keyword]: held };

interface Elements extends ListParts {
  readonly bounds: SchemaObject;
}

/** Elements of one kind. */
function lowerItems(schema: SchemaObject, isList: boolean, place: Place, lowering: Lowering): Elements {
  const items = itemsOf(schema);
  const isUntyped =
    items === undefined ||
    typeof items === 'boolean' ||
    Object.keys(items).every((keyword) => keyword === 'description' || keyword === 'title');
  const pointer = pointerTo(place.pointer, 'items');
  const at = { ...place, pointer };
  const none = { words: [], bounds: {}, plan: { prefix: [], items: same } };
  if (isUntyped && (!isList || lowering.rules.untypedItems === 'kept')) {
    const shown = typeof items === 'object' ? lowering.lower(items, at).schema : items;
    return { ...none, schema: shown === undefined ? {} : { items: shown } };
  }
  if (items === false) return { ...none, schema: { items: { type: 'string' } }, bounds: { maxItems: 0 } };
  const description = typeof items === 'object' ? items.description : undefined;
  const lowered: Lowered = isUntyped
    ? jsonText(
        { described: description === undefined ? {} : { description }, words: anyJson, below: same },
        at,
        lowering,
      )
    : typedItems(lowering.lower(items, at), at, lowering);
  return { ...none, schema: { items: lowered.schema }, plan: { prefix: [], items: lowered.plan } };
}

/** Elements of several kinds, by their place. */
function lowerTuple(schema: SchemaObject, place: Place, lowering: Lowering): Elements {
  const { prefixItems = [] } = schema;
  const items = itemsOf(schema) ?? true;
  const at = (index: number): Place => ({
    ...place,
    pointer: pointerTo(pointerTo(place.pointer, 'prefixItems'), index),
  });
  const rest = { ...place, pointer: pointerTo(place.pointer, 'items') };
  const prefix = prefixItems.map((part, index) => lowering.lower(part, at(index)));
  const after = items === false ? undefined : lowering.lower(items, rest);
  const plan = { prefix: prefix.map((part) => part.plan), items: after?.plan ?? same };
  if (lowering.rules.keeps('prefixItems', prefixItems)) {
    const more =
      itemsOf(schema) === undefined
        ? {}
        : { items: typeof items === 'boolean' ? items : (after?.schema ?? items) };
    return {
      schema: { prefixItems: prefix.map((part) => part.schema), ...more },
      words: [],
      bounds: {},
      plan,
    };
  }
  lowering.tell({
    kind: 'adapted',
    pointer: place.pointer,
    rule: 'tuple',
    what: 'is a list whose order is said in words',
  });
  const kinds: readonly JsonSchema[] = [...prefixItems, ...(items === false ? [] : [items])];
  const any = typedItems(lowerBranches(kinds, {}, rest, lowering), rest, lowering);
  const bounds = items === false ? { maxItems: prefixItems.length } : {};
  return {
    schema: { items: any.schema },
    words: [keywordWords('prefixItems', prefixItems) ?? ''],
    bounds,
    plan: any.plan.kind === 'json-text' ? { prefix: [], items: any.plan } : plan,
  };
}

/** Elements that may be anything are sent as text where a list has to say what it holds. */
function typedItems(any: Lowered, place: Place, lowering: Lowering): Lowered {
  const { type, anyOf, enum: members, const: constant, $ref } = any.schema;
  const isTyped = [type, anyOf, members, constant, $ref].some((said) => said !== undefined);
  if (isTyped || lowering.rules.untypedItems === 'kept') return any;
  return jsonText({ described: {}, words: anyJson, below: same }, place, lowering);
}

function itemsOf({ items }: SchemaObject): JsonSchema | undefined {
  return items === undefined || isList(items) ? undefined : items;
}

const isList = (items: NonNullable<SchemaObject['items']>): items is readonly JsonSchema[] =>
  Array.isArray(items);

/** The same schema if it admits null already. */
function orNull(schema: SchemaObject): SchemaObject {
  if (saysNull(schema)) return schema;
  const { type, enum: members, anyOf } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type !== undefined && schema.$ref === undefined && schema.const === undefined) {
    const types = [type].flat();
    return {
      ...schema,
      type: [...types, ...(types.includes('null') ? [] : (['null'] as const))],
      ...(members === undefined ? {} : { enum: [...members, ...(members.includes(null) ? [] : [null])] }),
    };
  }
  const { described, asserted } = divided(schema);
  return { anyOf: [asserted, { type: 'null' }], ...described };
}

/** Whether null is seen at once; a reference may admit it too, and then it is said twice. */
function saysNull({ $ref, type, anyOf, enum: members, const: constant }: SchemaObject): boolean {
  if ($ref !== undefined || (constant !== undefined && constant !== null)) return false;
  if (members !== undefined && !members.includes(null)) return false;
  if (anyOf !== undefined)
    return anyOf.some((branch) => (typeof branch === 'boolean' ? branch : saysNull(branch)));
  return type === undefined || [type].flat().includes('null');
}

// Each declared one lowered; optional ones and undeclared ones as the provider has them.
export interface ObjectParts {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
  readonly plan: { readonly members: ReadonlyMap<string, MemberPlan>; readonly others: Plan };
}

interface Property {
  readonly key: string;
  readonly schema: SchemaObject;
  readonly member: MemberPlan;
}

function lowerObject(schema: SchemaObject, place: Place, lowering: Lowering): ObjectParts {
  const { rules } = lowering;
  const isObject = [schema.type].flat().includes('object');
  const declared = declaredProperties(schema, lowering);
  const properties = declared.map(([key, held]) =>
    lowerProperty({ key, held, isRequired: schema.required?.includes(key) === true }, place, lowering),
  );
  const others = lowerOthers(schema, declared.length, place, lowering);
  const required =
    rules.optional === 'null' ? properties.map(({ key }) => key) : requiredKeys(schema, declared, lowering);
  const isShown =
    schema.properties !== undefined || declared.length > 0 || (isObject && rules.objects !== 'declared');
  return {
    schema: {
      ...(isShown
        ? { properties: objectOf(properties.map(({ key, schema: shown }) => [key, shown] as const)) }
        : {}),
      ...(required.length > 0 || (isObject && rules.optional === 'null') ? { required } : {}),
      ...(isObject || schema.additionalProperties !== undefined ? others.schema : {}),
    },
    words: others.words,
    plan: {
      members: new Map(properties.map(({ key, member }) => [lowering.ownKey(key), member] as const)),
      others: others.plan,
    },
  };
}

/**
 * A property that may never be there isn't shown; one that is only required, or only declared on a condition, is, where all
 * keys have to be declared.
 */
function declaredProperties(
  schema: SchemaObject,
  { rules, root }: Lowering,
): readonly (readonly [string, JsonSchema])[] {
  const { properties = {}, required = [], additionalProperties: others = true } = schema;
  const shown = Object.entries(properties).filter(([, held]) => held !== false || rules.keeps('not', {}));
  if (rules.objects !== 'closed' && rules.objects !== 'listed') return shown;
  const conditional = others === true ? conditionalProperties(schema, root) : [];
  const declared = new Set([...Object.keys(properties), ...conditional.map(([key]) => key)]);
  const added = [...new Set(required)].filter((key) => !declared.has(key));
  return [...shown, ...conditional, ...added.map((key) => [key, others === false ? true : others] as const)];
}

const requiredKeys = (
  { required = [] }: SchemaObject,
  declared: readonly (readonly [string, JsonSchema])[],
  { rules }: Lowering,
): readonly string[] =>
  rules.objects === 'declared'
    ? required
    : [...new Set(required)].filter((key) => declared.some(([name]) => name === key));

interface DeclaredProperty {
  readonly key: string;
  readonly held: JsonSchema;
  readonly isRequired: boolean;
}

function lowerProperty(
  { key, held, isRequired }: DeclaredProperty,
  place: Place,
  lowering: Lowering,
): Property {
  const pointer = pointerTo(pointerTo(place.pointer, 'properties'), lowering.ownKey(key));
  const lowered: Lowered = lowering.lower(held, { ...place, pointer });
  const isNull = lowering.rules.optional === 'null' && !isRequired;
  if (!isNull)
    return { key, schema: lowered.schema, member: { shown: key, plan: lowered.plan, absent: 'absent' } };
  const isReal = admitsNull(held, lowering.root) && lowered.plan.kind !== 'json-text';
  lowering.tell({
    kind: 'adapted',
    pointer,
    rule: 'optional',
    what: 'is required, and null stands for leaving it out',
  });
  const absent = isReal ? 'real null' : 'null';
  return {
    key,
    schema: isReal ? lowered.schema : orNull(lowered.schema),
    member: { shown: key, plan: lowered.plan, absent },
  };
}

interface OtherKeys {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
  readonly plan: Plan;
}

/** Keys that nobody declared. */
function lowerOthers(schema: SchemaObject, declared: number, place: Place, lowering: Lowering): OtherKeys {
  const { rules } = lowering;
  const { additionalProperties: others, patternProperties } = schema;
  if (rules.objects === 'closed' || rules.objects === 'listed') {
    const isOpen = (others !== undefined && others !== false) || patternProperties !== undefined;
    const isMap = place.pointer === '' && declared === 0 && others === undefined;
    if (isOpen || (isMap && schema.properties === undefined))
      lowering.tell({ ...closed, pointer: place.pointer });
    return {
      schema: rules.objects === 'closed' ? { additionalProperties: false } : {},
      words: [],
      plan: same,
    };
  }
  const { schema: shown, plan } = lowerValues(schema, place, lowering);
  if (rules.objects === 'declared') {
    return { schema: shown === undefined ? {} : { additionalProperties: shown }, words: [], plan };
  }
  const words = typeof others === 'object' ? keywordWords('additionalProperties', others) : undefined;
  return { schema: {}, words: words === undefined ? [] : [words], plan };
}

const closed = {
  kind: 'lost',
  rule: 'closed',
  what: "takes keys that aren't declared, which can't be sent",
} as const;

interface OtherValues {
  readonly schema: JsonSchema | undefined;
  readonly plan: Plan;
}

/** What may stand under undeclared keys, whichever of them. */
function lowerValues(schema: SchemaObject, place: Place, lowering: Lowering): OtherValues {
  const { additionalProperties: others, patternProperties } = schema;
  const at = { ...place, pointer: pointerTo(place.pointer, 'additionalProperties') };
  const lowered = typeof others === 'object' ? lowering.lower(others, at) : undefined;
  if (patternProperties === undefined)
    return { schema: lowered?.schema ?? others, plan: lowered?.plan ?? same };
  const values = [...Object.values(patternProperties), ...(others === false ? [] : [others ?? true])];
  const any = lowering.lower({ anyOf: values }, at);
  const keeps = lowering.rules.keeps('patternProperties', patternProperties);
  if (keeps) return { schema: lowered?.schema ?? others, plan: any.plan };
  return others === false ? any : { ...any, schema: true };
}

// A provider may take one type a schema, texts only, no constant.
/** Types of which each needs a schema of its own; null goes with any of them. */
function typesApart(types: readonly JsonType[], { rules }: Lowering): readonly JsonType[] {
  const apart = types.filter((type) => type !== 'null');
  const hasContainer = apart.some((type) => type === 'object' || type === 'array');
  const mustSplit = rules.types !== 'lists' || (hasContainer && rules.objects !== 'declared');
  return mustSplit && apart.length > 1 ? types : [];
}

function byType(schema: SchemaObject, types: readonly JsonType[]): [readonly SchemaObject[], SchemaObject] {
  const { described, asserted } = divided(schema);
  const branches = types.map((type): SchemaObject => {
    const { enum: members, ...rest } = asserted;
    const own = members?.filter((member) => typesOf({ const: member })?.includes(type) === true);
    const kept = Object.entries(rest).filter(([keyword]) => {
      const about = impliedType({ [keyword]: true });
      return about === undefined || about === type || (about === 'number' && type === 'integer');
    });
    return { ...Object.fromEntries(kept), type, ...(own === undefined ? {} : { enum: own }) };
  });
  return [branches.filter((branch) => branch.enum?.length !== 0), described];
}

/** The members that a schema lists, of which some are objects or lists and a provider takes no such ones. */
function membersApart(
  { enum: listed, const: constant }: SchemaObject,
  { rules }: Lowering,
): readonly JsonValue[] | undefined {
  const members = constant === undefined ? listed : [constant];
  const isApart = rules.anything === 'json-text' && members?.some((member) => !isPrimitive(member)) === true;
  return isApart ? members : undefined;
}

/** The type as the provider writes it. Null is OpenAPI's `nullable` where a provider has no type for it. */
function lowerTypes(
  { type }: SchemaObject,
  types: readonly JsonType[] | undefined,
  { enum: members }: SchemaObject,
  { rules }: Lowering,
): SchemaObject {
  if (types === undefined) return {};
  if (type === undefined && rules.keeps('oneOf', [])) return {};
  const apart = types.filter((said) => said !== 'null');
  const isNullable = rules.types === 'nullable' && apart.length < types.length;
  const shown = isNullable ? apart : types;
  const [only, ...others] = shown;
  const isNull = members?.length === 0;
  return {
    ...(only === undefined
      ? { type: isNull ? 'null' : 'string' }
      : { type: others.length === 0 ? only : shown }),
    ...(isNullable ? { nullable: true } : {}),
  };
}

interface MemberParts {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
}

/** `enum` and `const`. A provider may take texts only, or no constant. */
function lowerMembers({ enum: listed, const: constant }: SchemaObject, { rules }: Lowering): MemberParts {
  const isConstant = constant !== undefined;
  if (isConstant && rules.keeps('const', constant)) return { schema: { const: constant }, words: [] };
  const members: readonly JsonValue[] | undefined = isConstant ? [constant] : listed;
  if (members === undefined) return { schema: {}, words: [] };
  const texts = members.filter((member) => member !== null);
  if (rules.members === 'texts' && !texts.every((member) => typeof member === 'string'))
    return { schema: {}, words: [keywordWords('enum', members) ?? ''] };
  const shown = rules.members === 'texts' ? texts : members;
  return shown.length === 0 ? { schema: {}, words: [] } : { schema: { enum: shown }, words: [] };
}

// Its members, and every other keyword: kept, or said in words.
const structural: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'enum',
  'const',
  '$defs',
  'description',
]);

function lowerTyped(
  schema: SchemaObject,
  types: readonly JsonType[] | undefined,
  place: Place,
  lowering: Lowering,
): Lowered {
  const object = types?.includes('object') !== false ? lowerObject(schema, place, lowering) : noObject;
  const list = types?.includes('array') !== false ? lowerList(schema, place, lowering) : noList;
  const members = lowerMembers(schema, lowering);
  const rest = Object.entries(schema).filter(([keyword]) => !structural.has(keyword));
  const plan = nodePlan({ ...object.plan, ...list.plan });
  // A default in the contract's own form would not fit what is shown.
  const stays = ([keyword, held]: readonly [string, unknown]): boolean =>
    lowering.rules.keeps(keyword, held) && (keyword !== 'default' || plan.kind === 'same');
  const kept = rest.filter(stays);
  const words = rest
    .filter((entry) => !stays(entry))
    .flatMap(([keyword, held]) => keywordWords(keyword, held) ?? []);
  const { description } = schema;
  const shown: SchemaObject = {
    ...lowerTypes(schema, types, members.schema, lowering),
    ...(description === undefined ? {} : { description }),
    ...members.schema,
    ...object.schema,
    ...list.schema,
    ...Object.fromEntries(kept),
  };
  const said = [...members.words, ...object.words, ...list.words, ...words];
  return { schema: lowering.describe(shown, said, place), plan };
}

const noObject: ObjectParts = { schema: {}, words: [], plan: { members: new Map(), others: same } };
const noList: ListParts = { schema: {}, words: [], plan: { prefix: [], items: same } };

// It is any value, one of several types, a map, or a schema of its types.
function lowerNode(schema: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const { rules } = lowering;
  const implied =
    !rules.keeps('oneOf', []) && typesOf(schema) === undefined ? impliedType(schema) : undefined;
  if (implied !== undefined) return lowerNode({ ...schema, type: implied }, place, lowering);
  const types = typesOf(schema);
  if (types === undefined && rules.anything === 'json-text') return lowerUntyped(schema, place, lowering);
  const split = types === undefined ? [] : typesApart(types, lowering);
  if (split.length > 1) return lowerBranches(...byType(schema, split), place, lowering);
  const members = membersApart(schema, lowering);
  if (members !== undefined) {
    const words = `${keywordWords('enum', members) ?? ''}, as JSON text`;
    return jsonText({ described: divided(schema).described, words, below: same }, place, lowering);
  }
  return lowerMap(schema, place, lowering) ?? lowerTyped(schema, types, place, lowering);
}

/** Any value: what is said of some kinds of it is said in words. */
function lowerUntyped(schema: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const { description } = schema;
  const words = Object.entries(schema).flatMap(([keyword, held]) => keywordWords(keyword, held) ?? []);
  const lowered = lowerAnything(description === undefined ? {} : { description }, place, lowering);
  return { ...lowered, schema: lowering.describe(lowered.schema, words, place) };
}

// Kept where the provider follows it, else written out; a schema that contains itself is cut where it comes again.
function lowerReference(schema: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const { $ref, ...beside } = schema;
  const { described, asserted } = divided(beside);
  const isAlone = $ref !== undefined && Object.keys(asserted).length === 0;
  if (isAlone && lowering.rules.references !== 'inlined')
    return keptKeywords($ref, described, place, lowering);
  const followed = referencesAt(schema, lowering.root);
  const again = [...followed].find((reference) => place.around.has(reference));
  if (again !== undefined) return cut(again, beside, place, lowering);
  const flat = flattenSchema(schema, lowering.root);
  const here = (): Plan => lowered.plan;
  const around = new Map([...place.around, ...[...followed].map((reference) => [reference, here] as const)]);
  const lowered = lowering.lower(flat.schema, { ...place, around });
  return { ...lowered, schema: lowering.describe(lowered.schema, flat.words, place) };
}

function keptKeywords($ref: string, described: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const plan = lowering.define($ref);
  const { rules } = lowering;
  const entries = Object.entries(described);
  const stays = entries.filter(([keyword, held]) => keyword === 'description' || rules.keeps(keyword, held));
  const words = entries.flatMap(([keyword, held]) =>
    rules.keeps(keyword, held) ? [] : (keywordWords(keyword, held) ?? []),
  );
  const said = lowering.describe(Object.fromEntries(stays), words, place);
  const isWrapped = rules.references === 'alone' && Object.keys(said).length > 0;
  return { schema: isWrapped ? { anyOf: [{ $ref }], ...said } : { $ref, ...said }, plan };
}

/** What contains itself without end is shown once, and then named. */
function cut(reference: string, beside: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const { pointer, around } = place;
  const name = reference === '#' ? 'the whole arguments' : reference.slice(reference.lastIndexOf('/') + 1);
  const plan: Plan = { kind: 'link', to: () => around.get(reference)?.() ?? { kind: 'same' } };
  lowering.tell({ kind: 'adapted', pointer, rule: 'recursion', what: `contains itself (${name})` });
  const { description } = beside;
  const described = description === undefined ? {} : { description };
  if (lowering.rules.anything === 'json-text')
    return jsonText(
      { described, words: `the JSON text of another value like ${name}`, below: plan },
      place,
      lowering,
    );
  const target = resolveReference(reference, lowering.root);
  const type = target?.type;
  const { schema } = lowering.lower({ ...(type === undefined ? {} : { type }), ...described }, place);
  return { schema: lowering.describe(schema, [`another value like ${name}`], place), plan };
}

// From the top down, each kind of schema by its own step; definitions once, and schemas that contain themselves as
// far as the provider understands them.
type Change = Parameters<Lowering['tell']>[0];

/** Schemas that are made, at most: references that are written out can grow without end. */
const mostSchemas = 20_000;
/** Characters that are added to one description, and to all of a tool, at most. */
const longestWords = 400;
const longestInAll = 6_000;

class SchemaLowering implements Lowering {
  readonly rules: Lowering['rules'];
  readonly root: SchemaObject;
  readonly changes: Change[] = [];
  readonly #names: ShownNames;
  readonly #definitions = new Map<string, Lowered | undefined>();
  #made = 0;
  #said = 0;

  constructor(root: SchemaObject, rules: Lowering['rules'], names: ShownNames) {
    this.root = root;
    this.rules = rules;
    this.#names = names;
  }

  /** The definitions that something refers to, lowered. */
  get definitions(): readonly (readonly [string, SchemaObject])[] {
    return [...this.#definitions].flatMap(([reference, lowered]) =>
      lowered === undefined || reference === '#'
        ? []
        : [[definitionName(reference), lowered.schema] as const],
    );
  }

  get hasOtherKeys(): boolean {
    return this.#names.own.size > 0;
  }

  ownKey(shown: string): string {
    return this.#names.own.get(shown) ?? shown;
  }

  tell(change: Change): void {
    this.changes.push(change);
  }

  lower(schema: JsonSchema, place: Place): Lowered {
    this.#made += 1;
    if (typeof schema === 'boolean') return this.#lowerBoolean(schema, place);
    if (this.#made > mostSchemas) {
      this.tell({
        kind: 'lost',
        pointer: place.pointer,
        rule: 'too-large',
        what: 'is too large to be written out',
      });
      return lowerAnything({}, place, this);
    }
    if (schema.$ref !== undefined || schema.allOf !== undefined) {
      const isPlain =
        schema.allOf === undefined && resolveReference(schema.$ref ?? '', this.root) === undefined;
      if (!isPlain) return lowerReference(schema, place, this);
      const { $ref: _lost, ...rest } = schema;
      return this.lower(rest, place);
    }
    return schema.anyOf === undefined && schema.oneOf === undefined
      ? lowerNode(schema, place, this)
      : lowerUnion(schema, place, this);
  }

  #lowerBoolean(admits: boolean, place: Place): Lowered {
    const nothing = { not: {} };
    return admits || !this.rules.keeps('not', nothing.not)
      ? lowerAnything({}, place, this)
      : { schema: nothing, plan: same };
  }

  define(reference: string): Plan {
    if (!this.#definitions.has(reference)) {
      this.#definitions.set(reference, undefined);
      const target = resolveReference(reference, this.root) ?? {};
      const around = new Map([[reference, () => this.#planOf(reference)]]);
      const lowered = this.lower(target, { pointer: reference.slice(1), around });
      this.#definitions.set(reference, lowered);
    }
    return this.#definitions.get(reference)?.plan ?? { kind: 'link', to: () => this.#planOf(reference) };
  }

  /** The root is lowered by itself. */
  defineRoot(lowered: () => Lowered): Lowered {
    this.#definitions.set('#', undefined);
    const made = lowered();
    this.#definitions.set('#', made);
    return made;
  }

  describe(schema: SchemaObject, words: readonly string[], { pointer }: Place): SchemaObject {
    if (words.length === 0) return schema;
    const kept: string[] = [];
    for (const said of words) {
      const length = kept.join('; ').length + said.length;
      if (length <= longestWords && this.#said + said.length <= longestInAll) {
        kept.push(said);
        this.#said += said.length + 2;
      } else {
        this.tell({
          kind: 'lost',
          pointer,
          rule: 'description',
          what: `has no room for the words ${said.slice(0, 80)}`,
        });
      }
    }
    if (kept.length === 0) return schema;
    this.tell({ kind: 'adapted', pointer, rule: 'description', what: `says in words: ${kept.join('; ')}` });
    return withWords(schema, `(${kept.join('; ')})`);
  }

  #planOf(reference: string): Plan {
    return this.#definitions.get(reference)?.plan ?? { kind: 'same' };
  }
}

const definitionName = (reference: string): string => reference.slice('#/$defs/'.length);

/** Behind the description, or in its place. */
function withWords(schema: SchemaObject, words: string): SchemaObject {
  const { description } = schema;
  return description === undefined || description === ''
    ? withDescription(schema, { description: words })
    : { ...schema, description: `${description} ${words}` };
}

// Schema, sentences, changes, and the way back.
export interface LoweredSchema extends WayBack {
  readonly schema: SchemaObject;
  /** For the tool's description: what was said of the root. */
  readonly words: readonly string[];
  readonly changes: readonly SchemaChange[];
}

/** A pure function; the schema is never written to. */
export function lowerSchema(schema: SchemaObject, rules: SchemaRules): LoweredSchema {
  const start = schemaToLower(schema, rules);
  const { names } = start;
  const { $defs = {}, description = '', ...root } = start.root;
  const lowering = new SchemaLowering({ ...root, $defs }, rules, names);
  const around = new Map([['#', () => made.plan]]);
  const made = lowering.defineRoot(() => lowering.lower(root, { pointer: '', around }));
  const { definitions } = lowering;
  const { nullable: _nullable, description: said = '', ...kept } = made.schema;
  const shown: SchemaObject = freezeDeep({
    ...kept,
    type: 'object',
    ...(definitions.length === 0 ? {} : { $defs: objectOf(definitions) }),
  });
  return Object.freeze({
    schema: shown,
    words: [description, said, ...start.words].filter((text) => text !== ''),
    changes: different([...start.changes, ...lowering.changes]),
    plan: made.plan,
    own: { root: lowering.root, keyOf: (key: string) => names.own.get(key) ?? key },
    shown: { root: shown, keyOf: (key: string) => key },
  });
}

const different = (changes: readonly SchemaChange[]): readonly SchemaChange[] => [
  ...new Map(changes.map((change) => [JSON.stringify(change), Object.freeze(change)] as const)).values(),
];

// Made once for each contract and provider.
const lowered = new WeakMap<SchemaRules, (contract: ToolContract) => LoweredSchema>();

/** Made once for each contract and provider. */
export function lowerContract(
  contract: ToolContract,
  { schema: rules }: { readonly schema: SchemaRules },
): LoweredSchema {
  const known = lowered.get(rules);
  const make = known ?? onceEach((from: ToolContract) => lowerSchema(shownSchema(from), rules));
  if (known === undefined) lowered.set(rules, make);
  return make(contract);
}

// The rules of a provider, and the shape in which it takes a tool that keeps to them.
/** A tool that is ready to be written in a provider's shape. */
interface ToolForm {
  readonly name: string;
  readonly description: string;
  readonly schema: SchemaObject;
  readonly contract: ToolContract;
}

export interface Provider<Form extends object> {
  readonly rules: ProviderRules;
  /** Frozen to the bottom; the same object for the same tool and name every time. */
  show(tool: DescribedTool, name: string): Form;
}

/** `shape`: pure; the schema in it is the one that was handed over, or a copy. */
export function providerOf<Form extends object>(
  rules: ProviderRules,
  shape: (tool: ToolForm) => Form,
): Provider<Form> {
  const kept = new WeakMap<DescribedTool, { readonly name: string; readonly form: Form }>();
  return {
    rules,
    show(tool, name) {
      const { contract, description } = tool;
      const known = kept.get(tool);
      if (known?.name === name) return known.form;
      const { schema, words } = lowerContract(contract, rules);
      const lines = [description, ...words.filter((said) => !description.includes(said))];
      const whole = lines.filter((line) => line !== '').join('\n');
      const form = freezeDeep(shape({ name, description: whole, schema, contract }));
      kept.set(tool, { name, form });
      return form;
    },
  };
}
