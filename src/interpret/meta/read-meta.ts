// What does a meta argument say that was sent? Those of the application are judged and repaired as any argument is.
import { contractOfMeta } from '../../contract/meta/meta-contract.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { Issue } from '../../issues/issue.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import { judgeOf } from '../../validate/judge-of.ts';
import { acceptOrRepair } from '../accept-or-repair.ts';
import type { Accepted } from '../interpretation.ts';
import type { DecodedValue, SentMeta } from './find-meta.ts';
import { expectedInstead, metaValueOf } from './meta-value.ts';

/** `approximate`: how its numbers were spelled must be known first. */
export type MetaValueReading =
  | { readonly kind: 'read'; readonly value: JsonValue; readonly records: Accepted['repairs'] }
  | { readonly kind: 'wrong'; readonly issues: readonly Issue[] }
  | { readonly kind: 'approximate' };

export function readMeta(contract: ToolContract, sent: SentMeta, decoded: DecodedValue): MetaValueReading {
  const { argument, path, value } = sent;
  if (argument.kind === 'schema') return readBySchema(contract, sent, decoded);
  const read = metaValueOf(argument.kind, value);
  if (read !== null) return { kind: 'read', value: read, records: [] };
  return { kind: 'wrong', issues: [{ keyword: 'meta', path, ...expectedInstead(argument.kind, value) }] };
}

function readBySchema(contract: ToolContract, sent: SentMeta, decoded: DecodedValue): MetaValueReading {
  const { argument, key, path, value, within } = sent;
  const { name } = argument;
  const alone = objectOf([[name, value]]);
  decoded.numbers.carry(within, alone, (one) => (one === key ? name : undefined));
  const taken = { value: alone, sent: alone, at: '', meta: {}, records: [] };
  const result = acceptOrRepair(
    judgeOf(contractOfMeta(contract, argument)),
    { ...decoded, verdict: 'open' },
    taken,
    'handler',
  );
  if (result === undefined) return { kind: 'approximate' };
  const below = (place: string): string => place.slice(name.length + 1);
  if (result.outcome === 'rejected') {
    const issues = result.issues.map((issue) => ({
      ...issue,
      // What a key is about keeps its word; the value as a whole can't be used.
      keyword: issue.key === undefined ? 'meta' : issue.keyword,
      path: path + below(issue.path),
    }));
    return { kind: 'wrong', issues };
  }
  // The value is taken out of the arguments: there is nothing to replay on them.
  const records = result.repairs.map((record) => ({
    ...record,
    path: `/${key}${below(record.path)}`,
    operations: [],
  }));
  return { kind: 'read', value: ownValue(result.value, name) ?? null, records };
}
