// What does the engine make of a value where something holds only on a condition? What the value as it stands asks for.
// A condition is never mended to be met: it is asked again about what came out, and the answer has to be the same.
import type { JsonValue } from '../../json/json-value.ts';
import type { Fixed } from '../edits/made-edits.ts';
import type { Inspector } from '../inspector.ts';
import type { Spot } from '../spot.ts';
import { onlyResult } from './only-result.ts';

/** Sets of outcomes that are tried, at most: one repair may decide the condition of the next. */
const mostTried = 8;

/** What the engine can do at a place. */
export interface PlaceFixing {
  /** Mends a value at a place. */
  readonly fix: (value: JsonValue, spot: Spot) => Fixed;
  /** The value without what stands around it as a whole; undefined where nothing does. */
  readonly unwrap: () => JsonValue | undefined;
}

/**
 * The value mended by what holds for it as it is. Where that doesn't succeed, or changes what holds: by what holds for the
 * outcome, and for the value mended by what holds without conditions; then exactly one value has to come out.
 */
export function mendConditional(
  inspector: Inspector,
  value: JsonValue,
  spot: Spot,
  fixing: PlaceFixing,
): Fixed {
  const asSent = inspector.outcomes(spot.schema, value);
  const first = mendAssuming(inspector, value, { spot, outcomes: asSent }, fixing);
  if (first.kind === 'right') return first.fixed;
  const tried = new Set([asSent.join()]);
  const open = first.kind === 'changed' ? [first.outcomes] : [];
  for (const other of withoutConditions(inspector, value, spot, fixing))
    open.push(inspector.outcomes(spot.schema, other));
  const results: Fitting[] = [];
  for (let outcomes = open.pop(); outcomes !== undefined; outcomes = open.pop()) {
    if (tried.has(outcomes.join())) continue;
    if (tried.size >= mostTried) return { kind: 'unfit', value, mended: [] };
    tried.add(outcomes.join());
    const next = mendAssuming(inspector, value, { spot, outcomes }, fixing);
    if (next.kind === 'right') results.push(next.fixed);
    if (next.kind === 'changed') open.push(next.outcomes);
  }
  // Nothing is certain: what is put right elsewhere may decide a condition otherwise.
  return onlyResult(results) ?? { kind: 'unfit', value, mended: [] };
}

type Fitting = Fixed & { readonly kind: 'fits' };

/** What the value would be if there were no conditions. */
function withoutConditions(
  inspector: Inspector,
  value: JsonValue,
  spot: Spot,
  { fix, unwrap }: PlaceFixing,
): readonly JsonValue[] {
  const unwrapped = unwrap();
  const schema = inspector.views.unconditional(spot.schema);
  return [value, ...(unwrapped === undefined ? [] : [unwrapped])].flatMap((sent) => {
    const plain = fix(sent, { ...spot, schema });
    return plain.kind === 'fits' ? [plain.value] : [];
  });
}

interface Assumed {
  readonly spot: Spot;
  readonly outcomes: readonly boolean[];
}

/** `changed`: for what came out other outcomes hold than were assumed. */
type Attempt =
  | { readonly kind: 'right'; readonly fixed: Fitting }
  | { readonly kind: 'changed'; readonly outcomes: readonly boolean[] }
  | { readonly kind: 'wrong' };

function mendAssuming(
  inspector: Inspector,
  value: JsonValue,
  { spot, outcomes }: Assumed,
  { fix }: PlaceFixing,
): Attempt {
  const fixed = fix(value, { ...spot, schema: inspector.views.assuming(spot.schema, outcomes) });
  if (fixed.kind === 'unfit') return { kind: 'wrong' };
  const reached = inspector.outcomes(spot.schema, fixed.value);
  if (reached.join() !== outcomes.join()) return { kind: 'changed', outcomes: reached };
  return inspector.fits(fixed.value, spot) ? { kind: 'right', fixed } : { kind: 'wrong' };
}
