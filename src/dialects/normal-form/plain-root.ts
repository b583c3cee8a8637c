// What is one object schema for a root that is a union, joined of parts, or referred to? Most providers want no other root.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { objectOf } from '../../json/own-key.ts';
import { flattenSchema } from './flatten-schema.ts';
import { keywordWords, requiredWords } from './keyword-words.ts';

export interface PlainRoot {
  readonly root: SchemaObject;
  /** What the object alone doesn't say. */
  readonly words: readonly string[];
  /** Whether it looks other than it was written. */
  readonly isChanged: boolean;
}

/** Unions in unions, at most. */
const deepest = 8;

/** Keywords that no provider takes at a root. */
const outOfPlace = ['not', 'enum', 'const'];

export function plainRoot(root: SchemaObject): PlainRoot {
  const { schema, words, isChanged } = plainPart(root, root, 0);
  const said = outOfPlace.flatMap((keyword) => {
    const held = schema[keyword];
    return held === undefined ? [] : (keywordWords(keyword, held) ?? []);
  });
  const { not: _not, enum: _enum, const: _const, ...kept } = schema;
  return {
    root: { ...kept, type: 'object', properties: kept.properties ?? {} },
    words: [...words, ...said],
    isChanged: isChanged || said.length > 0,
  };
}

interface PlainPart {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
  readonly isChanged: boolean;
}

function plainPart(part: SchemaObject, root: SchemaObject, depth: number): PlainPart {
  const isJoined = part.$ref !== undefined || part.allOf !== undefined;
  const flat = isJoined ? flattenSchema(part, root) : { schema: part, words: [] };
  const { anyOf, oneOf, ...beside } = flat.schema;
  const branches = anyOf ?? oneOf;
  const other = anyOf === undefined ? undefined : oneOf;
  if (branches === undefined) return { ...flat, isChanged: isJoined };
  const said = requiredWords(branches);
  const next = other === undefined ? beside : { ...beside, oneOf: other };
  if (said !== undefined || depth >= deepest) {
    const rest = plainPart(next, root, depth + 1);
    return {
      ...rest,
      words: [...flat.words, ...rest.words, said ?? ''].filter((text) => text !== ''),
      isChanged: true,
    };
  }
  const whole = branches
    .filter((branch) => branch !== false)
    .map((branch) => plainPart({ allOf: [next, branch] }, root, depth + 1));
  const schema = oneOfAll(
    whole.map((branch) => branch.schema),
    beside,
  );
  return { schema, words: [...flat.words, ...branchesWords(whole)], isChanged: true };
}

/** Properties of any branch; required is what all of them require. */
function oneOfAll(branches: readonly SchemaObject[], beside: SchemaObject): SchemaObject {
  const properties = new Map<string, readonly JsonSchema[]>();
  for (const branch of branches) {
    for (const [key, held] of Object.entries(branch.properties ?? {})) {
      const known = properties.get(key) ?? [];
      const isKnown = known.some((other) => JSON.stringify(other) === JSON.stringify(held));
      properties.set(key, isKnown ? known : [...known, held]);
    }
  }
  const [first, ...others] = branches;
  const required = (first?.required ?? []).filter((key) =>
    others.every((branch) => branch.required?.includes(key)),
  );
  const isClosed = branches.length > 0 && branches.every((branch) => branch.additionalProperties === false);
  const open = branches.map((branch) => branch.additionalProperties).find((held) => typeof held === 'object');
  return {
    ...beside,
    properties: objectOf([...properties].map(([key, schemas]) => [key, joined(schemas)] as const)),
    required,
    ...(isClosed
      ? { additionalProperties: false }
      : open === undefined
        ? {}
        : { additionalProperties: open }),
  };
}

function joined(schemas: readonly JsonSchema[]): JsonSchema {
  const [only = true, ...others] = schemas;
  return others.length === 0 ? only : { anyOf: schemas };
}

/** What each branch requires, and by which constant it is known. */
function branchesWords(branches: readonly PlainPart[]): readonly string[] {
  const said = branches.map(({ schema, words }) => {
    const { properties = {}, required = [] } = schema;
    const keys = required.map((key) => {
      const held = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const constant = typeof held === 'object' ? held.const : undefined;
      return constant === undefined ? key : `${key} ${JSON.stringify(constant)}`;
    });
    const others = Object.keys(properties).filter((key) => !required.includes(key));
    const optional = others.length === 0 ? '' : ` and perhaps ${others.join(', ')}`;
    return [`${keys.join(', ') || 'nothing required'}${optional}`, ...words].join(', ');
  });
  return said.length < 2 ? said : [`Give one of these sets of arguments: ${said.join('; or ')}.`];
}
