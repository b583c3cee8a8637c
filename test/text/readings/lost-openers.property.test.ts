// A bracket or a brace that is surplus, or that has lost its partner, gives two values. If both
// pass, none is accepted.
import { interpretArguments } from 'toolmend';
import { fc, propertyRuns } from '../../seeded-fast-check.ts';
import { type Schema, closedOf, listOf, objectOf, text, whole } from '../../schemas.ts';

const settings = { finishReason: 'stop' } as const;

/** The elements, the closer without its opener, and what the empty list may be beside `[]`. */
const elements = fc.constantFrom<readonly [Schema, string]>(
  [objectOf({ to: text }), '}'],
  [{ type: 'object' }, '}'],
  [listOf(whole), ']'],
  [{}, '}'],
  [{}, ']'],
);
const rest = fc.constantFrom('', ',"z":1', ', "y": "a"');
const blank = fc.constantFrom('', ' ', '\n');

test('of a list that is empty or has one empty element, none is chosen', () => {
  fc.assert(
    fc.property(elements, rest, blank, fc.boolean(), ([items, closer], behind, gap, isNested) => {
      const list = objectOf({ ids: listOf(items), z: whole, y: text });
      const body = `{"ids":[${gap}${closer}${gap}]${behind}}`;
      const result = interpretArguments(
        isNested ? objectOf({ o: list }) : list,
        { text: isNested ? `{"o":${body}}` : body },
        settings,
      );
      expect(result.status).toBe('rejected');
    }),
    { numRuns: propertyRuns * 4 },
  );
});

const items = objectOf({ n: whole, name: text, on: { type: 'boolean' } });
const item = fc.record(
  { n: fc.integer(), name: fc.string(), on: fc.boolean() },
  { requiredKeys: [] },
);
const objectWithKey = item.filter((one) => Object.keys(one).length > 0);

test('of a member in a list, its opener may be missing, or the closer before it surplus', () => {
  fc.assert(
    fc.property(item, objectWithKey, blank, (before, lost, gap) => {
      const schema = objectOf({ c: text, list: listOf(items) });
      const members = JSON.stringify(lost).slice(1);
      const sent = `{"c":"x","list":[${JSON.stringify(before)},${gap}${members}]}`;
      expect(interpretArguments(schema, { text: sent }, settings).status).toBe('rejected');
    }),
    { numRuns: propertyRuns * 2 },
  );
});

test('if the object before it would lack a member, the closer is surplus', () => {
  const schema = objectOf({ list: listOf(objectOf({ n: whole, name: text }, ['n', 'name'])) });
  const sent = { text: '{"list":[{"n":2},"name":"a"}]}' };
  expect(interpretArguments(schema, sent, settings)).toMatchObject({
    value: { list: [{ n: 2, name: 'a' }] },
  });
});

test('of members behind a map, each may be the first outside it, also if one is then dropped', () => {
  const map: Schema = { type: 'object', additionalProperties: text };
  const entry = closedOf({ id: text, labels: map, trace: text }, ['id', 'labels']);
  const schema = objectOf({ list: listOf(entry) });
  fc.assert(
    fc.property(fc.constantFrom('zz', 'q', 'x-y'), fc.boolean(), (key, isFirst) => {
      const members = [`"trace":"t"`, `"${key}":""`];
      const order = isFirst ? members : members.toReversed();
      const sent = `{"list":[{"id":"a","labels":{"l":"u",${order.join(',')}}]}`;
      expect(interpretArguments(schema, { text: sent }, settings).status).toBe('rejected');
    }),
  );
});

test('if only one passes, it is meant', () => {
  const sent = { text: '{"ids":[}],"z":1}' };
  const schema = objectOf({ ids: listOf(text), z: whole });
  expect(interpretArguments(schema, sent, settings)).toMatchObject({ value: { ids: [], z: 1 } });
});

test('either end of an empty container may be the wrong one', () => {
  const either = objectOf({ any: listOf({}), at: objectOf({ x: whole }) });
  const read = (sent: string) => interpretArguments(either, { text: sent }, settings);
  expect(read('{"any":["a",{]]}').status).toBe('rejected');
  expect(read('{"any":["a",[}]}').status).toBe('rejected');
  expect(read('{"at":{],"any":[]}')).toMatchObject({ value: { at: {}, any: [] } });
});

test('a closing curly quote opens no string where others open it', () => {
  const schema = objectOf({ a: text, l: listOf(text) });
  const sent = { text: '{“a”:“x”,“l”:[}”,“b”,“c”]}' };
  expect(interpretArguments(schema, sent, settings).status).toBe('rejected');
  expect(interpretArguments(schema, { text: '{”a”:”x”}' }, settings)).toMatchObject({
    value: { a: 'x' },
  });
});

describe('escapes', () => {
  const one = objectOf({ a: text });
  const letters = fc.constantFrom('é', '로', 'ж', 'ß', '中', 'α');

  test('a backslash before a letter outside ASCII is no character', () => {
    fc.assert(
      fc.property(letters, fc.constantFrom('', 'x\\n', '\\d'), (letter, before) => {
        const sent = { text: `{"a":"${before}\\${letter}y"}` };
        expect(interpretArguments(one, sent, settings).status).toBe('rejected');
      }),
    );
  });

  test.each([
    ['"say \\"x\\" é"', 'say "x" é'],
    ['"C:\\\\é"', 'C:\\é'],
    ['"\\d\\w"', '\\d\\w'],
    ["'it\\'s\\nso'", "it's\nso"],
  ])('%s is read', (written, value) => {
    expect(interpretArguments(one, { text: `{"a":${written}}` }, settings)).toMatchObject({
      value: { a: value },
    });
  });

  test('two backslashes before a quote that is content have two readings', () => {
    const sent = { text: '{"a":"say "hi" and \\\\"ho" there"}' };
    expect(interpretArguments(one, sent, settings).status).toBe('rejected');
  });

  test.each(['\\U0001F600', '\\101', '\\0', '\\a', '\\v', '\\N{BULLET}'])(
    'Python’s %s in a call as in Python',
    (escape) => {
      const result = (quote: string) =>
        interpretArguments(
          one,
          { text: `f(a=${quote}x${escape}${quote})` },
          { ...settings, tool: { name: 'f' } },
        );
      expect(result('"').status).toBe('rejected');
      expect(result("'").status).toBe('rejected');
    },
  );
});
