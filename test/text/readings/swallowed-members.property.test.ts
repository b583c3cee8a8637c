// Members that are set apart by something else than a comma, or behind a string that lost its
// closing quote: no string may swallow them.
import { interpretArguments } from 'toolmend';
import { fc, propertyRuns } from '../../seeded-fast-check.ts';
import { type Schema, closedOf, listOf, mapOf, objectOf, text, whole } from '../../schemas.ts';

const inner = closedOf({ left: text, right_side: text });
const members = { title: text, body: text, size: whole, inner, lines: listOf(text) };

/** What is around the two members, and their keys. */
const places: Readonly<Record<string, readonly [Schema, string, string, string, string]>> = {
  'a closed object': [closedOf(members), '{', 'title', 'body', '}'],
  'an object that says nothing of other keys': [objectOf(members), '{', 'title', 'body', '}'],
  'an object inside': [closedOf(members), '{"inner":{', 'left', 'rightSide', '}}'],
  'a map': [closedOf({ env: mapOf(text) }), '{"env":{', 'A', 'B_2', '}}'],
  'an open object': [objectOf({ any: { type: 'object' } }), '{"any":{', 'A', 'b', '}}'],
  'an object that is open beside its keys': [
    objectOf(members, [], { additionalProperties: true }),
    '{',
    'title',
    'note',
    '}',
  ],
};

const words = fc.constantFrom('x', 'two words', '1', 'src/a.ts', 'see (a)');
const quoteStyles = fc.constantFrom(['"', '"'], ["'", "'"], ['“', '”'], ['„', '“'], ['“', '“']);
const keyStyles = fc.constantFrom(['', ''], ['"', '"'], ["'", "'"], ['“', '”'], ['`', '`']);
const separators = fc.constantFrom(
  ';',
  ' ; ',
  '；',
  '，',
  '|',
  ' + ',
  '&',
  ' -- ',
  '\n',
  ';\n',
  ' ',
);
const colons = fc.constantFrom(':', ': ', '：', ' :');
const signs = fc.oneof(colons, fc.constantFrom('=', ' = ', '＝'));

describe.each(Object.entries(places))('%s', (_title, [schema, before, first, second, after]) => {
  const keysOf = (value: object): readonly string[] =>
    Object.entries(value).flatMap(([key, below]: [string, unknown]) => [
      key.replace('right_side', 'rightSide'),
      ...(typeof below === 'object' && below !== null ? keysOf(below) : []),
    ]);

  test('no string swallows the member behind it', () => {
    fc.assert(
      fc.property(
        fc.tuple(words, words),
        fc.tuple(quoteStyles, keyStyles, fc.constantFrom('', '5', 'true')),
        fc.tuple(separators, colons, signs),
        fc.boolean(),
        (
          [one, other],
          [[open, close], [openKey, closeKey], plain],
          [sep, colon, sign],
          isClosed,
        ) => {
          // Blanks alone don't set `=` apart: that is an attribute of HTML.
          const last = sep === ' ' && /[=＝]/.test(sign) ? ':' : sign;
          const between = plain === '' ? '' : `${sep}size${colon}${plain}`;
          const sent = [
            `${before}${openKey}${first}${closeKey}:${open}${one}${isClosed ? close : ''}`,
            `${between}${sep}${openKey}${second}${closeKey}${last}${open}${other}${close}${after}`,
          ].join('');
          const result = interpretArguments(schema, { text: sent }, { finishReason: 'stop' });
          if (result.status !== 'rejected')
            expect(keysOf(result.value)).toEqual(expect.arrayContaining([first, second]));
        },
      ),
      { numRuns: propertyRuns * 8 },
    );
  });
});

/** Quotations, code and markup that a member's name doesn't follow. */
test.each([
  'say "a"; then "b" again',
  'He wrote "title page": nothing else',
  'grep "a" | sort; echo "b" & wait',
  'print("a"); x = f("b") or y',
  'a::after { content: "x"; color: red }',
  '<a class="x" title="y">z</a>',
  'see "https://example.com/body://x" and "std::size" here',
  'a "b" c',
])('content with quotes is still repaired: %s', (content) => {
  const result = interpretArguments(
    closedOf(members),
    { text: `{"title": "${content}", "size": 1}` },
    { finishReason: 'stop' },
  );
  expect(result).toMatchObject({ status: 'repaired', value: { title: content, size: 1 } });
});
