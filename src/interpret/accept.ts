// What is left when schema and strict readings are met? Pairs, the author's own checks, and who may act.
import { copiedMasks, shownPointer } from '../contract/secret-places.ts';
import { isJsonObject, type JsonObject } from '../json/json-value.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import { fillPairs } from '../repair/fill-pairs.ts';
import type { Judge } from '../validate/judge.ts';
import type { Accepted, Interpretation, MetaValues } from './interpretation.ts';
import { notesOf } from './notes.ts';
import { reject } from './rejection/reject.ts';
import { rejectChecks } from './rejection/reject-checks.ts';
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
  if (failures.length > 0) return rejectChecks(judge, meta, failures);
  const isUnasked = judge.contract.repair === 'lossless' && records.some(({ rule }) => !mayActUnasked(rule));
  if (isUnasked) return reject(judge, meta, [{ keyword: 'not_confirmed', path: '' }], value);
  const notes = notesOf(records, (path) => shownPointer(judge.views, path));
  const outcome = records.length === 0 ? 'unchanged' : 'repaired';
  const unjudged = judge.isUnjudged ? { unjudged: true as const } : {};
  return { outcome, value, meta, repairs: records, notes, issues: [], ...unjudged };
}

const maskIssue = (path: string) => ({
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
