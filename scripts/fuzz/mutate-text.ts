// What lies near a text? One to four changes of its characters, its tokens, or of a value in it.
import { textMistakes } from '../../test/laws/generators/text-mistakes.ts';
import { valueMistakes } from '../../test/laws/generators/value-mistakes.ts';
import { placesIn, valueAt, withValueAt } from '../../test/laws/places.ts';
import type { Random } from './random.ts';

const longestText = 4000;

const words = [
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
  '0',
  '-',
  '.5',
  '1e400',
  '12345678901234567890',
  '1.0',
  'null',
  'None',
  'true',
  'True',
  'NaN',
  '{}',
  '[]',
  '""',
  '[[',
  '//',
  '/*',
  '*/',
  '#',
  '```',
  '```json\n',
  '<tool_call>',
  '</tool_call>',
  '<parameter=path>',
  '</parameter>',
  '<function=fuzzed_tool>',
  '</function>',
  '"__proto__":',
  '"constructor":',
  '"arguments":',
  '"items":',
  '_rationale',
  '\u201c',
  '\u{feff}',
  '\ud800',
  '\\u00e9',
  '](http://',
];

type Change = (text: string, random: Random, other: string) => string;

const part = (text: string, random: Random): readonly [number, number] => {
  const start = random.below(text.length + 1);
  return [start, Math.min(text.length, start + 1 + random.below(16))];
};

const changes: readonly Change[] = [
  (text, random) => inserted(text, random.below(text.length + 1), random.one(words)),
  (text, random) => inserted(text, random.below(text.length + 1), String.fromCharCode(random.below(128))),
  (text, random) => {
    const [start, end] = part(text, random);
    return text.slice(0, start) + text.slice(end);
  },
  (text, random) => {
    const [start, end] = part(text, random);
    return inserted(text, random.below(text.length + 1), text.slice(start, end).repeat(1 + random.below(8)));
  },
  (text, random) => {
    const [start, end] = part(text, random);
    return text.slice(0, start) + random.one(words) + text.slice(end);
  },
  (text, random, other) =>
    text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1)),
  (text, random) => random.one(textMistakes).make(text, random.fraction()) ?? text,
  withOtherValue,
  withOtherValue,
  withOtherValue,
];

/** Another text; `other` is one to take parts from. */
export function mutateText(text: string, random: Random, other: string): string {
  let changed = text;
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    changed = apply(random.one(changes), changed, { random, other });
  }
  return changed.slice(0, longestText);
}

function apply(change: Change, text: string, around: { random: Random; other: string }): string {
  try {
    return change(text, around.random, around.other);
  } catch (error) {
    // Some changes are made of JSON only.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

const inserted = (text: string, at: number, more: string): string =>
  text.slice(0, at) + more + text.slice(at);

/** A mistake of models at one place of the value. */
function withOtherValue(text: string, random: Random): string {
  const value: unknown = JSON.parse(text);
  const way = random.one(placesIn(value));
  const changed = random.one(valueMistakes).make(valueAt(value, way));
  return changed === undefined ? text : JSON.stringify(withValueAt(value, way, changed));
}
