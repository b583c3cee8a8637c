// What becomes of an object's keys? Each declared one lowered; optional ones and undeclared ones as the provider has them.
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { objectOf } from '../../json/own-key.ts';
import { type MemberPlan, type Plan, same } from '../way-back/plan.ts';
import { conditionalProperties } from '../normal-form/conditional-properties.ts';
import { keywordWords } from '../normal-form/keyword-words.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';
import { orNull } from './or-null.ts';
import { admitsNull } from '../normal-form/schema-kinds.ts';

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

export function lowerObject(schema: SchemaObject, place: Place, lowering: Lowering): ObjectParts {
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
