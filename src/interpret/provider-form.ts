import { exactJson, parseJson } from '../json/parse.ts';
import { isJsonObject } from '../json/value.ts';
import type { ArgumentMapping } from '../providers/restore-arguments.ts';
import type { DecodedArguments } from '../repair/decode-arguments.ts';
import type { ReadAtPlace } from '../repair/repair-context.ts';
import type { OutputForm } from './interpretation.ts';

/** Deeper than any arguments that were accepted. */
const maxDepth = 256;

/** JSON text of the tool's own arguments as the model should have sent it, with every number's own digits. */
export function providerText(text: string, mapping: ArgumentMapping): string {
  const reading = parseJson(text, maxDepth);
  if (reading.kind !== 'read' || !isJsonObject(reading.value)) return text;
  const { value, numbers } = reading;
  return exactJson(mapping.toProvider(value, numbers), numbers, 0);
}

/** What is known of arguments that came by a provider's schema. */
export interface FromShown {
  /** Something differs from what was sent. */
  readonly differs: boolean;
  /** Restores what repair finds inside text or an envelope. */
  readonly readAt: ReadAtPlace;
}

export interface OwnArguments extends DecodedArguments {
  /** Absent: the model was shown the tool's own schema. */
  readonly fromShown?: FromShown;
}

/** Where a call comes from and goes to. */
export interface Way {
  readonly output: OutputForm;
  /** Absent: the model was shown the tool's own schema. */
  readonly shown: ArgumentMapping | undefined;
}

/** The tool's own arguments. To restore them isn't a repair. */
export function restored(decoded: DecodedArguments, mapping: ArgumentMapping): OwnArguments {
  const value = mapping.restore(decoded.value, decoded.numbers);
  const readAt: ReadAtPlace = (found, path, known) => mapping.restore(found, known, path);
  return { ...decoded, value, fromShown: { differs: value !== decoded.value, readAt } };
}
