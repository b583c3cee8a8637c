// How does one argument look as JSON Schema? Type, then keywords, then what is said about it.
import type { JsonSchema, SchemaObject, ToolmendAnnotation } from '../../json/json-schema.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import { withoutNull, type ArgumentType } from '../argument-types/argument-type.ts';
import type { FieldModel } from '../class-model/class-model.ts';
import { constraintForm } from '../constraint-forms/constraint-forms.ts';
import type { FieldFacts } from '../class-model/field-facts.ts';
import { itemsSchema } from './items-schema.ts';
import { withKeywords } from './keyword-schema.ts';
import { typeSchema, type SchemaOfClass } from './type-schema.ts';

export function fieldSchema({ type, keyworded, facts }: FieldModel, schemaOf: SchemaOfClass): SchemaObject {
  const bare = typeSchema(type, { schemaOf, ofText: textAnnotation(facts) });
  const whole = constrained(
    bare,
    keyworded.filter(({ reach }) => reach === 'value'),
    type,
  );
  const ofItems = keyworded.filter(({ reach }) => reach === 'items');
  return annotated(
    ofItems.length === 0 ? whole : withItemConstraints(whole, ofItems, withoutNull(type)),
    facts,
  );
}

/** None of the keywords speaks of null, so a nullable schema takes them as any other. */
function constrained(
  schema: SchemaObject,
  constraints: readonly Constraint[],
  type: ArgumentType,
): SchemaObject {
  return constraints.reduce((built, constraint) => {
    const keywords = constraintForm(constraint.name)?.keywords?.(constraint, withoutNull(type)) ?? {};
    return Object.keys(keywords).length === 0 ? built : withKeywords(typed(built, type), keywords);
  }, schema);
}

// Strict validators want a type beside keywords, and a reference to a class has none.
const typed = (schema: SchemaObject, type: ArgumentType): SchemaObject =>
  schema.type === undefined && ['class', 'oneOf'].includes(withoutNull(type).kind)
    ? { type: type.kind === 'nullable' ? ['object', 'null'] : 'object', ...schema }
    : schema;

function withItemConstraints(
  schema: SchemaObject,
  constraints: readonly Constraint[],
  type: ArgumentType,
): SchemaObject {
  const under = (part: JsonSchema, partType: ArgumentType): JsonSchema =>
    typeof part === 'boolean' ? part : constrained(part, constraints, partType);
  if (type.kind === 'tuple') {
    const places = schema.prefixItems ?? [];
    return { ...schema, prefixItems: places.map((place, index) => under(place, type.items[index] ?? type)) };
  }
  const items = itemsSchema(schema);
  return type.kind === 'array' && items !== undefined
    ? { ...schema, items: under(items, type.items) }
    : schema;
}

/** What holds for each text of the field. */
const textAnnotation = ({ marks }: FieldFacts): ToolmendAnnotation => ({
  ...(marks.has('path') ? { semantic: 'path' } : {}),
  ...(marks.has('verbatim') ? { verbatim: true } : {}),
  ...(marks.has('secret') ? { secret: true } : {}),
});

function annotated(schema: SchemaObject, facts: FieldFacts): SchemaObject {
  const annotation: ToolmendAnnotation = {
    ...schema['x-toolmend'],
    ...(facts.aliases.length === 0 ? {} : { aliases: [...new Set(facts.aliases)] }),
    ...(facts.marks.has('secret') ? { secret: true } : {}),
    ...(facts.marks.has('unhinted') ? { hints: 'off' } : {}),
  };
  return {
    ...schema,
    ...(facts.title === undefined ? {} : { title: facts.title }),
    ...(facts.description === undefined ? {} : { description: facts.description }),
    ...(facts.default === undefined ? {} : { default: facts.default }),
    ...(facts.examples.length === 0 ? {} : { examples: [...(schema.examples ?? []), ...facts.examples] }),
    ...(Object.keys(annotation).length === 0 ? {} : { 'x-toolmend': annotation }),
  };
}
