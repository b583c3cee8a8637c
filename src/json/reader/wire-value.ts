// How does JSON text become a value for a library that writes it as JSON again, without losing a digit?
import { survivesAsNumber } from './exact-number.ts';

/**
 * The value of JSON text, for `JSON.stringify` alone: a number that JavaScript would write with other digits stands in it as
 * raw JSON (https://tc39.es/proposal-json-parse-with-source).
 */
export const wireValue = (text: string): unknown => JSON.parse(text, spelled);

function spelled(_key: string, value: unknown, ...[context]: [{ readonly source?: string }?]): unknown {
  const source = typeof value === 'number' ? context?.source : undefined;
  return source === undefined || survivesAsNumber(source) ? value : JSON.rawJSON(source);
}
