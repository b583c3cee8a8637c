// A comment beside a value is left out of the text, unless it may put another value in its place.
import { interpretArguments } from 'toolmend';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { closedOf, text, whole } from '../schemas.ts';

const schema = closedOf({ path: text, limit: whole }, ['path', 'limit']);
const value = { path: 'src/a.ts', limit: 5 };

const form = fc.constantFrom<(comment: string) => string>(
  (comment) => `// ${comment}\n`,
  (comment) => `# ${comment}\n`,
  (comment) => `/* ${comment} */`,
);
const place = fc.constantFrom<(comment: string) => string>(
  (comment) => `{"path": "src/a.ts", ${comment} "limit": 5}`,
  (comment) => `{"path": "src/a.ts", "limit": 5 ${comment}}`,
  (comment) => `{${comment}"path": "src/a.ts", "limit": 5}`,
);
const words = fc.constantFrom('the file', 'lines to read', '6', 'src', 'b.ts', 'all of it');
const outcome = (sent: string) => interpretArguments(schema, { text: sent, finishReason: 'stop' });

test('a comment about the value is left out', () => {
  const plainWords = fc.constantFrom(
    'the file',
    'lines to read',
    'not the folder',
    'a, b or c',
    'no limit',
  );
  fc.assert(
    fc.property(place, form, plainWords, (inText, asComment, comment) => {
      expect(outcome(inText(asComment(comment)))).toMatchObject({ status: 'repaired', value });
    }),
    { numRuns: propertyRuns },
  );
});

test('a comment with another value, a stand-in or something left out refuses the call', () => {
  const start = fc.constantFrom(
    'or',
    'actually',
    'should be',
    'oder',
    'ou',
    '或',
    'wait,',
    'instead:',
  );
  const remark = fc.constantFrom(
    'TODO',
    'placeholder',
    'for example',
    '...',
    '…',
    'omitted',
    'replace this',
    '?',
  );
  const comment = fc.oneof(
    fc.tuple(start, words).map((parts) => parts.join(' ')),
    fc.tuple(words, remark).map((parts) => parts.join(' ')),
    fc
      .tuple(fc.constantFrom('limit', 'depth', 'max-size'), fc.constantFrom('6', 'true', 'null'))
      .map((parts) => parts.join(': ')),
  );
  fc.assert(
    fc.property(place, form, comment, (inText, asComment, commentText) => {
      const sent = inText(asComment(commentText));
      expect(outcome(sent).status, sent).toBe('rejected');
    }),
    { numRuns: propertyRuns * 4 },
  );
});
