// How far has one validation come? Steps are counted only where a schema could take steps without end.
import type { JsonValue } from '../../json/json-value.ts';

/** Steps that a validation may take beside those that its value gives cause to, for each place in it. */
const stepsPerPlace = 100;

export class StepBudget {
  /** Steps taken by all validations so far. */
  taken = 0;
  readonly #steps: number;
  #end = 0;
  #value: JsonValue = null;
  #isExtended = false;

  /** `steps`: how many a validation may take, whatever its value. */
  constructor(steps: number) {
    this.#steps = steps;
  }

  /** What `judge` answers about a value; `beyond` where it would take too long. */
  within<Answer>(value: JsonValue, judge: () => Answer, beyond: Answer): Answer {
    this.#value = value;
    this.#isExtended = false;
    this.#end = this.taken + this.#steps;
    try {
      return judge();
    } catch (error) {
      if (error === overBudget) return beyond;
      throw error;
    }
  }

  /** To be called with each value that is looked at. Ends the validation by an exception when the budget is spent. */
  readonly step = (looked: unknown): void => {
    this.taken += 1 + (Array.isArray(looked) ? looked.length : 0);
    if (this.taken > this.#end) this.#extend();
  };

  #extend(): void {
    if (this.#isExtended) throw overBudget;
    this.#isExtended = true;
    this.#end += stepsPerPlace * placesIn(this.#value);
    if (this.taken > this.#end) throw overBudget;
  }
}

const overBudget = new Error('a validation takes too many steps');

function placesIn(value: JsonValue): number {
  let places = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    places += 1;
    if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item);
  }
  return places;
}
