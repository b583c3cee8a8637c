// How is a document of one dialect, with its references, made into one of JSON Schema 2020-12? A copy in which everything
// that is referred to stands in the root's `$defs`.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { defineKey } from '../../json/own-key.ts';
import type { Dialect } from './dialect.ts';
import { modernForm } from './modern-forms.ts';
import { References } from './references.ts';
import { rootAddress } from './root-address.ts';

/** Addresses and dialects of the original; definitions, of which those that are referred to get a place of their own. */
const dropped: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$ref',
  '$defs',
  'definitions',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
]);

/** The copy, and the references that lead to nothing in it. */
export class ReferredRoot {
  readonly root: SchemaObject;
  readonly unresolved: string[] = [];
  readonly #dialect: Dialect;
  readonly #references: References;
  readonly #original: SchemaObject;
  readonly #names = new Map<JsonSchema, string>();
  readonly #taken = new Set<string>();
  readonly #open: (readonly [name: string, target: JsonSchema])[] = [];

  constructor(original: SchemaObject, dialect: Dialect) {
    this.#original = original;
    this.#dialect = dialect;
    this.#references = new References(original);
    const root = this.#judged(original);
    const $defs: { [name: string]: JsonSchema } = {};
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      const [name, target] = next;
      defineKey($defs, name, typeof target === 'boolean' ? asObject(target) : this.#judged(target));
    }
    this.root = Object.keys($defs).length === 0 ? root : { ...root, $defs };
  }

  #judged(original: SchemaObject): SchemaObject {
    const modern = modernForm(original, this.#dialect);
    this.#references.adopt(modern, original);
    const references = this.#referencesOf(modern);
    const kept = mapSubschemas(modern, (part) => {
      this.#references.adopt(part, original);
      return this.#judged(part);
    });
    const plain: { [keyword: string]: unknown } = {};
    for (const [keyword, held] of Object.entries(kept))
      if (!dropped.has(keyword)) defineKey(plain, keyword, held);
    const [only, ...others] = references;
    if (only === undefined) return plain;
    if (others.length === 0) return { ...plain, $ref: only };
    return { allOf: [plain, ...references.map(($ref) => ({ $ref }))] };
  }

  /** The addresses that a schema refers to, in the judged form. */
  #referencesOf(schema: SchemaObject): readonly string[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema;
    const found = [
      [$ref, (to: string) => this.#references.resolve(to, schema)],
      [$dynamicRef ?? $recursiveRef, (to: string) => this.#references.resolveDynamic(to, schema)],
    ] as const;
    return found.flatMap(([reference, resolve]) => {
      if (typeof reference !== 'string') return [];
      const target = resolve(reference);
      if (target !== undefined) return [this.#addressOf(target, reference)];
      this.unresolved.push(reference);
      return [];
    });
  }

  #addressOf(target: JsonSchema, reference: string): string {
    if (target === this.#original) return `${rootAddress}#`;
    const known = this.#names.get(target);
    const name = known ?? this.#nameFor(reference);
    if (known === undefined) {
      this.#taken.add(name);
      this.#names.set(target, name);
      this.#open.push([name, target]);
    }
    return `${rootAddress}#/$defs/${name}`;
  }

  /** The last word of the reference, if it is one and nothing else has it. */
  #nameFor(reference: string): string {
    const word = /[^#/]*$/.exec(reference)?.[0] ?? '';
    const isFree = /^[A-Za-z][\w.-]*$/.test(word) && !this.#taken.has(word);
    return isFree ? word : `${this.#names.size}`;
  }
}

/** A definition is always an object, so that who looks a reference up finds one. */
const asObject = (schema: boolean): SchemaObject => (schema ? {} : { not: {} });
