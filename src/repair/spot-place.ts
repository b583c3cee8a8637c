// What does a rule see of one place, and what may it ask there? Most rules say no at a glance, so nothing is made early.
import type { SchemaView } from '../contract/schema-view.ts';
import type { Effects, ToolContract } from '../contract/tool-contract.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { JsonObject, JsonType, JsonValue } from '../json/json-value.ts';
import type { Place, Questions } from './repair-rule.ts';
import type { Spot } from './spot.ts';

/** Who answers for all places of one call. */
export interface PlaceSource {
  readonly contract: ToolContract;
  view(schema: JsonSchema): SchemaView;
  accepts(schema: JsonSchema, value: JsonValue): boolean;
  isPath(view: SchemaView, spot: Spot): boolean;
  misspelt(view: SchemaView, value: JsonObject, spot: Spot): readonly (readonly [string, string])[];
  sourceOf(value: JsonValue): string | undefined;
  read(text: string, spot: Spot): JsonValue | undefined;
}

export class SpotPlace<Value extends JsonValue> implements Place {
  readonly value: Value;
  readonly view: SchemaView;
  readonly #spot: Spot;
  readonly #source: PlaceSource;
  #isPath: boolean | undefined;
  #ask: Questions | undefined;

  constructor(value: Value, spot: Spot, source: PlaceSource) {
    this.value = value;
    this.view = source.view(spot.schema);
    this.#spot = spot;
    this.#source = source;
  }

  get name(): string | undefined {
    return this.#spot.name;
  }

  get types(): ReadonlySet<JsonType> {
    return this.#spot.types ?? this.view.types;
  }

  get isPath(): boolean {
    return (this.#isPath ??= this.#source.isPath(this.view, this.#spot));
  }

  get isElement(): boolean {
    return this.#spot.isElement;
  }

  get numberText(): string | undefined {
    return this.#spot.numberText;
  }

  get ask(): Questions {
    return (this.#ask ??= new SpotQuestions(this.#spot, this.#source));
  }
}

class SpotQuestions implements Questions {
  readonly #spot: Spot;
  readonly #source: PlaceSource;

  constructor(spot: Spot, source: PlaceSource) {
    this.#spot = spot;
    this.#source = source;
  }

  get toolName(): string {
    return this.#source.contract.name;
  }

  get effects(): Effects | undefined {
    return this.#source.contract.effects;
  }

  get unknownArguments(): 'refuse' | 'drop' {
    return this.#source.contract.unknownArguments;
  }

  accepts(schema: JsonSchema, value: JsonValue): boolean {
    return this.#source.accepts(schema, value);
  }

  view(schema: JsonSchema): SchemaView {
    return this.#source.view(schema);
  }

  misspelt(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[] {
    return this.#source.misspelt(view, value, this.#spot);
  }

  sourceOf(value: JsonValue): string | undefined {
    return this.#source.sourceOf(value);
  }

  read(text: string): JsonValue | undefined {
    return this.#source.read(text, this.#spot);
  }
}
