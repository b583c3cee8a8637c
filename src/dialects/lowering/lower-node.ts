// What becomes of a schema without a union? It is any value, one of several types, a map, or a schema of its types.
import type { SchemaObject } from '../../json/json-schema.ts';
import { same } from '../way-back/plan.ts';
import { keywordWords } from '../normal-form/keyword-words.ts';
import { jsonText, lowerAnything } from './lower-anything.ts';
import { lowerMap } from './lower-map.ts';
import { lowerTyped } from './lower-typed.ts';
import { byType, membersApart, typesApart } from './lower-types.ts';
import { lowerBranches } from './lower-union.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';
import { divided, impliedType, typesOf } from '../normal-form/schema-kinds.ts';

export function lowerNode(schema: SchemaObject, place: Place, lowering: Lowering): Lowered {
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
