// Is the value what the contract asks for, as sent or as it can be repaired? Repaired: judged again. Else rejected as sent.
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { repairArguments } from '../repair/repair-arguments.ts';
import type { Destination } from '../repair/repair-request.ts';
import type { Judge } from '../validate/judge.ts';
import { accept } from './accept.ts';
import type { JudgedArguments } from './accept-as-sent.ts';
import type { Accepted, Interpretation, MetaValues } from './interpretation.ts';
import { issuesOfValue } from './failures/issues-of-value.ts';
import { budgetIssue, unsafeNumberIssue } from './failures/repair-issues.ts';
import { reject } from './rejection/reject.ts';

/** Arguments without what is not for the tool, and what was done to them so far. */
export interface TakenArguments {
  readonly value: JsonObject;
  /** The same as it was sent, where the value stood in an envelope; what is wrong is told of this. */
  readonly sent: JsonObject;
  /** JSON Pointer of the value in what was sent. */
  readonly at: string;
  readonly meta: MetaValues;
  readonly records: Accepted['repairs'];
}

/** `decoded`: the arguments as sent. undefined where repair would have to know how their numbers were spelled. */
export function acceptOrRepair(
  judge: Judge,
  decoded: Pick<JudgedArguments, 'value' | 'numbers' | 'size' | 'isApproximate' | 'verdict' | 'fromShown'>,
  taken: TakenArguments,
  destination: Destination,
): Interpretation | undefined {
  const { value, sent, at, meta, records } = taken;
  const { numbers, size } = decoded;
  const isRefused = decoded.verdict === 'refused' && value === decoded.value;
  if (!isRefused && !numbers.lossy && judge.accepts(value)) return accept(judge, { ...taken, numbers });
  if (decoded.isApproximate) return undefined;
  const readAt = decoded.fromShown?.readAt;
  const repaired = repairArguments(judge, { value, numbers, size, destination, readAt });
  if (repaired.kind === 'repaired') {
    return accept(judge, {
      value: asObject(repaired.value),
      meta,
      records: [...records, ...repaired.records],
      numbers,
    });
  }
  // What is wrong with so many places would take as long to list.
  if (repaired.isOverBudget) return reject(judge, meta, [budgetIssue]);
  const reasons = repaired.inexact.map((path) => unsafeNumberIssue(judge, path, at));
  // Places in what was inside an envelope are no places of what was sent; and where repair needs a confirmation,
  // what it would mend is wrong until then.
  const isMended = sent === value && judge.contract.repair === 'all';
  const others = issuesOfValue(judge, sent, isMended ? repaired.mended : []);
  // On the wire a number may have lost its digits, unless nothing else is wrong.
  const open = destination === 'wire' && others.length > 0 ? others : [...reasons, ...others];
  return reject(judge, meta, open.length > 0 ? open : issuesOfValue(judge, sent, []));
}

// The root is judged to be an object before anything is accepted.
const asObject = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});
