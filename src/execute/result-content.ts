// What does a model read of a tool's result? Text as it is, everything else as JSON.
import type { JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';

/** A result as a provider can take it; well-formed Unicode in any case. */
export interface ResultContent {
  readonly text: string;
  /** A plain copy of a result that was no text; the same data as `text`. */
  readonly structured?: JsonValue;
}

const nothingReturned = 'Done. There is no output.';

/** The content of what a tool returned; throws for what has no JSON form. */
export function resultContent(result: unknown): ResultContent {
  if (result === undefined) return { text: nothingReturned };
  if (typeof result === 'string') return { text: result.toWellFormed() };
  const { text, value } = writeJson(result);
  return { text, structured: value };
}
