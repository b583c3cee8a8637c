// Formats the counts of valid, repaired and rejected calls, one row for each model.
import type { RepairStatsSnapshot } from 'toolmend';

const header = ['model', 'valid', 'repaired', 'rejected', 'rules'] as const;

/** The lines of the table; two blanks separate columns. */
export function statsTable(stats: RepairStatsSnapshot): readonly string[] {
  const rows = [header, ...Object.keys(stats).map((model) => rowOf(stats, model))];
  const widths = header.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function rowOf(stats: RepairStatsSnapshot, model: string): readonly string[] {
  const { unchanged, repaired, rejected, rules } = modelTotals(stats, model);
  const words = [...rules].map(([rule, count]) => `${rule} ${count}`).toSorted();
  return [model, String(unchanged), String(repaired), String(rejected), words.join(', ')];
}

export interface ModelTotals {
  readonly unchanged: number;
  readonly repaired: number;
  readonly rejected: number;
  readonly rules: ReadonlyMap<string, number>;
}

/** The counts of one model over all its tools. */
export function modelTotals(stats: RepairStatsSnapshot, model: string): ModelTotals {
  const tools = Object.values(stats[model] ?? {});
  const rules = new Map<string, number>();
  for (const [rule, count] of tools.flatMap((tool) => Object.entries(tool.rules))) {
    rules.set(rule, (rules.get(rule) ?? 0) + count);
  }
  const sum = (key: 'unchanged' | 'repaired' | 'rejected'): number =>
    tools.reduce((total, tool) => total + tool[key], 0);
  return {
    unchanged: sum('unchanged'),
    repaired: sum('repaired'),
    rejected: sum('rejected'),
    rules,
  };
}
