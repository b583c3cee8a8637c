// What may a program give as other arguments? An object of plain data; whether they fit is for the contract to say.
import type { OptionKind } from '../../errors/option-complaints.ts';
import { isJsonObject } from '../../json/json-value.ts';
import { readPlainValue } from '../../json/plain-value.ts';

/** For JavaScript callers: null would be read as no arguments, a Map as an object without any. */
export const argumentsKind: OptionKind = {
  fits: (edited) => {
    const reading = readPlainValue(edited, deepest);
    // What is wrong further down is for the seam to say.
    return reading.kind === 'plain' ? isJsonObject(reading.value) : reading.path !== '';
  },
  instead: 'write an object of all arguments, or leave it out where they stay as they are',
};

const deepest = 256;
