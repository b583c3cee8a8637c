// What is the JSON text of a value with every number spelled as the model spelled it?
import type { JsonValue } from '../json-value.ts';
import type { NumberTexts } from './number-texts.ts';

/** `indent`: blanks a level; 0 writes no blank at all. */
export const exactJson = (value: JsonValue, numbers: NumberTexts, indent: number): string =>
  JSON.stringify(
    value,
    function spelled(this: object, key: string, member: unknown) {
      const text = typeof member === 'number' ? numbers.textAt(this, key) : undefined;
      return text === undefined ? member : JSON.rawJSON(text);
    },
    indent,
  );

declare global {
  interface JSON {
    /** Text of one JSON value that `stringify` takes over as it is: https://tc39.es/proposal-json-parse-with-source */
    rawJSON(text: string): unknown;
  }
}
