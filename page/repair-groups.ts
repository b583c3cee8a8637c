import type { RepairRecord } from '../src/repair/repair-rule.ts';

/** The repairs of one rule. */
export interface RepairGroup {
  readonly rule: string;
  readonly repairs: readonly RepairRecord[];
}

export const repairGroups = (repairs: readonly RepairRecord[]): readonly RepairGroup[] =>
  Array.from(
    Map.groupBy(repairs, ({ rule }) => rule),
    ([rule, those]) => ({ rule, repairs: those }),
  );
