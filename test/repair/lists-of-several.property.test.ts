// Text for a list is not made one element, nor left out, if it may be several elements or one of
// the enum's.
import { interpretArguments } from 'toolmend';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { listOf, objectOf, orNull, text } from '../schemas.ts';

const phrase = fc.constantFrom(
  'Ada Lovelace',
  'red',
  'the login page',
  'src/a.ts',
  'x 2',
  'android',
  'forth',
  '12',
);
const separator = fc.constantFrom(',', ', ', ';', '; ', ' | ', '\n', '、', '；');
const names = (sent: string) =>
  interpretArguments(objectOf({ names: listOf(text) }), { value: { names: sent } });

test('text with separators is no element, unless each part goes on the sentence', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(separator, phrase), { minLength: 1, maxLength: 4 }),
      phrase,
      fc.constantFrom('', ', and so on', ' (a, b)'),
      (parts, first, end) => {
        const sent = first + parts.map((part) => part.join('')).join('') + end;
        expect(names(sent)).toMatchObject({ status: 'rejected', issues: [{ path: '/names' }] });
      },
    ),
    { numRuns: propertyRuns * 4 },
  );
});

test('a sentence, a quotation, a group and an address are one element', () => {
  const further = fc.constantFrom(
    ', and a test',
    ', but not now',
    '; if it fails',
    ', such as this',
    '\nwithout the rest',
    ' ("a, b")',
    ' “one; two”',
    ' [a, b]',
    ' f(a;b)',
  );
  const starts = fc.constantFrom('fix the login', 'see https://a.b/c?x=1,2;y', 'it works');
  fc.assert(
    fc.property(starts, fc.array(further, { maxLength: 3 }), (start, parts) => {
      const sent = start + parts.join('');
      expect(names(sent)).toMatchObject({ status: 'repaired', value: { names: [sent] } });
    }),
    { numRuns: propertyRuns * 4 },
  );
});

test('a null word that the elements allow is neither left out nor an element', () => {
  const spell = fc.constantFrom<(word: string) => string>(
    (word) => word,
    (word) => word.toLowerCase(),
    (word) => word.toUpperCase(),
  );
  const blanks = fc.constantFrom('', ' ', '\n');
  fc.assert(
    fc.property(
      fc.constantFrom('null', 'None', 'undefined'),
      spell,
      blanks,
      fc.boolean(),
      fc.boolean(),
      (word, spelling, blank, isNullable, isRequired) => {
        const list = listOf({ enum: [spelling(word), 'other'] });
        const schema = objectOf(
          { kinds: isNullable ? orNull(list) : list },
          isRequired ? ['kinds'] : [],
        );
        const result = interpretArguments(schema, { value: { kinds: blank + word } });
        expect(result.status).toBe('rejected');
      },
    ),
    { numRuns: propertyRuns * 2 },
  );
});

/** Addresses that are set apart from the words around them by their form. */
const addresses = [
  ['ada@x.org', 'https://b.org/c?d=e', 'bob.b@x.org', 'ftp://a.org'],
  ['/tmp/a', '~/b', './c', '../d/e.ts'],
  ['src/a.ts', 'lib/b/c.json', 'x\\y.txt'],
];

test('addresses between blanks are several, and one among words is one', () => {
  const blank = fc.constantFrom(' ', '  ', ' and ', ' & ');
  const several = fc
    .constantFrom(...addresses)
    .chain((forms) =>
      fc.tuple(
        fc.constantFrom(...forms),
        fc.array(fc.tuple(blank, fc.constantFrom(...forms)), { minLength: 1, maxLength: 4 }),
      ),
    );
  fc.assert(
    fc.property(several, ([first, parts]) => {
      const sent = first + parts.map((part) => part.join('')).join('');
      expect(names(sent)).toMatchObject({ status: 'rejected', issues: [{ path: '/names' }] });
      const said = `look at ${first} first`;
      expect(names(said)).toMatchObject({ value: { names: [said] } });
    }),
    { numRuns: propertyRuns * 2 },
  );
});

test('names, codes and counted parts in one line are several, whatever joins them', () => {
  const name = fc.constantFrom('Ada', 'New York', 'Ärzte', 'B13', 'X Y Z');
  const conjunction = fc.constantFrom('and', '&', 'or', 'und', 'et', 'y', 'и');
  const words = fc.constantFrom('wash', 'rinse it', 'say so');
  const several = fc.oneof(
    fc.tuple(name, conjunction, name).map((parts) => parts.join(' ')),
    fc
      .tuple(
        fc.constantFrom('A', 'INC-', 'v1.', '2026-'),
        fc.array(fc.nat(), { minLength: 2, maxLength: 4 }),
      )
      .map(([start, numbers]) => numbers.map((number) => `${start}${number}`).join(' ')),
    fc
      .tuple(
        fc.constantFrom('1. 2. 3.', '1) 2) 3)', '(1) (2) (3)', 'a) b) c)', '• • •', '- - -'),
        words,
        words,
        words,
      )
      .map(([marks, ...parts]) =>
        marks
          .split(' ')
          .map((mark, at) => `${mark} ${parts[at]}`)
          .join(' '),
      ),
    fc
      .tuple(fc.constantFrom('<br>', '<br/>', '\\n', '\\r\\n', ' • '), words, words)
      .map(([mark, first, second]) => first + mark + second),
    fc
      .array(words, { minLength: 2, maxLength: 4 })
      .map((parts) => parts.map((part) => `"${part}"`).join(' ')),
  );
  fc.assert(
    fc.property(several, (sent) => {
      expect(names(sent)).toMatchObject({ status: 'rejected', issues: [{ path: '/names' }] });
    }),
    { numRuns: propertyRuns * 4 },
  );
});

test('text of several is split by the format that its elements have, and by nothing else', () => {
  const formats = {
    email: fc.emailAddress({ size: 'small' }),
    uuid: fc.uuid(),
    date: fc.constantFrom('2026-01-31', '2024-02-29'),
    ipv4: fc.ipV4(),
  };
  const drawn = fc
    .constantFrom('email' as const, 'uuid' as const, 'date' as const, 'ipv4' as const)
    .chain((format) =>
      fc.record({
        format: fc.constant(format),
        parts: fc.array(formats[format], { minLength: 2, maxLength: 4 }),
      }),
    );
  const between = fc.constantFrom(' ', ', ', ',', '; ', '\n', ' | ');
  fc.assert(
    fc.property(drawn, between, ({ format, parts }, separators) => {
      // What a format allows is no separator, and text that starts as JSON does may be a list.
      if (parts.some((part) => /[,;|]|^["'{[`]/.test(part))) return;
      const schema = objectOf({ names: listOf({ ...text, format }) });
      const result = (sent: string) => interpretArguments(schema, { value: { names: sent } });
      const sent = parts.join(separators);
      expect(result(sent)).toMatchObject({ status: 'repaired', value: { names: parts } });
      expect(result(`${sent}${separators}word`).status).toBe('rejected');
    }),
    { numRuns: propertyRuns * 2 },
  );
});
