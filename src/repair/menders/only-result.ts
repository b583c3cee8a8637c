// Which of the values that came out of a union's branches is meant? One is, if there is no other, and none needless.
import { sameValue } from '../../json/same-value.ts';
import type { Fixed } from '../edits/made-edits.ts';
import type { RepairRecord } from '../repair-record.ts';

type Fitting = Fixed & { readonly kind: 'fits' };

/** undefined where several different values are left. */
export function onlyResult(results: readonly Fitting[]): Fitting | undefined {
  const [first, ...others] = results.filter((result) => !results.some((other) => goesOn(result, other)));
  return first !== undefined && others.every(({ value }) => sameValue(first.value, value))
    ? first
    : undefined;
}

/**
 * Made of what the other one is by more edits, where that one is nothing but what the text says: the text is read as
 * that and only that, it fits, so nothing more is to be edited there.
 */
const goesOn = ({ records }: Fitting, other: Fitting): boolean =>
  records.length > other.records.length &&
  other.records.length > 0 &&
  other.records.every(
    (record, at) =>
      reading.has(record.rule) && (isSameEdit(record, records[at]) || isSameInList(record, records, at)),
  );

/** The rules that read a text as what it spells: a list, an object, the path in a link. */
const reading: ReadonlySet<string> = new Set([
  'json_text_to_array',
  'json_text_to_object',
  'md_link_to_path',
]);

/** A link that is read as its path is the same in a list that was made of it. */
function isSameInList(record: RepairRecord, records: readonly RepairRecord[], at: number): boolean {
  const wrapped = records[at];
  const inside = records[at + 1];
  if (wrapped?.rule !== 'wrap_in_array' || wrapped.path !== record.path) return false;
  return inside?.rule === record.rule && inside.path === `${record.path}/0`;
}

const isSameEdit = (left: RepairRecord, right: RepairRecord | undefined): boolean =>
  left.rule === right?.rule &&
  left.path === right.path &&
  JSON.stringify(left.operations) === JSON.stringify(right.operations);
