// Which repairs may act on a tool that destroys? Those that keep every key and value; any other the model confirms.
import { type Interpretation, interpret, interpretArguments } from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { type Schema, closedOf, listOf, objectOf, text, texts, whole } from '../repair/sample-schemas.ts';

const remove = closedOf({ paths: texts, limit: whole, filter: text, reason: { type: ['string', 'null'] } }, [
  'paths',
]);

const asked = (sent: unknown, schema: Schema = remove): Interpretation =>
  interpretArguments(schema, typeof sent === 'string' ? { text: sent } : { value: sent }, {
    tool: { name: 'delete_files', effects: 'destructive' },
  });

test('a valid call runs as it is', () => {
  expect(asked({ paths: ['a'] })).toMatchObject({ status: 'unchanged', value: { paths: ['a'] } });
});

describe('what keeps everything acts', () => {
  test.each<[string, unknown, object]>([
    ['a list as text', { paths: '["a", "b"]' }, { paths: ['a', 'b'] }],
    ['the one element', { paths: 'a' }, { paths: ['a'] }],
    ['a number as text', { paths: ['a'], limit: '5' }, { paths: ['a'], limit: 5 }],
    ['a link', { paths: ['[a.ts](http://a.ts)'] }, { paths: ['a.ts'] }],
    ['an envelope', { arguments: { paths: ['a'] } }, { paths: ['a'] }],
    ['an encoded text', '"{\\"paths\\": [\\"a\\"]}"', { paths: ['a'] }],
    ['a fence', '```json\n{"paths": ["a"]}\n```', { paths: ['a'] }],
    ['loose JSON', "{'paths': ['a'],}", { paths: ['a'] }],
    ['a list of one object', '[{"paths": ["a"]}]', { paths: ['a'] }],
    ['a key that came twice with one value', '{"paths": ["a"], "paths": ["a"]}', { paths: ['a'] }],
  ])('%s', (_title, sent, value) => {
    expect(asked(sent)).toMatchObject({ status: 'repaired', value });
  });
});

test('what is no argument of the tool’s own, and what it declares to come with another, need no confirmation', () => {
  const paged = objectOf({ offset: whole, limit: whole }, [], {
    'x-toolmend': { relational: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }] },
  });
  const tool = { name: 'delete_pages', effects: 'destructive' } as const;
  expect(interpretArguments(paged, { value: { limit: 5, Timeout: 9 } }, { tool, meta: true })).toMatchObject({
    status: 'repaired',
    value: { limit: 5, offset: 0 },
    meta: { timeout_seconds: 9 },
  });
  const contract = { ...contractFromSchema({ inputSchema: paged, ...tool }), contextFields: ['tenant'] };
  expect(interpret(contract, { arguments: { tenant: 'x', offset: 1 } })).toMatchObject({
    status: 'repaired',
    value: { offset: 1 },
    repairs: [{ rule: 'context_field' }],
  });
});

describe('what leaves something out, adds or renames is confirmed first', () => {
  test.each<[string, unknown, string]>([
    ['a null filter', { paths: ['a'], filter: null }, '{"paths":["a"]}'],
    ['a placeholder', { paths: ['a'], limit: '' }, '{"paths":["a"]}'],
    ['an empty unknown key', { paths: ['a'], mode: '' }, '{"paths":["a"]}'],
    ['a misspelt key', { Paths: ['a'] }, '{"paths":["a"]}'],
    ['an object around the list', { paths: { item: 'a' } }, '{"paths":["a"]}'],
    ['an empty object for the list', { paths: {} }, '{"paths":[]}'],
    ['words around the object', 'Now: {"paths": ["a"]}', '{"paths":["a"]}'],
    ['the object twice', '{"paths": ["a"]}{"paths": ["a"]}', '{"paths":["a"]}'],
  ])('%s', (_title, sent, wouldBe) => {
    const result = asked(sent);
    expect(result).toMatchObject({
      status: 'rejected',
      repairs: [],
      issues: [{ keyword: 'not_confirmed', path: '' }],
    });
    expect(String(Reflect.get(result, 'message')).split('\n').at(-1)).toBe(
      `If this is what you mean, send exactly: ${wouldBe}`,
    );
    // The model confirms the call by sending it.
    expect(asked(wouldBe)).toMatchObject({ status: 'unchanged', value: JSON.parse(wouldBe) });
  });

  test('a default for a required key', () => {
    const schema = objectOf({ path: text, depth: { type: 'integer', default: 9 } }, ['path', 'depth']);
    expect(asked({ path: 'a' }, schema)).toMatchObject({ issues: [{ keyword: 'not_confirmed' }] });
  });

  test('a call that is too long to be shown is to be sent again whole', () => {
    const sent = { Paths: Array.from({ length: 500 }, (_path, index) => `a/long/path/${index}`) };
    const result = asked(sent, closedOf({ paths: listOf(text) }, ['paths']));
    expect(String(Reflect.get(result, 'message'))).toMatch(
      /Send the whole call again with corrected arguments\.$/,
    );
    expect(String(Reflect.get(result, 'message')).length).toBeLessThanOrEqual(2000);
  });
});

test('a tool may set its own level', () => {
  const level = (effects: 'read' | 'destructive', repair: 'all' | 'lossless'): string =>
    interpretArguments(remove, { value: { Paths: ['a'] } }, { tool: { effects, repair } }).status;
  expect(level('destructive', 'all')).toBe('repaired');
  expect(level('read', 'lossless')).toBe('rejected');
});
