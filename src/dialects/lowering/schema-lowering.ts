// How does a schema of the contract become one that a provider accepts? From the top down, each kind of schema by its own
// step; definitions once, and schemas that contain themselves as far as the provider understands them.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { resolveReference } from '../../contract/judged-schema/local-references.ts';
import type { ShownNames } from '../legal-names.ts';
import { type Plan, same } from '../way-back/plan.ts';
import { withDescription } from './described.ts';
import { lowerAnything } from './lower-anything.ts';
import { lowerNode } from './lower-node.ts';
import { lowerReference } from './lower-reference.ts';
import { lowerUnion } from './lower-union.ts';
import type { Lowered, Lowering, Place } from './lowering.ts';

type Change = Parameters<Lowering['tell']>[0];

/** Schemas that are made, at most: references that are written out can grow without end. */
const mostSchemas = 20_000;
/** Characters that are added to one description, and to all of a tool, at most. */
const longestWords = 400;
const longestInAll = 6_000;

export class SchemaLowering implements Lowering {
  readonly rules: Lowering['rules'];
  readonly root: SchemaObject;
  readonly changes: Change[] = [];
  readonly #names: ShownNames;
  readonly #definitions = new Map<string, Lowered | undefined>();
  #made = 0;
  #said = 0;

  constructor(root: SchemaObject, rules: Lowering['rules'], names: ShownNames) {
    this.root = root;
    this.rules = rules;
    this.#names = names;
  }

  /** The definitions that something refers to, lowered. */
  get definitions(): readonly (readonly [string, SchemaObject])[] {
    return [...this.#definitions].flatMap(([reference, lowered]) =>
      lowered === undefined || reference === '#'
        ? []
        : [[definitionName(reference), lowered.schema] as const],
    );
  }

  get hasOtherKeys(): boolean {
    return this.#names.own.size > 0;
  }

  ownKey(shown: string): string {
    return this.#names.own.get(shown) ?? shown;
  }

  tell(change: Change): void {
    this.changes.push(change);
  }

  lower(schema: JsonSchema, place: Place): Lowered {
    this.#made += 1;
    if (typeof schema === 'boolean') return this.#lowerBoolean(schema, place);
    if (this.#made > mostSchemas) {
      this.tell({
        kind: 'lost',
        pointer: place.pointer,
        rule: 'too-large',
        what: 'is too large to be written out',
      });
      return lowerAnything({}, place, this);
    }
    if (schema.$ref !== undefined || schema.allOf !== undefined) {
      const isPlain =
        schema.allOf === undefined && resolveReference(schema.$ref ?? '', this.root) === undefined;
      if (!isPlain) return lowerReference(schema, place, this);
      const { $ref: _lost, ...rest } = schema;
      return this.lower(rest, place);
    }
    return schema.anyOf === undefined && schema.oneOf === undefined
      ? lowerNode(schema, place, this)
      : lowerUnion(schema, place, this);
  }

  #lowerBoolean(admits: boolean, place: Place): Lowered {
    const nothing = { not: {} };
    return admits || !this.rules.keeps('not', nothing.not)
      ? lowerAnything({}, place, this)
      : { schema: nothing, plan: same };
  }

  define(reference: string): Plan {
    if (!this.#definitions.has(reference)) {
      this.#definitions.set(reference, undefined);
      const target = resolveReference(reference, this.root) ?? {};
      const around = new Map([[reference, () => this.#planOf(reference)]]);
      const lowered = this.lower(target, { pointer: reference.slice(1), around });
      this.#definitions.set(reference, lowered);
    }
    return this.#definitions.get(reference)?.plan ?? { kind: 'link', to: () => this.#planOf(reference) };
  }

  /** The root is lowered by itself. */
  defineRoot(lowered: () => Lowered): Lowered {
    this.#definitions.set('#', undefined);
    const made = lowered();
    this.#definitions.set('#', made);
    return made;
  }

  describe(schema: SchemaObject, words: readonly string[], { pointer }: Place): SchemaObject {
    if (words.length === 0) return schema;
    const kept: string[] = [];
    for (const said of words) {
      const length = kept.join('; ').length + said.length;
      if (length <= longestWords && this.#said + said.length <= longestInAll) {
        kept.push(said);
        this.#said += said.length + 2;
      } else {
        this.tell({
          kind: 'lost',
          pointer,
          rule: 'description',
          what: `has no room for the words ${said.slice(0, 80)}`,
        });
      }
    }
    if (kept.length === 0) return schema;
    this.tell({ kind: 'adapted', pointer, rule: 'description', what: `says in words: ${kept.join('; ')}` });
    return withWords(schema, `(${kept.join('; ')})`);
  }

  #planOf(reference: string): Plan {
    return this.#definitions.get(reference)?.plan ?? { kind: 'same' };
  }
}

const definitionName = (reference: string): string => reference.slice('#/$defs/'.length);

/** Behind the description, or in its place. */
function withWords(schema: SchemaObject, words: string): SchemaObject {
  const { description } = schema;
  return description === undefined || description === ''
    ? withDescription(schema, { description: words })
    : { ...schema, description: `${description} ${words}` };
}
