// Which laws are there? What users rely on, each for itself.
import type { Law } from './law.ts';
import { acceptedPasses, meantIsAccepted, repairedOnce, validUnchanged } from './laws-of-values.ts';
import { recordsSayAll, untouchedKept } from './laws-of-records.ts';
import { messageNamesAll } from './law-of-messages.ts';
import { inputUntouched, sameResult } from './laws-of-purity.ts';

/** In the order in which they are asked: what is not always the same, or is written to, could break any other. */
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
