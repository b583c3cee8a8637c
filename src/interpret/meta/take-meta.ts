// Which of the sent keys are meta arguments, and what do they say? They are taken out or refused; nothing of them vanishes.
import type { MetaArgument } from '../../contract/tool-contract.ts';
import { excerptOf } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import { objectOf } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';
import type { TakenArguments } from '../accept-or-repair.ts';
import { type DecodedValue, findMeta, type SentMeta } from './find-meta.ts';
import { expectedOf, metaValueOf } from './meta-value.ts';

/** `conflict`: two keys for one meta argument; nothing else is looked at. `wrong`: the tool's own arguments are left. */
export type MetaReading =
  | { readonly kind: 'taken'; readonly taken: TakenArguments }
  | { readonly kind: 'wrong'; readonly issues: readonly Issue[]; readonly taken: TakenArguments }
  | { readonly kind: 'conflict'; readonly issues: readonly Issue[] };

/** A key that is no meta argument stays where it is. */
export function takeMeta(judge: Judge, decoded: DecodedValue): MetaReading {
  const { meta } = judge.contract;
  const { value: sent } = decoded;
  if (meta.length === 0)
    return { kind: 'taken', taken: { value: sent, sent, at: '', meta: {}, records: [] } };
  const { found, ...rest } = findMeta(judge, decoded);
  const conflicts = meta.flatMap((argument) => conflictIn(argument, found));
  if (conflicts.length > 0) return { kind: 'conflict', issues: conflicts };
  const issues = meta.flatMap((argument) => issuesOf(argument, found));
  const values = found.flatMap(({ argument, value }) => {
    const read = value === null ? null : metaValueOf(argument, value);
    return read === null ? [] : [[argument.name, read] as const];
  });
  const taken = { ...rest, meta: objectOf(values) };
  return issues.length === 0 ? { kind: 'taken', taken } : { kind: 'wrong', issues, taken };
}

function conflictIn(argument: MetaArgument, found: readonly SentMeta[]): readonly Issue[] {
  const [, second] = found.filter((one) => one.argument === argument);
  if (second === undefined) return [];
  const { path, key } = second;
  return [{ keyword: 'meta', path, key, advice: `send ${argument.key} once` }];
}

function issuesOf(argument: MetaArgument, found: readonly SentMeta[]): readonly Issue[] {
  const one = found.find((candidate) => candidate.argument === argument);
  // null counts as absent.
  const sent = one?.value ?? null;
  if (one === undefined || sent === null) {
    return argument.isRequired
      ? [{ keyword: 'required', path: '', key: argument.key, expected: expectedOf(argument) }]
      : [];
  }
  if (metaValueOf(argument, sent) !== null) return [];
  const { path } = one;
  return [{ keyword: 'meta', path, expected: expectedOf(argument), received: excerptOf(sent) }];
}
