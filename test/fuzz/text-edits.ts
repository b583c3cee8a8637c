import { Random } from '../../src/testing/sample-value.ts';
import { textFaults } from '../../src/testing/text-faults.ts';
import { disturbed } from '../laws/generators/trials.ts';
import { fc } from '../seeded-fast-check.ts';

export type TextEdit = (text: string) => string;

const longestText = 4000;

/** Tokens of JSON, of languages near it, and of the formats in which models wrap tool calls. */
const words: readonly string[] = [
  [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    "'",
    '\\',
    '\\"',
    '\\n',
    '\n',
    '\t',
    ' ',
    '{}',
    '[]',
    '""',
    '[[',
  ],
  ['0', '-', '.5', '1e400', '12345678901234567890', '1.0', 'null', 'None', 'true', 'True', 'NaN'],
  ['//', '/*', '*/', '#', '```', '```json\n', '<tool_call>', '</tool_call>', '<parameter=path>'],
  ['</parameter>', '<function=fuzzed_tool>', '</function>', '_rationale', '](http://'],
  ['"__proto__":', '"constructor":', '"arguments":', '"items":'],
  ['\u201c', '\u{feff}', '\ud800', '\\u00e9'],
].flat();

/** A position in a text of any length: 0 is its start. */
const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const length = fc.integer({ min: 0, max: 16 });
const inserted = fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 1 }), fc.constant(''));

const indexIn = (text: string, at: number): number => Math.floor(at * (text.length + 1));

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

const withTextFault = (text: string, kind: string, seed: number): string =>
  withValue(text, (value) => {
    const tool = { tool: 'fuzzed_tool', isClosed: false, isValid: true };
    const call = { ...tool, value: { ...value }, json: text, types: new Map() };
    return textFaults[kind]?.(call, new Random(seed)) ?? text;
  });

/** One to four edits of characters, tokens or values. `others` are texts to take parts from. */
export function textEdits(others: readonly string[]): fc.Arbitrary<readonly TextEdit[]> {
  const edits: readonly fc.Arbitrary<TextEdit>[] = [
    fc.tuple(position, length, inserted).map(([at, removed, by]) => (text) => {
      const start = indexIn(text, at);
      return (
        text.slice(0, start) +
        by +
        text.slice(by === '' || removed % 2 === 0 ? start + removed : start)
      );
    }),
    fc
      .tuple(position, position, length, fc.integer({ min: 1, max: 8 }))
      .map(([from, to, count, times]) => (text) => {
        const [start, end] = [indexIn(text, from), indexIn(text, to)];
        return (
          text.slice(0, end) + text.slice(start, start + count).repeat(times) + text.slice(end)
        );
      }),
    fc.tuple(position, position, fc.constantFrom(...others)).map(
      ([from, to, other]) =>
        (text) =>
          text.slice(0, indexIn(text, from)) + other.slice(indexIn(other, to)),
    ),
    fc.tuple(fc.constantFrom(...Object.keys(textFaults)), fc.nat()).map(
      ([kind, seed]) =>
        (text) =>
          withTextFault(text, kind, seed),
    ),
    fc
      .tuple(fc.nat(), fc.nat())
      .map((at) => (text) => withValue(text, (value) => JSON.stringify(disturbed(value, at)))),
  ];
  return fc.array(fc.oneof(...edits), { minLength: 1, maxLength: 4 });
}

export const edited = (text: string, edits: readonly TextEdit[]): string =>
  edits.reduce((changed, edit) => edit(changed), text).slice(0, longestText);
