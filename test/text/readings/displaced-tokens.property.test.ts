// A token that was written on the wrong side of a quote: in the string beside it, or, with the
// string's own end, in front of the rest of the last value. No reading may take the string as it
// stands then.
import { interpretArguments } from 'toolmend';
import { fc, propertyRuns } from '../../seeded-fast-check.ts';
import { closedOf, flag, listOf, objectOf, text, whole } from '../../schemas.ts';

const inner = objectOf({ path: text, size: whole });
const properties = {
  path: text,
  limit: whole,
  all: flag,
  tags: listOf(text),
  ids: listOf(whole),
  at: inner,
  rows: listOf(inner),
};
const schema = objectOf(properties);
const read = (sent: string) => interpretArguments(schema, { text: sent }, { finishReason: 'stop' });

const word = fc.constantFrom(
  'a',
  'src/a.ts',
  'two words',
  'f(x)',
  'x = [1]',
  '{a}',
  'Ä',
  '5',
  '%20',
);
const innerValue = fc.record({ path: word, size: fc.nat(999) }, { requiredKeys: [] });
const call = fc.record(
  {
    limit: fc.nat(9999),
    path: word,
    all: fc.boolean(),
    tags: fc.array(word, { maxLength: 3 }),
    ids: fc.array(fc.nat(99), { maxLength: 3 }),
    at: innerValue,
    rows: fc.array(innerValue, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
/** The call with its members in any order, as compact JSON or not. */
const written = fc
  .tuple(call, fc.infiniteStream(fc.nat(99)), fc.constantFrom(0, 1))
  .map(([value, order, indent]) => {
    const entries = Object.entries(value)
      .map((entry) => ({ entry, rank: order.next().value ?? 0 }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ entry }) => entry);
    return JSON.stringify(Object.fromEntries(entries), null, indent);
  });

/** Tokens that touch a quote, perhaps behind other closers: the quote's offset, and theirs. */
const besideQuotes = (json: string) =>
  [...json.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(({ 0: string, index }) => {
    const end = index + string.length;
    const behind = /^[\s\]},:]+/.exec(json.slice(end))?.[0] ?? '';
    const before = /[,:]\s*$/.exec(json.slice(0, index))?.index;
    const tokens = [...behind].map((token, at) => ({ token, from: end + at, to: end - 1 }));
    return before === undefined
      ? tokens
      : [...tokens, { token: json.charAt(before), from: before, to: index + 1 }];
  });

function moved(json: string, from: number, to: number, length = 1): string {
  const token = json.slice(from, from + length);
  const rest = json.slice(0, from) + json.slice(from + length);
  const at = to > from ? to - length : to;
  return rest.slice(0, at) + token + rest.slice(at);
}

test('a token that was moved into the string beside it is no content', () => {
  let tried = 0;
  fc.assert(
    fc.property(written, fc.nat(999), (json, choice) => {
      const places = besideQuotes(json).filter(({ token }) => token.trim() !== '');
      const place = places[choice % Math.max(1, places.length)];
      if (place === undefined) return;
      const sent = moved(json, place.from, place.to);
      const result = read(sent);
      if (result.status === 'unchanged') return;
      tried += 1;
      if (result.status === 'repaired')
        expect([sent, result.value]).toEqual([sent, JSON.parse(json)]);
    }),
    { numRuns: propertyRuns * 4 },
  );
  expect(tried).toBeGreaterThan(propertyRuns);
});

test('closers that were written too early don’t cut the last value', () => {
  let tried = 0;
  fc.assert(
    fc.property(written, fc.integer({ min: 1, max: 12 }), (json, left) => {
      const [closers = ''] = /"?[\s\]}]+$/.exec(json) ?? [];
      const start = json.length - closers.length;
      const to = start - left;
      // The last value is a string or a number; its rest touches the closers, as words do not.
      const isPart = to > 0 && /^[^\s"[\]{}:,][^"[\]{}:,]*$/.test(json.slice(to, start));
      if (!isPart || /["\\]/.test(json.charAt(to - 1))) return;
      const sent = moved(json, start, to, closers.length);
      tried += 1;
      const result = read(sent);
      if (result.status !== 'rejected')
        expect([sent, result.value]).toEqual([sent, JSON.parse(json)]);
    }),
    { numRuns: propertyRuns * 4 },
  );
  expect(tried).toBeGreaterThan(propertyRuns / 2);
});

test('what ends a statement, a fence or a turn is left out', () => {
  const ends = fc.constantFrom(
    ';',
    '.',
    '```',
    '</tool_call>',
    '<|im_end|>',
    '\nDone.',
    ' So.',
    '\n\nI read 3 of them.',
  );
  fc.assert(
    fc.property(written, ends, (json, end) => {
      expect(read(json + end)).toMatchObject({ status: 'repaired', value: JSON.parse(json) });
    }),
  );
});

describe('a token is the string’s own', () => {
  test.each([
    ['if its partner is in the string', '{"path":"f() { return 1; }"', 'f() { return 1; }'],
    ['if another one is missing', '{"path":"a,"', 'a,'],
    ['if nothing is missing', '{"path":"a}"};', 'a}'],
  ])('%s', (_title, sent, path) => {
    expect(read(sent)).toMatchObject({ status: 'repaired', value: { path } });
  });
});

test.each([
  '{"path":"a...}"',
  '{"path":"a} "',
  '{"tags":["%20]"}',
  '{"rows":[{"path":"a}]}"',
  '{"at":{"path":"a}}"',
  '{"path":"x,""limit":54}',
  '{"path":"a," "limit":5}',
  '{"tags":["a" ",b"]}',
  '{"path" ":a"}',
  '{"path":"[a"}]',
  '{"tags":["[a"]]}',
  '{"path":"f(x"})',
  '{"path":"<im_end"}>',
  '{"path":"`a"}`',
  '{"path":".."}.',
  '{"tags":["[a","b"]]}',
  '{"rows":[{"path":"a"},"{size":5}]}',
  '{"limit":2}6',
  '{"limit":2}6 more text',
  '{"limit":2}.5',
  '{"limit":2}e3',
  '{"limit":2}%',
  '{"limit":2} 6',
  '6{"limit":2}',
  '-{"limit":2}',
  '{"path":"a"}b',
  '{"path":"a"}.ts',
  '{"path":"a"}/b more',
])('%s is refused', (sent) => {
  expect(read(sent).status).toBe('rejected');
});

// The closer fits behind the last member, too, and an envelope makes both places the same call.
test.each([
  '{"input":{"path":"blue}","limit":361}',
  '{"arguments":{"limit":1,"path":"a}","all":true}',
])('%s has two readings, however the envelope is closed', (sent) => {
  expect(read(sent)).toMatchObject({ status: 'rejected' });
});

// Members of an envelope stand for the call's own, so that a closer may be missing anywhere.
const enveloped = fc
  .record({
    name: fc.constantFrom('input', 'arguments', 'args', 'parameters'),
    inside: fc.record(
      { all: fc.boolean(), path: word, tags: fc.array(word, { maxLength: 2 }) },
      { requiredKeys: ['path'] },
    ),
    beside: fc.record(
      { limit: fc.nat(9999), ids: fc.array(fc.nat(99), { maxLength: 2 }), at: innerValue },
      { requiredKeys: [] },
    ),
    isFirst: fc.boolean(),
  })
  .map(({ name, inside, beside, isFirst }) => ({
    meant: { ...inside, ...beside },
    json: JSON.stringify(isFirst ? { [name]: inside, ...beside } : { ...beside, [name]: inside }),
  }));

test('a token that was moved into a string of an envelope is no content', () => {
  let tried = 0;
  fc.assert(
    fc.property(enveloped, fc.nat(999), fc.nat(2), ({ meant, json }, choice, lost) => {
      const places = besideQuotes(json);
      const place = places[choice % places.length];
      if (place === undefined) return;
      const movedText = moved(json, place.from, place.to);
      // Closers at the end may be lost, too.
      const sent = movedText.slice(
        0,
        movedText.length - Math.min(lost, /[}\]]*$/.exec(movedText)?.[0].length ?? 0),
      );
      const result = interpretArguments(
        closedOf(properties),
        { text: sent },
        { finishReason: 'stop' },
      );
      tried += 1;
      if (result.status !== 'rejected') expect([sent, result.value]).toEqual([sent, meant]);
    }),
    { numRuns: propertyRuns * 4 },
  );
  expect(tried).toBeGreaterThan(propertyRuns);
});

test('a closer in a string is content if the text can’t go on behind it', () => {
  expect(read('{"path":"blue}","at":{"size":3}')).toMatchObject({
    status: 'repaired',
    value: { path: 'blue}', at: { size: 3 } },
  });
});

// Strings that are parts of code begin with any token.
const code = fc
  .tuple(fc.constantFrom('}', ']', '{', '[', '} else {', '](', ',', ':', ''), word)
  .map((parts) => parts.join(''));
const codes = fc.array(code, { minLength: 1, maxLength: 3 });

test('no token that a string of a list lost at its start is left out', () => {
  let tried = 0;
  fc.assert(
    fc.property(codes, fc.nat(2), fc.boolean(), (tags, choice, isLast) => {
      const at = choice % tags.length;
      const json = JSON.stringify(isLast ? { limit: 5, tags } : { tags, limit: 5 });
      const before = json.slice(0, json.indexOf('[') + 1);
      const start = before.length + tags.slice(0, at).reduce((sum, tag) => sum + tag.length + 3, 0);
      const sent = moved(json, start + 1, start);
      const result = read(sent);
      tried += 1;
      if (result.status === 'repaired')
        expect([sent, result.value]).toEqual([sent, { tags, limit: 5 }]);
    }),
    { numRuns: propertyRuns * 4 },
  );
  expect(tried).toBeGreaterThan(propertyRuns);
});
