import type { ListedRepair } from '../src/page/page-data.ts';

/** The repairs of one rule. */
export interface RepairGroup {
  readonly rule: string;
  readonly repairs: readonly ListedRepair[];
}

export const repairGroups = (repairs: readonly ListedRepair[]): readonly RepairGroup[] =>
  Array.from(
    Map.groupBy(repairs, ({ rule }) => rule),
    ([rule, those]) => ({ rule, repairs: those }),
  );
