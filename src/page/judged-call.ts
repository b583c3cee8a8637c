// The arguments of a recorded call, as they are read today.
import { argumentsText } from '../interpret/interpretation.ts';
import { interpret } from '../interpret/interpret-arguments.ts';
import { defined } from '../collections/objects.ts';
import type { JsonValue } from '../json/value.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { declaresSecrets } from '../run/call-digests.ts';
import { issueField } from '../store/call-facts.ts';
import type { RejectedPlace } from '../store/call-figures.ts';
import { withoutSecrets } from '../telemetry/redact-arguments.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { CallDetail, ListedRepair } from './page-data.ts';

/** A call with the schema of its tool. */
export interface RecordedArguments {
  readonly contract: ToolContract;
  /** Argument text, or a value that a provider parsed. */
  readonly sent: JsonValue;
  readonly finishReason?: string | undefined;
}

/** A judgement of today, which may differ from what was recorded. */
export interface JudgedCall extends Omit<CallDetail, 'call' | 'run'> {
  readonly status: 'valid' | 'repaired' | 'rejected';
}

/** Without declared secrets, and without what looks like one. */
export function judgedCall({ contract, sent, finishReason }: RecordedArguments): JudgedCall {
  const shownValue = withoutSecrets(sent);
  const isWithheld = shownValue === undefined || declaresSecrets(contract);
  const read = isWithheld ? sent : shownValue;
  const result = interpret(
    contract,
    { arguments: read, ...defined({ finishReason }) },
    { output: 'json' },
  );
  const status = result.status === 'unchanged' ? 'valid' : result.status;
  if (isWithheld) {
    const issues = result.issues.map(({ keyword, path }) => ({ keyword, path }));
    return { status, repairs: [], issues, notes: [], missing: 'secrets' };
  }
  const common = {
    status,
    sent: typeof read === 'string' ? read : JSON.stringify(read),
    repairs: listedRepairs(result.repairs),
    issues: result.issues.map(({ keyword, path, key }) => ({
      keyword,
      path,
      ...defined({ key }),
    })),
    notes: result.notes.map(({ text }) => text),
    schema: contract.inputSchema,
    ...defined({ effects: contract.effects, finishReason }),
  } as const;
  return result.status === 'rejected'
    ? { ...common, message: result.message }
    : { ...common, used: argumentsText(result) };
}

/** An issue by its keyword and field: `required /command`. */
export const issueName = (place: RejectedPlace): string =>
  nameOfIssue(place.keyword, issueField(place));

/** Of a row of `journal.stats`, or of a call's misses. */
export const nameOfIssue = (issue: string, field: string): string => `${issue} ${field}`.trim();

/** Without values, of which some may be secret. */
export const listedRepairs = (repairs: readonly RepairRecord[]): readonly ListedRepair[] =>
  repairs.map(({ rule, path, operations }) => ({
    rule,
    path,
    operations: operations.map((operation) =>
      operation.op === 'move'
        ? { op: operation.op, path: operation.path, from: operation.from }
        : { op: operation.op, path: operation.path },
    ),
  }));

/** How often each rule has acted. */
export function ruleCounts(
  repairs: readonly { readonly rule: string }[],
): readonly { readonly rule: string; readonly times: number }[] {
  const times = new Map<string, number>();
  for (const { rule } of repairs) times.set(rule, (times.get(rule) ?? 0) + 1);
  return Array.from(times, ([rule, count]) => ({ rule, times: count }));
}
