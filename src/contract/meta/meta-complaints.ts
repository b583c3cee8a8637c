// What stands against a list of meta arguments? Names that can't be told apart, or that would not come back as they went.
import type { Complaint } from '../../errors/definition-error.ts';
import { foldKey } from '../../json/fold-key.ts';
import type { MetaArgument } from '../tool-contract.ts';
import { canonicalKey } from './meta-arguments.ts';

/** One complaint for each mistake; `where` is whoever lists them. */
export function metaComplaints(meta: readonly MetaArgument[], where: string): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const first = new Map<string, string>();
  for (const { key, name, aliases } of meta) {
    if (!/^[a-z]\w{0,60}$/i.test(name) || key !== canonicalKey(name)) {
      const what = `has the meta argument ${JSON.stringify(key)} with the name ${JSON.stringify(name)}`;
      complaints.push({
        where,
        what,
        instead: 'write a name of letters, digits and _, and as key _ and the name',
      });
    }
    for (const spelling of new Set([key, ...aliases].map((one) => foldKey(one) ?? one))) {
      const other = first.get(spelling);
      if (other !== undefined) {
        const what = `has the meta arguments ${other} and ${key}, which are spelled alike`;
        complaints.push({ where, what, instead: 'leave one of them out, or give it another name' });
      }
      first.set(spelling, key);
    }
  }
  return complaints;
}
