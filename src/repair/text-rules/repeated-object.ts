import { noNumberTexts } from '../../json/exact-numbers.ts';
import { endOfBlanks, readJsonPrefix } from '../../json/lenient-parser.ts';
import { isJsonObject } from '../../json/value.ts';
import { type ObjectInText, type TextProposal, type TextRule, silent } from '../text-rule.ts';

// Streams that are put together wrongly repeat it, or put {} before it. Leaves alone: objects that differ, be it only
// in how they are written.
export const repeatedObject: TextRule = {
  id: 'repeated_object',
  keeps: 'lossy',
  sends: 'the same object glued twice or more, written as JSON or as models write it; `{}` before the object',
  becomes: 'the object once',
  notWhen: 'they differ, be it only in how they are written',
  propose({ text, maxDepth }) {
    if (text === '') return silent;
    let first: ObjectInText | undefined;
    let source: string | undefined;
    for (let at = 0; at < text.length;) {
      // As JSON, else as models write it.
      const reading = readJsonPrefix(text, at, maxDepth) ?? readJsonPrefix(text, at, maxDepth, 'loose');
      if (!isJsonObject(reading?.value)) return behindEmptyObject(text);
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

const emptyInFront = /^\s*\{\s*\}\s*(?=[[{])/;

/** What is no repeated object may be mended where no empty one stands in front of it. */
function behindEmptyObject(text: string): TextProposal {
  const empty = emptyInFront.exec(text)?.[0];
  return empty === undefined ? silent : { kind: 'text', text: text.slice(empty.length) };
}
