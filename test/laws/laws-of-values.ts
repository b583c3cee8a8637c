// Which values are accepted? Valid ones as they are, others only as values that a judge passes.
import { holdsIf, isSameJson, type Law } from './law.ts';

export const validUnchanged: Law = {
  id: 'valid_unchanged',
  title: 'a valid value comes back identical and unrecorded',
  judge({ isValid, sent, result }) {
    if (!isValid) return 'silent';
    if (result.status !== 'unchanged') return { breach: `it is ${result.status}: ${JSON.stringify(result)}` };
    const isUnrecorded = result.repairs.length === 0 && result.notes.length === 0;
    if (!isUnrecorded) return { breach: 'something is recorded' };
    const isSame =
      typeof sent.arguments === 'string'
        ? isSameJson(result.value, JSON.parse(sent.arguments))
        : result.value === sent.arguments;
    return holdsIf(isSame, () => `it became ${JSON.stringify(result.value)}`);
  },
};

export const acceptedPasses: Law = {
  id: 'accepted_passes',
  title: 'an accepted value passes the judge, and an independent one',
  judge({ contract, interpret, judge, result }) {
    if (result.status === 'rejected') return 'silent';
    const again = interpret(contract, { arguments: result.value });
    if (again.status === 'rejected') return { breach: `sent again: ${again.message}` };
    return holdsIf(
      judge.accepts(result.value),
      () => `${judge.failingPlaces(result.value).join(', ')} fails`,
    );
  },
};

export const repairedOnce: Law = {
  id: 'repaired_once',
  title: 'repairing twice changes nothing more',
  judge({ contract, interpret, result }) {
    if (result.status !== 'repaired') return 'silent';
    const again = interpret(contract, { arguments: result.value });
    const isUnchanged = again.status === 'unchanged' && again.value === result.value;
    return holdsIf(isUnchanged, () => `sent again: ${JSON.stringify(again)}`);
  },
};

export const meantIsAccepted: Law = {
  id: 'meant_is_accepted',
  title: 'a mistake with one reading is repaired to what was meant, or not at all',
  judge({ meant, result }) {
    if (meant === undefined || result.status !== 'repaired') return 'silent';
    return holdsIf(isSameJson(sorted(result.value), sorted(meant)), () => {
      const rules = result.repairs.map(({ rule, path }) => `${rule} ${path}`).join(', ');
      return `${JSON.stringify(result.value)} instead of ${JSON.stringify(meant)} by ${rules}`;
    });
  },
};

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
