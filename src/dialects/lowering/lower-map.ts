// What becomes of an object with any keys, where a provider wants all keys declared? A list of `{ key, value }`.
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { keywordWords } from '../normal-form/keyword-words.ts';
import { same } from '../way-back/plan.ts';
import { jsonText } from './lower-anything.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';
import { divided } from '../normal-form/schema-kinds.ts';

/** undefined for what is no map, or may stay one. */
export function lowerMap(schema: SchemaObject, place: Place, lowering: Lowering): Lowered | undefined {
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
