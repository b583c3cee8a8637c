// In which form does @cfworker/json-schema take a schema, so that it judges formats as Ajv does? A copy of its own.
import { format as formatTable, type Schema } from '@cfworker/json-schema';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { readPattern } from '../../contract/patterns/pattern-matcher.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { defineKey, ownValue } from '../../json/own-key.ts';

/** Formats stand in the library's own table, which all its users share: ours have names of their own. */
const nameOf = (format: string): string => `toolmend:${format}`;

/** What a format of numbers says, as keywords. */
const numberFormats: ReadonlyMap<string, Schema> = new Map([
  ['int32', { multipleOf: 1, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ['int64', { multipleOf: 1 }],
]);

/** Makes the copies of one root's schemas; the same copy for the same schema. */
export class SchemaAdapter {
  readonly #adapted = new WeakMap<SchemaObject, Schema>();
  readonly #onMet: (() => void) | undefined;

  /** `onMet`: called each time that the library looks at a value by one of the schemas. */
  constructor(onMet?: () => void) {
    this.#onMet = onMet;
  }

  adapt(schema: JsonSchema): Schema | boolean {
    return typeof schema === 'boolean' ? schema : this.#adaptObject(schema);
  }

  #adaptObject(schema: SchemaObject): Schema {
    const known = this.#adapted.get(schema);
    if (known !== undefined) return known;
    const adapted: Schema = {};
    const below = mapSubschemas(schema, (part) => this.#adaptObject(part));
    for (const [keyword, value] of Object.entries(below)) defineKey(adapted, keyword, value);
    if (typeof schema.format === 'string') adaptFormat(adapted, schema.format);
    if (schema.pattern !== undefined) adaptPattern(adapted, schema.pattern);
    for (const pattern of Object.keys(schema.patternProperties ?? {})) assertNative(pattern);
    // A keyword that no schema here has, and that the library asks every schema for.
    if (this.#onMet !== undefined) Object.defineProperty(adapted, '$recursiveAnchor', { get: this.#onMet });
    this.#adapted.set(schema, adapted);
    return adapted;
  }
}

/** The library has an engine of its own for patterns; its formats can use another one. */
function adaptPattern(adapted: Schema, pattern: string): void {
  const { kind, matcher } = readPattern(pattern);
  if (kind !== 'linear') return;
  const name = `toolmend:pattern:${pattern}`;
  formatTable[name] = (text) => matcher.test(text);
  delete adapted.pattern;
  adapted.allOf = [...(adapted.allOf ?? []), { format: name }];
}

function assertNative(pattern: string): void {
  if (readPattern(pattern).kind === 'linear')
    throw new Error(`keys that match ${pattern} can't be judged without making code`);
}

function adaptFormat(adapted: Schema, format: string): void {
  const keywords = numberFormats.get(format);
  // Behind the last of its own: a failure there is known as one of the format's.
  if (keywords !== undefined) adapted.allOf = [...(adapted.allOf ?? []), keywords];
  adapted.format = nameOf(format);
}

for (const [name, definition] of Object.entries(fullFormats)) {
  const accepts = testOf(definition);
  if (accepts !== undefined) formatTable[nameOf(name)] = accepts;
}

function testOf(definition: unknown): ((text: string) => boolean) | undefined {
  if (definition instanceof RegExp) return (text) => definition.test(text);
  if (typeof definition === 'function')
    return (text) => Boolean(Reflect.apply(definition, undefined, [text]));
  if (typeof definition !== 'object' || definition === null) return undefined;
  const facts = Object.fromEntries(Object.entries(definition));
  return ownValue<unknown>(facts, 'type') === 'number'
    ? undefined
    : testOf(ownValue<unknown>(facts, 'validate'));
}
