// What is left when schema and strict readings are met? Pairs, the author's own checks, and who may act.
import { copiedMasks } from '../contract/secret-places.ts';
import type { Issue } from '../issues/issue.ts';
import { isJsonObject, type JsonObject } from '../json/json-value.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import { fillPairs } from '../repair/fill-pairs.ts';
import type { Judge } from '../validate/judge.ts';
import type { Accepted, Interpretation, MetaValues, Rejected } from './interpretation.ts';
import { notesOf } from './notes.ts';
import { reject } from './rejection/reject.ts';
import { mayActUnasked } from './who-may-act.ts';

interface Valid {
  readonly value: JsonObject;
  readonly meta: MetaValues;
  readonly records: Accepted['repairs'];
  readonly numbers: NumberTexts;
}

/** Accepts a value that the judge has passed, unless the author's checks or the tool's repair level say no. */
export function accept(judge: Judge, valid: Valid): Interpretation {
  const { value, records } = withPairs(judge, valid);
  const { meta } = valid;
  const masks = copiedMasks(judge.views, judge.views.root, value);
  if (masks.length > 0) return reject(judge, meta, masks.map(maskIssue));
  const failures = judge.checkFailures(value);
  if (failures.length > 0) {
    const issues = failures.map(({ path, message }): Issue => ({ keyword: 'check', path, advice: message }));
    return withCauses(reject(judge, meta, issues), failures);
  }
  const isUnasked = judge.contract.repair === 'lossless' && records.some(({ rule }) => !mayActUnasked(rule));
  if (isUnasked) return reject(judge, meta, [{ keyword: 'not_confirmed', path: '' }], value);
  const outcome = records.length === 0 ? 'unchanged' : 'repaired';
  const unjudged = judge.isUnjudged ? { unjudged: true as const } : {};
  return { outcome, value, meta, repairs: records, notes: notesOf(records), issues: [], ...unjudged };
}

const maskIssue = (path: string): Issue => ({
  keyword: 'check',
  path,
  advice: 'send the secret itself, not the words that stood for it',
});

function withPairs(judge: Judge, valid: Valid): Valid {
  const { value, records } = fillPairs(judge, valid.value, judge.views.root, '');
  if (records.length === 0 || !isJsonObject(value) || !judge.acceptsPart(judge.views.root, value))
    return valid;
  valid.numbers.follow(valid.value, value);
  return { ...valid, value, records: [...valid.records, ...records] };
}

/** What a check threw is for the developer: no copy, log or JSON of a rejection has it by accident. */
function withCauses(rejected: Rejected, failures: ReturnType<Judge['checkFailures']>): Rejected {
  const causes = failures.flatMap((failure) => ('cause' in failure ? [failure.cause] : []));
  return causes.length === 0
    ? rejected
    : Object.defineProperty(rejected, 'causes', { value: Object.freeze(causes), enumerable: false });
}
