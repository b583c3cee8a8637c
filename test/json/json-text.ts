// JSON texts for properties: any value, written with blanks and escapes that JSON.stringify would
// not choose.
import { fc } from '../seeded-fast-check.ts';

const blanks = fc.constantFrom('', '', ' ', '\n', '\t', '\r\n  ');

const escape = fc.constantFrom(
  ...String.raw`\n \" \\ \/ \b \f \r \t \u00e9 \ud83d\ude00 \ud800`.split(' '),
);

/** What stands between the quotes of a string: harmless characters and escapes. */
const stringBody = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'é', '😀', '{', '}', '[', ']', ':', ',', '/', ' ', '7', "'"),
      escape,
    ),
  )
  .map((parts) => parts.join(''));

const numbers = fc.constantFrom(
  ...'0 -0 7 -12 1.5 1.50 1e3 1E-2 0.1 1.0 9007199254740991'.split(' '),
);

const quotedString = stringBody.map((body) => `"${body}"`);
const scalar = fc.oneof(fc.constantFrom('null', 'true', 'false'), numbers, quotedString);

/** Every JSON text whose objects have no key twice, at most five levels deep. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    scalar,
    list(tie('value')),
    members(tie('value')),
  ),
})).value;

function list(items: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(blanks, items, blanks), { maxLength: 4 })
    .map((parts) => `[${parts.map((part) => part.join('')).join(',')}]`);
}

function members(values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  // JSON.parse is what is compared with, and V8 13.6 confuses such a key with another: see
  // read-strict.test.ts.
  const key = stringBody.filter((body) => !body.endsWith('\\\\'));
  const member = fc.tuple(blanks, key, blanks, blanks, values, blanks);
  return fc
    .uniqueArray(member, { maxLength: 4, selector: ([, body]): unknown => JSON.parse(`"${body}"`) })
    .map((parts) => {
      const texts = parts.map(([a, name, b, c, value, d]) => `${a}"${name}"${b}:${c}${value}${d}`);
      return `{${texts.join(',')}}`;
    });
}

/** A JSON text with one character left out, put in, exchanged, or cut off. */
export const mutatedText: fc.Arbitrary<string> = fc
  .tuple(
    jsonText,
    fc.nat(),
    fc.constantFrom('drop', 'insert', 'exchange', 'cut'),
    fc.constantFrom(...Array.from('{}[]",:\\0-.e+1truefalsn \n\u0001\'#/')),
  )
  .map(([text, position, change, character]) => {
    const at = position % (text.length + 1);
    if (change === 'cut') return text.slice(0, at);
    const rest = text.slice(change === 'insert' ? at : at + 1);
    return `${text.slice(0, at)}${change === 'drop' ? '' : character}${rest}`;
  });
