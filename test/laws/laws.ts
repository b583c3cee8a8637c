// Which laws are there? What users rely on, each for itself.
import type { Law } from './law.ts';
import { acceptedPasses, meantIsAccepted, repairedOnce, validUnchanged } from './laws-of-values.ts';
import { recordsSayAll, untouchedKept } from './laws-of-records.ts';
import { messageNamesAll } from './law-of-messages.ts';
import { inputUntouched, sameResult } from './laws-of-purity.ts';

/** In the order in which they are asked: what is written to could break any of the others. */
export const laws: readonly Law[] = [
  inputUntouched,
  sameResult,
  validUnchanged,
  acceptedPasses,
  repairedOnce,
  untouchedKept,
  recordsSayAll,
  meantIsAccepted,
  messageNamesAll,
];
