import type { JsonValue } from '../json/value.ts';

/**
 * The schema of an object with its properties. Its literal types are known if it is written in
 * place or `as const`.
 */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * The type of the values that a literal JSON Schema accepts; a wider one where it has `$ref`,
 * `allOf` or conditions.
 */
export type FromSchema<Schema> = Schema extends { readonly const: infer Constant }
  ? Constant
  : Schema extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : Schema extends { readonly anyOf: readonly (infer Branch)[] }
      ? FromSchema<Branch>
      : Schema extends { readonly oneOf: readonly (infer Branch)[] }
        ? FromSchema<Branch>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? OfType<Type, Schema>
          : Schema extends { readonly type: infer Type }
            ? OfType<Type, Schema>
            : JsonValue;

type OfType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? OfArray<Schema>
          : Type extends 'object'
            ? OfObject<Schema>
            : JsonValue;

type OfArray<Schema> = Schema extends { readonly items: infer Items }
  ? FromSchema<Items>[]
  : JsonValue[];

type OfObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { [Key in RequiredKey<Schema> & keyof Properties]: FromSchema<Properties[Key]> } & {
        [Key in Exclude<keyof Properties, RequiredKey<Schema>>]?: FromSchema<Properties[Key]>;
      }
    >
  : Schema extends { readonly additionalProperties: infer Additional extends object }
    ? Record<string, FromSchema<Additional>>
    : Record<string, JsonValue>;

/** One object type instead of an intersection, which editors show as it was made. */
type Flat<Members> = { [Key in keyof Members]: Members[Key] };

type RequiredKey<Schema> = Schema extends { readonly required: readonly (infer Key)[] }
  ? Key
  : never;

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/**
 * `never` if the schema can't accept an object, else `unknown`. `type: 'function'` passes: OpenAI's
 * function object has the schema inside.
 */
export type SchemaOfObject<Schema> = Schema extends {
  readonly '~standard': { readonly types?: infer Types };
}
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? IsKnown<Input> extends true
      ? [Input] extends [Primitive | readonly unknown[]]
        ? never
        : unknown
      : unknown
    : unknown
  : Schema extends { readonly type: infer Type extends string }
    ? [Extract<'object' | 'function', Type>] extends [never]
      ? never
      : unknown
    : unknown;

type IsKnown<Type> = 0 extends 1 & Type ? false : [Type] extends [never] ? false : true;

/**
 * Whether no value can have both types. False if the types don't tell, or if one lacks keys or is
 * read-only.
 */
export type Contradicts<Sent, Taken> = ContradictsNonNullable<
  NonNullable<Sent>,
  NonNullable<Taken>
>;

type ContradictsNonNullable<Sent, Taken> = [Sent] extends [Taken]
  ? false
  : [Taken] extends [Sent]
    ? false
    : [Sent] extends [readonly (infer Element)[]]
      ? [Taken] extends [readonly (infer TakenElement)[]]
        ? Contradicts<Element, TakenElement>
        : true
      : [Sent] extends [Primitive]
        ? Extract<Sent, Taken> extends never
          ? true
          : false
        : [Sent] extends [object]
          ? [Taken] extends [Primitive]
            ? true
            : true extends {
                  [Key in keyof Sent & keyof Taken]: Contradicts<Sent[Key], Taken[Key]>;
                }[keyof Sent & keyof Taken]
              ? true
              : false
          : false;
