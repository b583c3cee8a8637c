// Only where it fails, and all or nothing.
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import type { ContractValidator } from '../validate/validator.ts';
import type { RepairRecord } from './repair-rule.ts';
import { Inspector, RepairLedger, type RepairRequest, rootSpot } from './repair-state.ts';
import { PlaceMender } from './repair-value.ts';
import { envelopePlace } from './rules/unwrap-envelope.ts';

export type RepairResult =
  | { readonly kind: 'repaired'; readonly value: JsonValue; readonly records: readonly RepairRecord[] }
  | FailedRepair;

export interface FailedRepair {
  readonly kind: 'failed';
  /** Places that would fit now, so that their issues need not be told. */
  readonly mended: readonly string[];
  /** Numbers that lost digits. */
  readonly inexact: readonly string[];
  readonly isOverBudget: boolean;
}

/** For a value that the validator refuses, or whose numbers have lost digits. Proposals at the failing places, validated again, until the whole call passes or nothing helps. */
export function repairArguments(validator: ContractValidator, request: RepairRequest): RepairResult {
  const ledger = new RepairLedger(request);
  const fixed = new PlaceMender(new Inspector(validator, ledger)).fixRoot(request.value);
  if (fixed.kind === 'fits') return { kind: 'repaired', value: fixed.value, records: fixed.records };
  return {
    kind: 'failed',
    mended: fixed.mended,
    inexact: unsafePlaces(request, ledger.numbers.lossy).filter((place) => !fixed.mended.includes(place)),
    isOverBudget: ledger.isOverBudget,
  };
}

/** `isLossy`: digits were lost there, or in text that was decoded on the way. */
function unsafePlaces({ value, numbers }: RepairRequest, isLossy: boolean): readonly string[] {
  const places = numbers.unsafePlaces(value);
  return places.length === 0 && isLossy ? [''] : places;
}

export interface OpenedEnvelope {
  readonly value: JsonObject;
  /** JSON Pointer of it in what was sent. */
  readonly place: string;
  readonly records: readonly RepairRecord[];
  /** Whether repair would open it: the arguments fail as they are. */
  readonly isNeeded: boolean;
}

/** What stands in an envelope; undefined if the value is none. Nothing inside is looked at. */
export function openEnvelope(
  validator: ContractValidator,
  request: RepairRequest,
): OpenedEnvelope | undefined {
  const inspector = new Inspector(validator, new RepairLedger(request));
  const spot = rootSpot(validator.views.root);
  const { properties } = inspector.view(spot.schema);
  const place = isJsonObject(request.value)
    ? envelopePlace(request.value, (key) => properties.has(key))
    : undefined;
  if (place === undefined) return undefined;
  const opened = new PlaceMender(inspector).unwrap(request.value, spot);
  if (opened === undefined || !isJsonObject(opened.value)) return undefined;
  const isNeeded = !inspector.fits(request.value, spot);
  return { value: opened.value, place, records: opened.made.records, isNeeded };
}
