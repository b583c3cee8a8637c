// What holds of one schema, its conditions being met or not? Schemas without these conditions, made when first asked for.
import type { JsonSchema } from '../../json/json-schema.ts';
import { type Condition, consequencesOf } from './conditions.ts';
import { joinedWith, type SplitSchema } from './split-schema.ts';

/** Schemas that are kept, at most: whoever sends all kinds of values must not fill the memory. */
const mostKept = 64;

/** Conditions with which `unevaluatedProperties` is looked into: each set of outcomes is compiled for it. */
const mostWithLeftovers = 6;

export class Assumptions {
  /** What holds for every value. */
  readonly unconditional: JsonSchema;
  readonly #split: SplitSchema;
  readonly #conditions: readonly Condition[];
  readonly #known = new Map<string, JsonSchema>();

  constructor(split: SplitSchema, conditions: readonly Condition[]) {
    this.unconditional = split.unconditional;
    this.#conditions = conditions;
    this.#split = conditions.length > mostWithLeftovers ? { ...split, leftovers: {} } : split;
  }

  /** What holds with these outcomes; the same schema each time, unless there were many others meanwhile. */
  assuming(outcomes: readonly boolean[]): JsonSchema {
    const answers = outcomes.join();
    let assumed = this.#known.get(answers);
    if (assumed === undefined) {
      if (this.#known.size >= mostKept) this.#known.clear();
      assumed = joinedWith(this.#split, consequencesOf(this.#conditions, outcomes));
      this.#known.set(answers, assumed);
    }
    return assumed;
  }
}
