// What did the model mean by its arguments? One call in one straight line: decode, meta, judge, repair, pairs. Pure, synchronous.
import type { ToolContract } from '../contract/tool-contract.ts';
import { decodeArguments, type DecodedArguments, defaultDecodeLimits } from '../decode/decode-arguments.ts';
import type { Issue } from '../issues/issue.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { fillPairs } from '../repair/fill-pairs.ts';
import { repairArguments } from '../repair/repair-arguments.ts';
import type { RepairRecord } from '../repair/repair-record.ts';
import { isLossless } from '../repair/rule-table.ts';
import { type Judge, judgeOf } from '../validate/judge.ts';
import type { Interpretation, MetaValues } from './interpretation.ts';
import { issuesOfValue } from './issues-of-value.ts';
import { notesOf } from './notes.ts';
import { reject } from './reject.ts';
import { takeContextFields } from './take-context-fields.ts';
import { takeMeta } from './take-meta.ts';
import type { ToolCall } from './tool-call.ts';

/** What of a call decides its meaning. */
export type SentArguments = Pick<ToolCall, 'arguments' | 'finishReason'>;

/** The only seam: registry, adapters, replay and tests all interpret here. Never throws for what a model sent. */
export function interpret(contract: ToolContract, call: SentArguments): Interpretation {
  const judge = judgeOf(contract);
  const decoded = decodeArguments(call.arguments, call.finishReason, defaultDecodeLimits);
  if (decoded.kind === 'refused') return reject(judge, {}, [decoded.issue]);
  const own = takeContextFields(contract, decoded.value);
  const taken = takeMeta(contract, own.value);
  if (taken.kind === 'refused') return reject(judge, {}, taken.issues);
  const early = [...repeatedKeyRecords(decoded), ...own.records, ...taken.records];
  return settle(judge, { decoded, value: taken.value, meta: taken.meta, early });
}

interface Sent {
  readonly decoded: DecodedArguments;
  /** The tool's own arguments, as sent. */
  readonly value: JsonObject;
  readonly meta: MetaValues;
  /** What was done before the judge saw anything. */
  readonly early: readonly RepairRecord[];
}

function settle(judge: Judge, { decoded, value, meta, early }: Sent): Interpretation {
  const { numbers, size } = decoded;
  if (!numbers.lossy && judge.accepts(value)) return accept(judge, { value, meta, records: early });
  const repaired = repairArguments(judge, { value, numbers: numbers.carried(decoded.value, value), size });
  if (repaired.kind === 'failed') {
    const issues = issuesOfValue(judge, value, repaired.mended);
    const reasons = repaired.isOverBudget ? [budgetIssue] : numbers.lossy ? [unsafeNumberIssue] : [];
    return reject(judge, meta, [...reasons, ...issues]);
  }
  return accept(judge, { value: asObject(repaired.value), meta, records: [...early, ...repaired.records] });
}

interface Settled {
  readonly value: JsonObject;
  readonly meta: MetaValues;
  readonly records: readonly RepairRecord[];
}

/** Schema and strict readings are met: what is left are pairs, the author's own checks and who may act. */
function accept(judge: Judge, settled: Settled): Interpretation {
  const { value, records } = withPairs(judge, settled);
  const { meta } = settled;
  const failures = judge.checkFailures(value);
  if (failures.length > 0) {
    const issues = failures.map(({ path, message }): Issue => ({ keyword: 'check', path, advice: message }));
    return reject(judge, meta, issues);
  }
  const unasked = judge.contract.repair === 'lossless' && records.some(({ rule }) => !mayAct(rule));
  if (unasked) return reject(judge, meta, [{ keyword: 'not_confirmed', path: '' }], value);
  const outcome = records.length === 0 ? 'unchanged' : 'repaired';
  return { outcome, value, meta, repairs: records, notes: notesOf(records), issues: [] };
}

function withPairs(judge: Judge, settled: Settled): Settled {
  const pairs = fillPairs(judge.views, settled.value, judge.views.root, '');
  if (pairs.records.length === 0 || !judge.accepts(pairs.value)) return settled;
  return { ...settled, value: asObject(pairs.value), records: [...settled.records, ...pairs.records] };
}

// Pairs are a default that the author declared, not a repair; the rest loses nothing of what was meant.
const mayAct = (rule: string): boolean =>
  isLossless(rule) ||
  rule === 'pairs' ||
  rule === 'meta_key' ||
  rule === 'context_field' ||
  rule === 'duplicate_key';

const budgetIssue: Issue = { keyword: 'budget_exceeded', path: '' };
const unsafeNumberIssue: Issue = {
  keyword: 'unsafe_number',
  path: '',
  advice: 'send it as text if text is allowed',
};

// The root is judged to be an object before anything is accepted.
const asObject = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});

const repeatedKeyRecords = ({ repeatedKeys }: DecodedArguments): readonly RepairRecord[] =>
  repeatedKeys.map((key) => ({
    rule: 'duplicate_key',
    path: '',
    was: key.slice(0, 64),
    tell: false,
    operations: [],
  }));
