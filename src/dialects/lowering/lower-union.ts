// What becomes of `anyOf` and `oneOf`? Kept as they are where a provider takes all of JSON Schema; else branches that are
// whole in themselves, with what stood beside the union in each of them.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { pointerTo } from '../../json/json-pointer.ts';
import { type PlanBranch, same, unionPlan } from '../way-back/plan.ts';
import { keywordWords, requiredWords } from '../normal-form/keyword-words.ts';
import { withDescription } from './described.ts';
import { lookAlike } from '../way-back/look-alike.ts';
import { jsonText, lowerAnything } from './lower-anything.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';
import { divided } from '../normal-form/schema-kinds.ts';

export function lowerUnion(schema: SchemaObject, place: Place, lowering: Lowering): Lowered {
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
export function lowerBranches(
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
  const apart = rules.types === 'nullable' ? branches.filter((branch) => !isNull(branch)) : branches;
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

const isNull = (branch: JsonSchema): boolean => typeof branch === 'object' && branch.type === 'null';

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
