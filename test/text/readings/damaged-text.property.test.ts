import { interpretArguments } from 'toolmend';
import { fc } from '../../seeded-fast-check.ts';
import { listOf, objectOf, text, texts, whole } from '../../schemas.ts';

const point = objectOf({ x: whole, y: whole, label: text }, ['x']);
const schema = objectOf(
  { name: text, count: whole, tags: texts, points: listOf(point), at: point, note: text },
  ['name'],
);

const word = fc.constantFrom(
  'a',
  'red',
  'hello world',
  'it is 5 wide',
  'src/a.ts',
  'x = [1, 2]',
  'see {a}',
);
const pointValue = fc.record(
  { x: fc.nat(99), y: fc.nat(99), label: word },
  { requiredKeys: ['x'] },
);
const call = fc.record(
  {
    name: word,
    count: fc.nat(999),
    tags: fc.array(word, { maxLength: 3 }),
    points: fc.array(pointValue, { maxLength: 3 }),
    at: pointValue,
    note: word,
  },
  { requiredKeys: ['name'] },
);

interface Token {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** The strings and the structure of JSON text. */
const tokensOf = (json: string): readonly Token[] =>
  [...json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)].map(({ 0: token, index }) => ({
    kind: token.startsWith('"') ? 'string' : token,
    start: index,
    end: index + token.length,
  }));

const without = (json: string, at: number): string => json.slice(0, at) + json.slice(at + 1);
const withPut = (json: string, at: number, put: string): string =>
  json.slice(0, at) + put + json.slice(at);

/** Damages a text at a token; undefined if the damage is none there. */
type Damage = (json: string, token: Token) => string | undefined;

const at =
  (kinds: string, damage: Damage): Damage =>
  (json, token) =>
    kinds.includes(token.kind) ? damage(json, token) : undefined;

const damages: Readonly<Record<string, Damage>> = {
  'a comma is dropped': at(',', (json, { start }) => without(json, start)),
  'a colon is dropped': at(':', (json, { start }) => without(json, start)),
  'a closer is dropped': at('}]', (json, { start }) => without(json, start)),
  'an opener is dropped': at('{[', (json, { start }) => without(json, start)),
  'a closer is another one': at('}]', (json, { kind, start }) =>
    withPut(without(json, start), start, kind === '}' ? ']' : '}'),
  ),
  'an opener is another one': at('{[', (json, { kind, start }) =>
    withPut(without(json, start), start, kind === '{' ? '[' : '{'),
  ),
  'a brace is added': (json, { end }) => withPut(json, end, '}'),
  'a bracket is added': (json, { end }) => withPut(json, end, ']'),
  'an opening brace is added': (json, { start }) => withPut(json, start, '{'),
  'an opening bracket is added': (json, { end }) => withPut(json, end, '['),
  'a comma is added': (json, { end }) => withPut(json, end, ','),
  'a colon is added': (json, { end }) => withPut(json, end, ':'),
  'a quote is added': (json, { end }) => withPut(json, end, '"'),
  'an opening quote is dropped': at('string', (json, { start }) => without(json, start)),
  'a closing quote is dropped': at('string', (json, { end }) => without(json, end - 1)),
  'a comment is added': (json, { end }) => withPut(json, end, ' // so\n'),
  'a comment with a comma is added': (json, { end }) => withPut(json, end, '\n# so, then,\n'),
  'a closer moves': at('}]', (json, { kind, start }) => {
    const next = tokensOf(json).find((token) => token.start > start);
    return next === undefined ? undefined : without(withPut(json, next.end, kind), start);
  }),
  'a comma moves': at(',', (json, { start }) => {
    const next = tokensOf(json).find((token) => token.start > start);
    return next === undefined ? undefined : without(withPut(json, next.end, ','), start);
  }),
};

/** Damages from which nearly all calls come back. */
const repairable = ['a comma is dropped', 'a colon is dropped', 'a closer is another one'];

describe.each(Object.entries(damages))('%s', (title, damage) => {
  test('the call is never accepted with another value', () => {
    let [right, tried] = [0, 0];
    fc.assert(
      fc.property(
        call,
        fc.nat(1000),
        fc.constantFrom(0, 1),
        fc.constantFrom({}, { finishReason: 'stop' }),
        (meant, place, indent, options) => {
          const json = JSON.stringify(meant, null, indent);
          const damagedTexts = tokensOf(json).flatMap((token) => damage(json, token) ?? []);
          const sent = damagedTexts[place % damagedTexts.length];
          if (sent === undefined) return;
          tried += 1;
          const result = interpretArguments(schema, { text: sent }, options);
          if (result.status === 'rejected') return;
          expect(result.value).toEqual(meant);
          right += 1;
        },
      ),
      { numRuns: 50 },
    );
    expect(tried).toBeGreaterThan(0);
    if (repairable.includes(title)) expect(right / tried).toBeGreaterThan(0.95);
  });
});
