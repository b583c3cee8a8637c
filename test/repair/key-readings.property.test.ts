// Keys that a rule takes for another than they say: near-misses with one reading, and neighbours
// with two or none.
import { interpretArguments } from 'toolmend';
import { fc } from '../seeded-fast-check.ts';
import { type Schema, closedOf, flag, listOf, orNull, text, whole } from '../schemas.ts';

/** Names of one parameter each, the plainest first; no two rows have a word in common. */
const names = [
  ['path', 'file_path', 'filePath', 'filename', 'file'],
  ['query', 'q', 'search_query', 'queries', 'query_text'],
  ['command', 'cmd', 'command_string', 'script'],
  ['url', 'uri', 'href', 'url_value'],
  ['directory', 'dir', 'folder', 'directory_name'],
  ['old_string', 'old', 'old_text', 'oldStr'],
] as const;

/** Optional parameters that no name above is related to. */
const others: { readonly [name: string]: Schema } = {
  verbose: flag,
  limit: whole,
  tags: listOf(text),
};
const sentOthers: { readonly [name: string]: unknown } = { verbose: true, limit: 3, tags: ['a'] };

const rows = fc.shuffledSubarray([...names], { minLength: 1, maxLength: 4 });
const beside = fc.shuffledSubarray(Object.keys(others));
const nameIn = (row: readonly string[], at: number): string => row[at % row.length] ?? '';
const pick = (from: { readonly [name: string]: unknown }, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, from[key]]));

const tool = fc.record({ rows, beside, name: fc.nat(4), isBase: fc.boolean() }).map((one) => {
  const pairs = one.rows.map((row) => {
    const [base, other] = [row[0], nameIn(row, one.name)];
    return one.isBase ? ([base, other] as const) : ([other, base] as const);
  });
  const declared = pairs.map(([name]) => name);
  const schema = closedOf(
    { ...Object.fromEntries(declared.map((name) => [name, text])), ...others },
    declared,
  );
  const meant = {
    ...Object.fromEntries(declared.map((name, at) => [name, `v${at}`])),
    ...pick(sentOthers, one.beside),
  };
  const sent = {
    ...Object.fromEntries(pairs.map(([, name], at) => [name, `v${at}`])),
    ...pick(sentOthers, one.beside),
  };
  return { schema, declared, meant, sent, pairs };
});

const interpret = (schema: Schema, value: unknown) => interpretArguments(schema, { value });
const property = (
  check: (one: {
    schema: Schema;
    declared: readonly string[];
    meant: object;
    sent: object;
    pairs: readonly (readonly [string, string])[];
  }) => void,
) => fc.assert(fc.property(tool, check));

test('keys of related names are those that are absent', () => {
  property(({ schema, meant, sent }) => {
    expect(interpret(schema, sent)).toMatchObject({ value: meant });
  });
});

test('a call with a key too many, or one too few, is refused', () => {
  property(({ schema, declared, sent, pairs }) => {
    const isRenamed = pairs.some(
      ([name, key]) => name.replaceAll('_', '') !== key.replaceAll('_', '').toLowerCase(),
    );
    if (!isRenamed) return;
    expect(interpret(schema, { ...sent, unrelated: 'x' }).status).toBe('rejected');
    const [, ...rest] = Object.entries(sent);
    if (declared.length > 1)
      expect(interpret(schema, Object.fromEntries(rest)).status).toBe('rejected');
  });
});

test('a related key of an optional parameter, or of one that was sent, makes two readings', () => {
  property(({ schema, sent, pairs: [[name, key] = ['', '']] }) => {
    // A key with a further word of its own is not the one with another further word.
    if (name === key || name.startsWith('old') || !/^[a-z]+$/.test(key)) return;
    const { properties = {}, required = [] } = Object(schema);
    const related = `${name}_argument`;
    const wider = { ...closedOf({ ...properties, [related]: text }, required) };
    if (
      Object.hasOwn(sent, related) ||
      interpret(schema, sent).repairs.every(({ rule }) => rule === 'rename_key')
    )
      return;
    for (const value of [sent, { ...sent, [related]: 'x' }])
      expect(interpret(wider, value).status).toBe('rejected');
  });
});

