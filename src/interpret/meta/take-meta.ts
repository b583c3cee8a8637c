// Which of the sent keys are meta arguments, and what do they say? They are taken out or refused; nothing of them vanishes.
import type { MetaArgument } from '../../contract/tool-contract.ts';
import { expectedWords } from '../../hints/describe-schema.ts';
import type { Issue } from '../../issues/issue.ts';
import { objectOf } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';
import type { TakenArguments } from '../accept-or-repair.ts';
import { type DecodedValue, findMeta, type SentMeta } from './find-meta.ts';
import { expectedOf } from './meta-value.ts';
import { readMeta } from './read-meta.ts';

/**
 * `refused`: two keys for one meta argument, or one where it can't be meant for certain; nothing else is looked at. `wrong`: the tool's own arguments are left.
 * `approximate`: how numbers were spelled must be known first.
 */
export type MetaReading =
  | { readonly kind: 'taken'; readonly taken: TakenArguments }
  | { readonly kind: 'wrong'; readonly issues: readonly Issue[]; readonly taken: TakenArguments }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] }
  | { readonly kind: 'approximate' };

/** A key that is no meta argument stays where it is. */
export function takeMeta(judge: Judge, decoded: DecodedValue): MetaReading {
  const { meta } = judge.contract;
  const { value: sent } = decoded;
  if (meta.length === 0)
    return { kind: 'taken', taken: { value: sent, sent, at: '', meta: {}, records: [] } };
  const { found, misplaced, ...rest } = findMeta(judge, decoded);
  const refused = [
    ...meta.flatMap((argument) => conflictIn(argument, found)),
    ...misplaced.map(misplacedIssue),
  ];
  if (refused.length > 0) return { kind: 'refused', issues: refused };
  // null counts as absent.
  const said = found.filter(({ value }) => value !== null);
  const readings = said.map((one) => ({ ...one, reading: readMeta(judge.contract, one, decoded) }));
  if (readings.some(({ reading }) => reading.kind === 'approximate')) return { kind: 'approximate' };
  const absent = meta.filter((argument) => !said.some((one) => one.argument === argument));
  const issues = [
    ...readings.flatMap(({ reading }) => (reading.kind === 'wrong' ? reading.issues : [])),
    ...absent.flatMap((argument) => absenceOf(judge, argument)),
  ];
  const read = readings.flatMap(({ argument, reading }) =>
    reading.kind === 'read' ? [{ name: argument.name, ...reading }] : [],
  );
  const taken = {
    ...rest,
    meta: objectOf(read.map(({ name, value }) => [name, value] as const)),
    records: [...rest.records, ...read.flatMap(({ records }) => records)],
  };
  return issues.length === 0 ? { kind: 'taken', taken } : { kind: 'wrong', issues, taken };
}

function conflictIn(argument: MetaArgument, found: readonly SentMeta[]): readonly Issue[] {
  const [, second] = found.filter((one) => one.argument === argument);
  if (second === undefined) return [];
  const { path, key } = second;
  return [{ keyword: 'meta', path, key, advice: `send ${argument.key} once` }];
}

const misplacedIssue = ({ path, key }: SentMeta): Issue => ({
  keyword: 'meta',
  path,
  key,
  advice: 'send it beside the tool’s own arguments, with nothing around them',
});

function absenceOf({ views }: Judge, { key, kind, schema, isRequired }: MetaArgument): readonly Issue[] {
  if (!isRequired) return [];
  const expected = kind === 'schema' ? expectedWords(views, schema) : expectedOf(kind);
  return [{ keyword: 'required', path: '', key, expected }];
}
