// Does interpreting leave everything as it was, and does it depend on nothing but the call?
import { holdsIf, isSameJson, type Law } from './law.ts';

export const inputUntouched: Law = {
  id: 'input_untouched',
  title: 'the input is never written to',
  judge({ contract, interpret, sent }) {
    if (typeof sent.arguments === 'string') return 'silent';
    // Writing to the frozen one would have thrown, or gone unseen; this one can be written to.
    const open: unknown = structuredClone(sent.arguments);
    interpret(contract, { ...sent, arguments: open });
    return holdsIf(isSameJson(open, sent.arguments), () => `now it is ${JSON.stringify(open)}`);
  },
};

export const sameResult: Law = {
  id: 'same_result',
  title: 'the same input gives the same result',
  judge({ contract, interpret, sent, result }) {
    const again = interpret(contract, sent);
    return holdsIf(isSameJson(again, result), () => `then ${JSON.stringify(again)}`);
  },
};
