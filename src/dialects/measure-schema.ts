// How large is a schema, in what providers count?
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import { mapSubschemas } from '../json/map-subschemas.ts';

export interface SchemaMeasures {
  /** Objects in each other. */
  readonly depth: number;
  readonly properties: number;
  /** Of names, enum members and constants. */
  readonly characters: number;
  readonly enumMembers: number;
  /** Of the longest enum with more than 250 texts. */
  readonly longEnumCharacters: number;
  /** Properties that aren't required. */
  readonly optionalParameters: number;
  /** Properties of several types. */
  readonly unionParameters: number;
}

export function measureSchema(schema: SchemaObject): SchemaMeasures {
  const measure = new Measure();
  measure.visit(schema, 0);
  return measure;
}

/** Texts in an enum that may be as long as they like. */
const fewMembers = 250;

class Measure implements SchemaMeasures {
  depth = 0;
  properties = 0;
  characters = 0;
  enumMembers = 0;
  longEnumCharacters = 0;
  optionalParameters = 0;
  unionParameters = 0;

  visit(schema: SchemaObject, depth: number): void {
    const { properties = {}, required = [], enum: members = [], const: constant } = schema;
    const isObject = schema.properties !== undefined || [schema.type].flat().includes('object');
    const inside = isObject ? depth + 1 : depth;
    this.depth = Math.max(this.depth, inside);
    for (const [key, held] of Object.entries(properties)) this.#count(key, held, required);
    const length = members.map((member) => textOf(member).length).reduce((sum, one) => sum + one, 0);
    this.characters += length + (constant === undefined ? 0 : textOf(constant).length);
    this.enumMembers += members.length;
    if (members.length > fewMembers) this.longEnumCharacters = Math.max(this.longEnumCharacters, length);
    mapSubschemas(schema, (below) => {
      this.visit(below, inside);
      return below;
    });
  }

  #count(key: string, held: JsonSchema, required: readonly string[]): void {
    this.properties += 1;
    this.characters += key.length;
    if (!required.includes(key)) this.optionalParameters += 1;
    if (typeof held === 'object' && (held.anyOf !== undefined || Array.isArray(held.type)))
      this.unionParameters += 1;
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
