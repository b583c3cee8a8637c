import { messageNamesAll } from './law-of-messages.ts';
import { holdsIf, isSameJson, type Law } from './law.ts';
import { recordsSayAll, untouchedKept } from './laws-of-records.ts';

const inputUntouched: Law = {
  id: 'input_untouched',
  title: 'the input is never written to',
  judge({ contract, interpret, sent }) {
    if (typeof sent.arguments === 'string') return 'silent';
    // What was sent is frozen. This copy is not.
    const copy: unknown = structuredClone(sent.arguments);
    interpret(contract, { ...sent, arguments: copy });
    return holdsIf(isSameJson(copy, sent.arguments), () => `now it is ${JSON.stringify(copy)}`);
  },
};

const sameResult: Law = {
  id: 'same_result',
  title: 'the same input gives the same result',
  judge({ contract, interpret, sent, result }) {
    const again = interpret(contract, sent);
    return holdsIf(isSameJson(again, result), () => `then ${JSON.stringify(again)}`);
  },
};

const validUnchanged: Law = {
  id: 'valid_unchanged',
  title: 'a valid value comes back identical and unrecorded',
  judge({ isValid, sent, result }) {
    if (!isValid) return 'silent';
    if (result.status !== 'unchanged')
      return { breach: `it is ${result.status}: ${JSON.stringify(result)}` };
    const isUnrecorded = result.repairs.length === 0 && result.notes.length === 0;
    if (!isUnrecorded) return { breach: 'something is recorded' };
    const isSame =
      typeof sent.arguments === 'string'
        ? isSameJson(result.value, JSON.parse(sent.arguments))
        : result.value === sent.arguments;
    return holdsIf(isSame, () => `it became ${JSON.stringify(result.value)}`);
  },
};

const acceptedPasses: Law = {
  id: 'accepted_passes',
  title: 'an accepted value is valid, also by an independent validator',
  judge({ contract, interpret, validator, result }) {
    if (result.status === 'rejected') return 'silent';
    const again = interpret(contract, { arguments: result.value });
    if (again.status === 'rejected') return { breach: `sent again: ${again.message}` };
    return holdsIf(
      validator.accepts(result.value),
      () => `${validator.failingLocations(result.value).join(', ')} fails`,
    );
  },
};

const repairedOnce: Law = {
  id: 'repaired_once',
  title: 'repairing twice changes nothing more',
  judge({ contract, interpret, result }) {
    if (result.status !== 'repaired') return 'silent';
    const again = interpret(contract, { arguments: result.value });
    const isUnchanged = again.status === 'unchanged' && again.value === result.value;
    return holdsIf(isUnchanged, () => `sent again: ${JSON.stringify(again)}`);
  },
};

const meantIsAccepted: Law = {
  id: 'meant_is_accepted',
  title: 'a call with one meaning is repaired to what was meant, or not at all',
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

/**
 * In the order in which they are tried: a result that varies, or an input that is written to, could
 * break any other law.
 */
export const laws: readonly Law[] = [
  sameResult,
  inputUntouched,
  validUnchanged,
  acceptedPasses,
  repairedOnce,
  recordsSayAll,
  untouchedKept,
  meantIsAccepted,
  messageNamesAll,
];
