// How a call went, and what its model got wrong, as stores count it.
import type { StoredOutcome } from '../outcomes/stored-outcome.ts';
import type { CallRecord } from '../interpret/records.ts';
import { pointerKeys, pointerTo } from '../json/pointers.ts';
import type { CallStatus, RejectedPlace } from './call-figures.ts';
import type { NewEntry } from './call-store.ts';

/** Whether the tool ran, and gave no result. */
export const hasFailed = (outcome: StoredOutcome): boolean =>
  outcome.status === 'timed_out' ||
  ((outcome.status === 'retry' || outcome.status === 'failed') &&
    outcome.when === undefined &&
    !(outcome.status === 'failed' && outcome.reason === 'in_doubt'));

/** How a call has gone until now. */
export function statusOf(
  { status, rules }: Pick<NewEntry, 'status' | 'rules'>,
  outcome: StoredOutcome | undefined,
): CallStatus {
  if (status === 'rejected') return 'rejected';
  if (outcome !== undefined && hasFailed(outcome)) return 'failed';
  return rules.length === 0 ? 'valid' : 'repaired';
}

/** The rules that repaired a call, each once. */
export const rulesOf = ({
  requested,
  repairs,
}: Pick<CallRecord, 'requested' | 'repairs'>): readonly string[] => [
  ...new Set([
    ...(requested === undefined ? [] : [misspeltName]),
    ...repairs.map(({ rule }) => rule),
  ]),
];

const misspeltName = 'tool_name';

/** Something that the model of a call got wrong, and in which fields. */
export interface Miss {
  readonly kind: 'rule' | 'issue';
  /** The id of a rule, or the keyword of an issue. */
  readonly name: string;
  /** JSON Pointers, each once, with `*` for the indexes of arrays. */
  readonly fields: readonly string[];
}

/** Fields of one call that are counted for a miss. */
const mostFields = 20;

/** What the model got wrong in a call. */
export function missesOf({ rules, issues, call }: NewEntry): readonly Miss[] {
  const repairs = call?.repairs ?? [];
  return [
    ...rules.map((name) =>
      missOf(
        'rule',
        name,
        repairs.filter(({ rule }) => rule === name).map(({ path }) => path),
      ),
    ),
    ...[...new Set(issues.map(({ keyword }) => keyword))].map((name) =>
      missOf('issue', name, issues.filter(({ keyword }) => keyword === name).map(placeOf)),
    ),
  ];
}

const missOf = (kind: Miss['kind'], name: string, places: readonly string[]): Miss => ({
  kind,
  name,
  fields: [...new Set(places.length === 0 ? [''] : places.map(fieldOf))].slice(0, mostFields),
});

/** The field that an issue is about, the key included. */
export const issueField = (place: RejectedPlace): string => fieldOf(placeOf(place));

const placeOf = ({ path, key }: RejectedPlace): string =>
  key === undefined || path.endsWith(pointerTo('', key)) ? path : pointerTo(path, key);

/** Longest pointer to a field, in characters. */
const longestField = 200;

/** The same field in all elements of an array. */
export const fieldOf = (pointer: string): string =>
  (/\/\d/.test(pointer) ? withoutIndexes(pointer) : pointer).slice(0, longestField);

const withoutIndexes = (pointer: string): string =>
  pointerKeys(pointer).reduce((field, key) => pointerTo(field, /^\d+$/.test(key) ? '*' : key), '');
