// How does JSON text of arguments look in the form that the model was shown?
import { encodeArguments, type WayBack } from '../../dialects/way-back/way-back.ts';
import { isJsonObject } from '../../json/json-value.ts';
import { exactJson } from '../../json/reader/exact-json.ts';
import { parseJson } from '../../json/reader/parse-json.ts';

/** Deeper than any arguments that were accepted. */
const deepest = 256;

/** JSON text in the form that is shown, every number as it is spelled. */
export function encodedText(text: string, form: WayBack): string {
  const reading = parseJson(text, deepest, 'exact');
  if (reading.kind !== 'read' || !isJsonObject(reading.value)) return text;
  const numbers = reading.numbers.copied();
  return exactJson(encodeArguments(form, reading.value, numbers), numbers, 0);
}
