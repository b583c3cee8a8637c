import { exactJson, parseJson } from '../json/parse.ts';
import { isJsonObject } from '../json/value.ts';
import { type WayBack, decodeArguments, decodeAt, encodeArguments } from '../providers/restore-arguments.ts';
import type { LoweredSchema } from '../providers/transform-schema.ts';
import type { DecodedArguments } from '../repair/decode-arguments.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import type { ReadAtPlace } from '../repair/repair-context.ts';
import type { OutputForm } from './interpretation.ts';

/** Deeper than any arguments that were accepted. */
const deepest = 256;

/** JSON text in the form that is shown, every number as it is spelled. */
export function encodedText(text: string, form: WayBack): string {
  const reading = parseJson(text, deepest);
  if (reading.kind !== 'read' || !isJsonObject(reading.value)) return text;
  const numbers = reading.numbers.copied();
  return exactJson(encodeArguments(form, reading.value, numbers), numbers, 0);
}

// The way back is no repair; only one pair that stood alone where a list of pairs is shown is one.
/** What is known of arguments that came in a provider's form. */
export interface FromShown {
  /** Something differs from what was sent. */
  readonly differs: boolean;
  /** What is more than another form. */
  readonly records: readonly RepairRecord[];
  /** For what repair finds at a place. */
  readonly readAt: ReadAtPlace;
}

export interface OwnArguments extends DecodedArguments {
  /** Absent: the tool was shown as it is. */
  readonly fromShown?: FromShown;
}

/** Where a call comes from and goes to. */
export interface Way {
  readonly output: OutputForm;
  /** The form that the model was shown; undefined: the tool's own. */
  readonly shown: LoweredSchema | undefined;
}

export function inOwnForm(decoded: DecodedArguments, shown: LoweredSchema, output: OutputForm): OwnArguments {
  const longNumbers = output === 'value' ? 'text' : 'numbers';
  const records: RepairRecord[] = [];
  const numbers = decoded.numbers.copied();
  const value = decodeArguments(shown, decoded.value, {
    numbers,
    longNumbers,
    lonePair: (path, held) =>
      records.push({
        rule: 'wrap_in_array',
        path,
        was: 'one pair of key and value',
        tell: false,
        operations: [{ op: 'replace', path, value: held }],
      }),
  });
  const readAt: ReadAtPlace = (found, path, known) =>
    // What stands at such a place is recorded as a repair already.
    decodeAt(shown, { value: found, path }, { numbers: known, longNumbers, lonePair: () => undefined });
  return { ...decoded, value, numbers, fromShown: { differs: value !== decoded.value, records, readAt } };
}
