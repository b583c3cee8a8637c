// What does a model read of a tool's result? Text as it is, everything else as JSON.
import type { JsonValue } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import type { ResultImage, ResultParts } from './tool-result.ts';

/** A result as a provider can take it; well-formed Unicode in any case. */
export interface ResultContent {
  readonly text: string;
  /** A plain copy of a result that was no text; the same data as `text`, unless the tool wrote its own text. */
  readonly structured?: JsonValue;
  readonly images?: readonly ResultImage[];
}

const nothingReturned = 'Done. There is no output.';

/** The content of what a tool returned; throws for what has no JSON form. */
export function resultContent({ value, text, images }: ResultParts): ResultContent {
  const shown = images.length === 0 ? {} : { images };
  const own = text?.toWellFormed();
  if (value === undefined) return { text: own ?? (images.length === 0 ? nothingReturned : ''), ...shown };
  if (typeof value === 'string') return { text: own ?? value.toWellFormed(), ...shown };
  const written = writeJson(value);
  return { text: own ?? written.text, structured: written.value, ...shown };
}
