// What becomes of a list's elements? Their schema lowered; a tuple is a list of any of its parts, and its order is said.
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { type Plan, same } from '../way-back/plan.ts';
import { keywordWords } from '../normal-form/keyword-words.ts';
import { jsonText } from './lower-anything.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';
import { lowerBranches } from './lower-union.ts';

export interface ListParts {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
  readonly plan: { readonly prefix: readonly Plan[]; readonly items: Plan };
}

export function lowerList(schema: SchemaObject, place: Place, lowering: Lowering): ListParts {
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
