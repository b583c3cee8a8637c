import { Random } from '../../src/testing/random.ts';
import { textFaults } from '../../src/testing/text-faults.ts';
import { disturbed } from '../laws/generators/trials.ts';
import { fc } from '../seeded-fast-check.ts';

export type TextEdit = (text: string) => string;

const longestText = 4000;

/** Tokens of JSON, of languages near it, and of the formats in which models wrap tool calls. */
const words: readonly string[] = [
  ['{', '}', '[', ']', ':', ',', '"', "'", '\\', '\\"', '\\n', '\n', '\t', ' ', '{}', '[]', '""', '[['],
  ['0', '-', '.5', '1e400', '12345678901234567890', '1.0', 'null', 'None', 'true', 'True', 'NaN'],
  ['//', '/*', '*/', '#', '```', '```json\n', '<tool_call>', '</tool_call>', '<parameter=path>'],
  ['</parameter>', '<function=fuzzed_tool>', '</function>', '_rationale', '](http://'],
  ['"__proto__":', '"constructor":', '"arguments":', '"items":'],
  ['\u201c', '\u{feff}', '\ud800', '\\u00e9'],
].flat();

const word = fc.constantFrom(...words);
/** A place in a text or list of any length: 0 is its start. */
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const length = fc.integer({ min: 0, max: 16 });

const placeIn = (text: string, at: number): number => Math.floor(at * (text.length + 1));

/** Replaces some characters. */
function replaced(text: string, { at, removed, by }: { at: number; removed: number; by: string }): string {
  const start = placeIn(text, at);
  return text.slice(0, start) + by + text.slice(start + removed);
}

/** The text with a change of its value, if it is JSON. */
function withValue(text: string, change: (value: object) => string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? change(value) : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function withTextFault(text: string, kind: string, seed: number): string {
  const faulty = (value: object): string | undefined =>
    textFaults[kind]?.(
      { tool: 'fuzzed_tool', value: { ...value }, isValid: true, json: text, types: new Map() },
      new Random(seed),
    );
  return withValue(text, (value) => faulty(value) ?? text);
}

/** One to four edits of characters, tokens or values; `others` are texts to take parts from. */
export function textEdits(others: readonly string[]): fc.Arbitrary<readonly TextEdit[]> {
  const insertion = fc.record({
    at: fraction,
    removed: fc.constant(0),
    by: fc.oneof(word, fc.string({ maxLength: 1 })),
  });
  const replacement = fc.record({ at: fraction, removed: length, by: fc.oneof(word, fc.constant('')) });
  const edit = fc.oneof(
    fc.oneof(insertion, replacement).map(
      (change): TextEdit =>
        (text) =>
          replaced(text, change),
    ),
    fc
      .tuple(fraction, fraction, length, fc.integer({ min: 1, max: 8 }))
      .map(([from, to, count, times]): TextEdit => (text) => {
        const start = placeIn(text, from);
        const by = text.slice(start, start + count).repeat(times);
        return replaced(text, { at: to, removed: 0, by });
      }),
    fc.tuple(fraction, fraction, fc.constantFrom(...others)).map(
      ([from, to, other]): TextEdit =>
        (text) =>
          text.slice(0, placeIn(text, from)) + other.slice(placeIn(other, to)),
    ),
    fc.tuple(fc.constantFrom(...Object.keys(textFaults)), fc.nat()).map(
      ([kind, seed]): TextEdit =>
        (text) =>
          withTextFault(text, kind, seed),
    ),
    fc.tuple(fc.nat(), fc.nat()).map(
      (at): TextEdit =>
        (text) =>
          withValue(text, (value) => JSON.stringify(disturbed(value, at))),
    ),
  );
  return fc.array(edit, { minLength: 1, maxLength: 4 });
}

export const edited = (text: string, edits: readonly TextEdit[]): string =>
  edits.reduce((changed, edit) => edit(changed), text).slice(0, longestText);
