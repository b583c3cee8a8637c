import { memoize } from '../collections/memoize.ts';
import { isContainer } from '../collections/objects.ts';
import { type JsonValue } from '../json/value.ts';
import { type SchemaObject, keywordsIn, schemasIn, subschemasOf } from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';

/** Steps of every validation. */
const baseSteps = 100_000;

/** Additional steps for each value in the validated value. */
const stepsPerPlace = 100;

/**
 * Ends a validation that takes too many steps. Counting takes time, so it is used only if
 * `mayTakeLong` is true.
 */
export class StepBudget {
  /** Steps taken by all validations so far. */
  stepCount = 0;
  readonly #baseSteps: number;
  #end = 0;
  /** Undefined once the budget is extended by its size. */
  #value: JsonValue | undefined;

  constructor(steps = baseSteps) {
    this.#baseSteps = steps;
  }

  /** The result of one validation, or `beyond` if it takes too many steps. */
  runWithin<Result>(value: JsonValue, run: () => Result, resultBeyondBudget: Result): Result {
    this.#value = value;
    this.#end = this.stepCount + this.#baseSteps;
    try {
      return run();
    } catch (error) {
      if (error === overBudget) return resultBeyondBudget;
      throw error;
    }
  }

  /**
   * Counts the validation of one value against one schema, by the value's size. Throws if the
   * budget is spent.
   */
  step(value: JsonValue): void {
    this.stepCount += 1 + sizeOf(value);
    if (this.stepCount > this.#end) this.#extend();
  }

  #extend(): void {
    if (this.#value === undefined) throw overBudget;
    this.#end += stepsPerPlace * placesIn(this.#value);
    this.#value = undefined;
  }
}

const overBudget = new Error('a validation takes too many steps');

/** The number of elements, members, or hundreds of characters. */
function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return Math.floor(value.length / 100);
  return isContainer(value) ? Object.keys(value).length : 0;
}

function placesIn(value: JsonValue): number {
  let places = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    places += 1;
    if (isContainer(next)) for (const item of Object.values(next)) open.push(item);
  }
  return places;
}

/** Schemas that one value may be validated against without a budget. */
const maxUncounted = 20_000;

/** Only one of these keywords applies to a member or an element. */
const exclusive = new Set<unknown>(['additionalProperties', 'items', 'prefixItems', 'properties']);

/**
 * The cost of a schema that contains itself. `schemas`: those at and below it, as often as a value
 * can be validated against them.
 */
const selfContained = { schemas: 1, isCircular: true };

/**
 * Whether validation may take far too long: references lead back in two ways, or multiply the
 * schemas for one value.
 */
export function mayTakeLong(root: SchemaObject): boolean {
  // A tree has each schema once.
  if (!keywordsIn(root).has('$ref') && schemasIn(root).length <= maxUncounted) return false;
  let hasTwoWaysBack = false;
  const costOf = memoize((schema: SchemaObject): typeof selfContained => {
    const { $defs: _definitions, $ref, ...asserting } = schema;
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    const subschemas = Object.entries(asserting).flatMap(([keyword, value]) =>
      subschemasOf({ [keyword]: value }).map(
        (part) => [part, exclusive.has(keyword) ? 'below' : part] as const,
      ),
    );
    const ways = [...(target === undefined ? [] : [[target, target] as const]), ...subschemas].map(
      ([part, way]) => [costOf(part), way] as const,
    );
    const waysBack = new Set(ways.flatMap(([{ isCircular }, way]) => (isCircular ? [way] : [])));
    hasTwoWaysBack ||= waysBack.size > 1;
    const schemas = ways.reduce((sum, [cost]) => sum + cost.schemas, 1);
    return { schemas, isCircular: waysBack.size > 0 };
  }, selfContained);
  return costOf(root).schemas > maxUncounted || hasTwoWaysBack;
}
