// What becomes of a schema whose types can stand side by side? Its members, and every other keyword: kept, or said in words.
import type { SchemaObject } from '../../json/json-schema.ts';
import type { JsonType } from '../../json/json-value.ts';
import { keywordWords } from '../normal-form/keyword-words.ts';
import { nodePlan, same } from '../way-back/plan.ts';
import { type ListParts, lowerList } from './lower-list.ts';
import { lowerObject, type ObjectParts } from './lower-object.ts';
import { lowerMembers, lowerTypes } from './lower-types.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';

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

export function lowerTyped(
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
