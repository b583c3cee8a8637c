// Was one object written several times? Streams that are put together wrongly repeat it, or put {} before it.
// Leaves alone: objects that differ, be it only in how they are written.
import { isJsonObject } from '../../json/json-value.ts';
import { endOfBlanks } from '../../json/reader/blanks.ts';
import { noNumberTexts } from '../../json/reader/number-texts.ts';
import { readJsonPrefix } from '../../json/reader/read-json.ts';
import { type ObjectInText, silent, type TextRule } from '../text-rule.ts';

export const repeatedObject: TextRule = {
  id: 'repeated_object',
  keeps: 'lossy',
  sends: 'the same object glued twice or more; `{}` before the object',
  becomes: 'the object once',
  notWhen: 'they differ, be it only in how they are written',
  propose({ text, maxDepth }) {
    if (text === '') return silent;
    let first: ObjectInText | undefined;
    let source: string | undefined;
    for (let at = 0; at < text.length;) {
      const reading = readJsonPrefix(text, at, maxDepth);
      if (!isJsonObject(reading?.value)) return silent;
      const written = text.slice(at, reading.end).trim();
      const isEmptyPrefix = first === undefined && Object.keys(reading.value).length === 0;
      if (!isEmptyPrefix && source !== undefined && written !== source) return silent;
      if (!isEmptyPrefix) {
        source = written;
        first ??= { ...reading, kind: 'object', value: reading.value };
      }
      at = endOfBlanks(text, reading.end);
    }
    // Nothing but empty objects.
    return first ?? { kind: 'object', value: {}, numbers: noNumberTexts, repeatedKeys: [] };
  },
};