const outer = fc.constantFrom('data', 'payload', 'config', 'options', 'request', 'job');
const sayings = fc.constantFrom(
  'result',
  'previous_call',
  'example',
  'cancelled',
  'search_files',
  'errors',
);

test('one outer key is taken off a call that passes, and no key inside is changed', () => {
  fc.assert(
    fc.property(tool, outer, sayings, ({ schema, declared, meant, sent }, key, saying) => {
      const wrapped = { [key]: meant };
      expect(interpret(schema, wrapped)).toMatchObject({ value: meant });
      expect(interpret(schema, { [saying]: meant }).status).toBe('rejected');
      expect(interpret(schema, { ...wrapped, verbose: true }).status).toBe('rejected');
      const isSame = declared.every((name) => Object.hasOwn(sent, name));
      if (!isSame) expect(interpret(schema, { [key]: sent }).status).toBe('rejected');
      expect(interpret(schema, { [key]: { ...meant, verbose: null } }).status).toBe('rejected');
    }),
  );
});

test('two repairs of keys make no call together', () => {
  const nullable = orNull(whole);
  const schema = closedOf({ path: text, size: nullable, ids: listOf(whole) }, [
    'path',
    'size',
    'ids',
  ]);
  const faults = [
    { path: 'a', ids: [1] },
    { file_path: 'a', size: 1, ids: [1] },
    { path: 'a', size: 1, ids: [{ item: 1 }] },
    { payload: { path: 'a', size: 1, ids: [1] } },
  ];
  for (const fault of faults) expect(interpret(schema, fault).status).toBe('repaired');
  const together = [
    { file_path: 'a', ids: [1] },
    { path: 'a', ids: [{ item: 1 }] },
    { file_path: 'a', size: 1, ids: [{ item: 1 }] },
    { payload: { path: 'a', ids: [1] } },
    { payload: { file_path: 'a', size: 1, ids: [1] } },
    { payload: { path: 'a', size: 1, ids: [{ item: 1 }] } },
  ];
  for (const fault of together)
    expect(interpret(schema, fault)).toMatchObject({ status: 'rejected', repairs: [] });
});

// What stands before or behind a name may negate, compare, sort, spread or address it.
// prettier-ignore
const operators = fc.constantFrom(
  '-', '!', '~', '+', '@', '.', '...', '=', '!=', '>=', '<', '%', '*', '&', '|', '^', '?',
);

test('a key with an operator at an end is no spelling of a declared key', () => {
  const schemas = fc.constantFrom<
    (properties: { readonly [name: string]: Schema }, name: string) => Schema
  >(
    (properties, name) => closedOf(properties, [name]),
    (properties) => closedOf(properties),
    (properties, name) => ({ type: 'object', properties, required: [name] }),
    (properties) => ({ type: 'object', properties }),
  );
  const effects = fc.constantFrom<'read' | 'write' | undefined>('read', 'write', undefined);
  fc.assert(
    fc.property(
      fc.constantFrom(...names.flat()),
      operators,
      fc.boolean(),
      fc.constantFrom('', '"', ' '),
      schemas,
      effects,
      (name, operator, isBefore, quote, schemaOf, effect) => {
        const key = `${quote}${isBefore ? operator : ''}${name}${isBefore ? '' : operator}${quote}`;
        const sent = { [key]: 'a' };
        const result = interpretArguments(
          schemaOf({ [name]: text, ...others }, name),
          { value: sent },
          { tool: { name: 'work', ...(effect === undefined ? {} : { effects: effect }) } },
        );
        expect(result.status).not.toBe('repaired');
        if (result.status === 'unchanged') expect(result.value).toEqual(sent);
      },
    ),
    { numRuns: 200 },
  );
});
