// Does it depend on the value what is asked for at a place? Then the engine mends by what may be asked for, one by one.
import type { JsonValue } from '../../json/json-value.ts';
import type { Fixed } from '../edits/made-edits.ts';
import type { Inspector } from '../inspector.ts';
import type { Spot } from '../spot.ts';
import { mendConditional, type PlaceFixing } from './condition-mender.ts';
import { mendUnion } from './union-mender.ts';

/** What becomes of a value in a union or under a condition; undefined where the same is asked of every value. */
export function mendSplit(
  inspector: Inspector,
  value: JsonValue,
  spot: Spot,
  fixing: PlaceFixing,
): Fixed | undefined {
  const { branches, conditions } = inspector.view(spot.schema);
  if (branches.length > 0) return mendUnion(inspector, value, spot, fixing.fix);
  return conditions.length > 0 ? mendConditional(inspector, value, spot, fixing) : undefined;
}
