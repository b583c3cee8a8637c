// What becomes of a reference, and of `allOf`? Kept where the provider follows it, else written out; a schema that contains
// itself is cut where it comes again.
import { resolveReference } from '../../contract/judged-schema/local-references.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import type { Plan } from '../way-back/plan.ts';
import { flattenSchema, referencesAt } from '../normal-form/flatten-schema.ts';
import { keywordWords } from '../normal-form/keyword-words.ts';
import { jsonText } from './lower-anything.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';
import { divided } from '../normal-form/schema-kinds.ts';

export function lowerReference(schema: SchemaObject, place: Place, lowering: Lowering): Lowered {
  const { $ref, ...beside } = schema;
  const { described, asserted } = divided(beside);
  const isAlone = $ref !== undefined && Object.keys(asserted).length === 0;
  if (isAlone && lowering.rules.references !== 'inlined') return kept($ref, described, place, lowering);
  const followed = referencesAt(schema, lowering.root);
  const again = [...followed].find((reference) => place.around.has(reference));
  if (again !== undefined) return cut(again, beside, place, lowering);
  const flat = flattenSchema(schema, lowering.root);
  const here = (): Plan => lowered.plan;
  const around = new Map([...place.around, ...[...followed].map((reference) => [reference, here] as const)]);
  const lowered = lowering.lower(flat.schema, { ...place, around });
  return { ...lowered, schema: lowering.describe(lowered.schema, flat.words, place) };
}

function kept($ref: string, described: SchemaObject, place: Place, lowering: Lowering): Lowered {
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
