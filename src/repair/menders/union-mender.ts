// What does the engine make of a value where a union is declared? Each branch on its own; taken is the only outcome.
import type { JsonValue } from '../../json/json-value.ts';
import type { Fixed } from '../edits/made-edits.ts';
import type { Inspector } from '../inspector.ts';
import type { Spot } from '../spot.ts';
import { onlyResult } from './only-result.ts';
import { possibleBranches } from './possible-branches.ts';

/** What exactly one value comes out of, judged by the union as a whole. `fix`: mends a value at a place. */
export function mendUnion(
  inspector: Inspector,
  value: JsonValue,
  spot: Spot,
  fix: (value: JsonValue, spot: Spot) => Fixed,
): Fixed {
  const results: (Fixed & { kind: 'fits' })[] = [];
  const types = spot.types ?? inspector.typesOf(spot.schema);
  const { branches } = inspector.view(spot.schema);
  // The arguments as a whole may stand in an envelope.
  const possible = spot.path === '' ? branches : possibleBranches(value, branches, inspector.views);
  for (const schema of possible) {
    const fixed = fix(value, { ...spot, schema, types });
    if (fixed.kind === 'fits' && inspector.fits(fixed.value, spot)) results.push(fixed);
  }
  return onlyResult(results) ?? { kind: 'unfit', value, mended: [] };
}
