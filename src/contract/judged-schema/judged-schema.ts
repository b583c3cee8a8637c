// In which form is a schema judged? JSON Schema 2020-12, whatever it was written as, with absolute references; and what
// stands against judging by it at all.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { defineKey } from '../../json/own-key.ts';
import { SchemaViews } from '../schema-view.ts';
import type { ToolContract } from '../tool-contract.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { endlessReference } from './endless-references.ts';
import { lookAtKeywords } from './known-keywords.ts';
import { modernForm } from './modern-forms.ts';
import { References } from './references.ts';

/** Under this address the judge knows the root, so that every part of it can be judged on its own. */
export const rootAddress = 'toolmend:arguments';

/** A schema as it is judged. */
export interface JudgedForm {
  readonly views: SchemaViews;
  /** Why nobody can judge by the schema, as clauses; then the views are of any object. */
  readonly flaws: readonly string[];
  /** Keywords that nobody judges by. */
  readonly unknownKeywords: readonly string[];
}

const forms = new WeakMap<ToolContract, JudgedForm>();

/** The judged form of a contract's schema; made once. */
export function judgedFormOf(contract: ToolContract): JudgedForm {
  let form = forms.get(contract);
  if (form === undefined) {
    form = judgedForm(contract.inputSchema, contract.unusable);
    forms.set(contract, form);
  }
  return form;
}

/** The schemas of a contract as they are judged, and the views of them. */
export const viewsOf = (contract: ToolContract): SchemaViews => judgedFormOf(contract).views;

const anyObject: SchemaObject = { type: 'object' };

function judgedForm(schema: SchemaObject, unusable: string | undefined): JudgedForm {
  const dialect = dialectOf(schema);
  const { unknown, misused } = lookAtKeywords(schema);
  const unknownKeywords = [...unknown];
  const flaws = [
    ...(unusable === undefined ? [] : [unusable]),
    ...(dialect === undefined ? [`is written in the unknown dialect ${String(schema.$schema)}`] : []),
    ...[...misused].map((keyword) => `can't be compiled (what stands under ${keyword} is of another kind)`),
  ];
  if (dialect === undefined || flaws.length > 0)
    return { views: new SchemaViews(anyObject), flaws, unknownKeywords };
  const { root, unresolved } = new JudgedRoot(schema, dialect);
  const endless = unresolved.length > 0 ? undefined : endlessReference(root);
  const found = [
    ...unresolved.map((reference) => `refers to ${reference}, which is not in it`),
    ...(endless === undefined ? [] : [`can't be compiled (${endless} leads back to itself)`]),
  ];
  return { views: new SchemaViews(found.length > 0 ? anyObject : root), flaws: found, unknownKeywords };
}

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

/** A copy in the judged form: everything that is referred to stands in the root's `$defs`. */
class JudgedRoot {
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
      defineKey($defs, name, typeof target === 'boolean' ? target : this.#judged(target));
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
