// Could one validation take far longer than its value is long? Where schemas meet the same value again and again.
import { resolveReference } from '../../contract/judged-schema/local-references.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';

/** Schemas that one place of a value meets, at most, without being counted. */
const mostMet = 20_000;

/**
 * True where references lead to so many schemas that each step must be counted: a circle that can be gone round in two
 * ways at the same place of a value, or references to references that are doubled each time.
 */
export function mayTakeLong(root: SchemaObject): boolean {
  const search = new CostSearch(root);
  return search.costOf(root).schemas > mostMet || search.isManifold;
}

interface Cost {
  /** Schemas at and below one, each as often as it is met. */
  readonly schemas: number;
  /** It leads into a circle. */
  readonly isCircular: boolean;
}

/** Keywords of which one alone looks at any one member or element. */
const exclusive: ReadonlySet<string> = new Set([
  'additionalProperties',
  'items',
  'prefixItems',
  'properties',
]);

class CostSearch {
  /** Some circle can be gone round in two ways. */
  isManifold = false;
  readonly #root: SchemaObject;
  readonly #costs = new Map<SchemaObject, Cost | 'open'>();

  constructor(root: SchemaObject) {
    this.#root = root;
  }

  costOf(schema: SchemaObject): Cost {
    const known = this.#costs.get(schema);
    if (known === 'open') return { schemas: 1, isCircular: true };
    if (known !== undefined) return known;
    this.#costs.set(schema, 'open');
    const { $defs: _definitions, $ref, ...judging } = schema;
    const ways = new Set<unknown>();
    let schemas = 1;
    const meet = (below: SchemaObject, way: unknown): SchemaObject => {
      const cost = this.costOf(below);
      schemas += cost.schemas;
      if (cost.isCircular) ways.add(way);
      return below;
    };
    const target = $ref === undefined ? undefined : resolveReference($ref, this.#root);
    if (target !== undefined) meet(target, target);
    for (const [keyword, held] of Object.entries(judging))
      mapSubschemas({ [keyword]: held }, (below) => meet(below, exclusive.has(keyword) ? 'below' : below));
    this.isManifold ||= ways.size > 1;
    const cost = { schemas, isCircular: ways.size > 0 };
    this.#costs.set(schema, cost);
    return cost;
  }
}
