// What does a server's schema become once a program has said what its author left out? A copy with our annotations, without
// the arguments that no model sees, and without anything in its words that could steer a model.
import { requireFixed } from './fixed-arguments.ts';
import type { ArgumentOverlay, ToolOverlay } from './remote-options.ts';
import type { Complain } from '../../contract/complaint-book.ts';
import { exceededLimit } from '../../contract/judged-schema/schema-limits.ts';
import { harmless } from '../../issues/excerpt.ts';
import type { JsonSchema, SchemaObject, ToolmendAnnotation } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';

/** Complains of arguments that the tool doesn't have. A schema that is too large to be looked at is as it came. */
export const remoteSchema = (schema: SchemaObject, overlay: ToolOverlay, complain: Complain): SchemaObject =>
  exceededLimit(schema) === undefined ? overlaySchema(cleanSchema(schema), overlay, complain) : schema;

function overlaySchema(
  schema: SchemaObject,
  { arguments: said = {}, pairs = [], fixed = {} }: ToolOverlay,
  complain: Complain,
): SchemaObject {
  for (const name of Object.keys(fixed)) requireArgument(schema, name, complain);
  requireFixed(fixed, complain);
  const annotated = withArguments(schema, said, complain);
  const before = annotated['x-toolmend'];
  const paired: SchemaObject =
    pairs.length === 0
      ? annotated
      : { ...annotated, 'x-toolmend': { ...before, relational: [...(before?.relational ?? []), ...pairs] } };
  return withoutArguments(paired, new Set(Object.keys(fixed)));
}

/** A copy whose titles and descriptions hold no control tokens and nothing that can't be seen. */
function cleanSchema(schema: SchemaObject): SchemaObject {
  const { title, description } = schema;
  return {
    ...mapSubschemas(schema, cleanSchema),
    ...(typeof title === 'string' ? { title: cleanText(title) } : {}),
    ...(typeof description === 'string' ? { description: cleanText(description) } : {}),
  };
}

/** Lines stay lines. */
export const cleanText = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => harmless(line, Number.MAX_SAFE_INTEGER))
    .join('\n');

function withArguments(
  schema: SchemaObject,
  said: Readonly<Record<string, ArgumentOverlay>>,
  complain: Complain,
): SchemaObject {
  const names = Object.keys(said).filter((name) => requireArgument(schema, name, complain));
  if (names.length === 0) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, below]) => {
    const overlay = ownValue(said, name);
    return [name, overlay === undefined ? below : withArgument(below, overlay, complain)] as const;
  });
  return { ...schema, properties: objectOf(properties) };
}

function withArgument(below: JsonSchema, overlay: ArgumentOverlay, complain: Complain): SchemaObject {
  const { description, properties, items } = overlay;
  const schema = typeof below === 'boolean' ? {} : below;
  const annotation: ToolmendAnnotation = { ...schema['x-toolmend'], ...annotationOf(overlay) };
  const annotated: SchemaObject = {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(overlay.default === undefined ? {} : { default: overlay.default }),
    ...(Object.keys(annotation).length === 0 ? {} : { 'x-toolmend': annotation }),
  };
  const inner = properties === undefined ? annotated : withArguments(annotated, properties, complain);
  if (items === undefined) return inner;
  const elements = schema.items;
  if (isSchema(elements)) return { ...inner, items: withArgument(elements, items, complain) };
  complain('says something of elements that the tool does not describe', 'leave items out of the overlay');
  return inner;
}

const isSchema = (items: SchemaObject['items']): items is JsonSchema =>
  items !== undefined && !Array.isArray(items);

const annotationOf = ({ aliases, semantic }: ArgumentOverlay): ToolmendAnnotation => ({
  ...(aliases === undefined ? {} : { aliases }),
  ...(semantic === 'path' ? { semantic } : {}),
  ...(semantic === 'verbatim' ? { verbatim: true } : {}),
  ...(semantic === 'secret' ? { secret: true } : {}),
});

function requireArgument(schema: SchemaObject, name: string, complain: Complain): boolean {
  if (Object.hasOwn(schema.properties ?? {}, name)) return true;
  const known = Object.keys(schema.properties ?? {}).map((key) => harmless(key));
  complain(
    `has no argument ${JSON.stringify(name)}, of which its overlay speaks`,
    known.length === 0 ? 'leave it out of the overlay' : `write one of ${known.join(', ')}`,
  );
  return false;
}

/** Where the schema requires one of several arguments, those that are set here count as given. */
function withoutArguments(schema: SchemaObject, hidden: ReadonlySet<string>): SchemaObject {
  if (hidden.size === 0) return schema;
  const { properties, required } = schema;
  const shown = Object.entries(properties ?? {}).filter(([name]) => !hidden.has(name));
  const branches = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const list = schema[keyword];
    return list === undefined
      ? []
      : [
          [
            keyword,
            list.map((one) => (typeof one === 'boolean' ? one : withoutArguments(one, hidden))),
          ] as const,
        ];
  });
  return {
    ...schema,
    ...Object.fromEntries(branches),
    ...(properties === undefined ? {} : { properties: objectOf(shown) }),
    ...(required === undefined ? {} : { required: required.filter((name) => !hidden.has(name)) }),
  };
}
