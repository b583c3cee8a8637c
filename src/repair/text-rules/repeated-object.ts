import { noLiterals } from '../../json/number-literals.ts';
import { endOfBlanks, readJsonPrefix } from '../../json/lenient-parser.ts';
import { isJsonObject } from '../../json/value.ts';
import { skip } from '../repair-rule.ts';
import type { ObjectInText, TextProposal, TextRule } from '../text-rule.ts';

export const repeatedObject: TextRule = {
  id: 'repeated_object',
  keeps: 'lossy',
  sends: 'the same object glued twice or more, written as JSON or as models write it; `{}` before the object',
  becomes: 'the object once',
  notWhen: 'they differ, even if only in how they are written',
  propose({ text, maxDepth }) {
    if (text === '') return skip;
    let first: ObjectInText | undefined;
    let source: string | undefined;
    for (let at = 0; at < text.length;) {
      const reading = readJsonPrefix(text, at, maxDepth) ?? readJsonPrefix(text, at, maxDepth, 'loose');
      if (!isJsonObject(reading?.value)) return behindEmptyObject(text);
      const written = text.slice(at, reading.end).trim();
      const isEmptyPrefix = first === undefined && Object.keys(reading.value).length === 0;
      if (!isEmptyPrefix && source !== undefined && written !== source) return skip;
      if (!isEmptyPrefix) {
        source = written;
        first ??= { ...reading, kind: 'object', value: reading.value };
      }
      at = endOfBlanks(text, reading.end);
    }
    // All objects are empty.
    return first ?? { kind: 'object', value: {}, numbers: noLiterals, repeatedKeys: [] };
  },
};

const emptyInFront = /^\s*\{\s*\}\s*(?=[[{])/;

/** Without the empty object before it, another rule may know the text. */
function behindEmptyObject(text: string): TextProposal {
  const empty = emptyInFront.exec(text)?.[0];
  return empty === undefined ? skip : { kind: 'text', text: text.slice(empty.length) };
}
