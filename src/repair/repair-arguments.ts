// How is a value that the judge refuses brought to one that it accepts? Only where it fails, and all or nothing.
import type { JsonValue } from '../json/json-value.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import type { Judge } from '../validate/judge.ts';
import { Inspector } from './inspector.ts';
import { lostDigits } from './lost-digits.ts';
import { PlaceMender } from './place-mender.ts';
import { RepairLedger } from './repair-ledger.ts';
import { defaultRepairLimits, type RepairLimits } from './repair-limits.ts';
import type { RepairRecord } from './repair-record.ts';
import { rootSpot } from './spot.ts';

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

export interface RepairRequest {
  readonly value: JsonValue;
  readonly numbers: NumberTexts;
  /** Characters of what was sent; decoding is bounded by it. */
  readonly size: number;
  readonly limits?: RepairLimits;
}

/** Proposals at the failing places, judged again, until the whole call passes or nothing helps. */
export function repairArguments(judge: Judge, request: RepairRequest): RepairResult {
  const ledger = new RepairLedger(request.limits ?? defaultRepairLimits, request.size, request.numbers);
  const inspector = new Inspector(judge, ledger);
  const fixed = new PlaceMender(inspector).fix(request.value, rootSpot(judge.views.root));
  if (fixed.kind === 'fits') return { kind: 'repaired', value: fixed.value, records: fixed.records };
  return {
    kind: 'failed',
    mended: fixed.mended,
    inexact: lostDigits(request.value, request.numbers).filter((place) => !fixed.mended.includes(place)),
    isOverBudget: ledger.isOverBudget,
  };
}
