import { type Interpretation, interpret } from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { messageOf, read, readValue, repairedTo, unchanged } from '../read.ts';
import { closedOf, objectOf, type Schema, text, texts, whole } from '../schemas.ts';

const tool = { name: 'delete_files', effects: 'destructive' } as const;
const fields = { paths: texts, limit: whole, filter: text, where: objectOf({ id: whole }) };
const remove = closedOf({ ...fields, reason: { type: ['string', 'null'] } }, ['paths']);

const asked = (sent: unknown, schema: Schema = remove): Interpretation =>
  typeof sent === 'string' ? read(schema, sent, { tool }) : readValue(schema, sent, { tool });

test('a valid call runs as it is', () => {
  expect(asked({ paths: ['a'] })).toMatchObject(unchanged({ paths: ['a'] }));
});

test.each<[string, unknown, object]>([
  ['a list as text', { paths: '["a", "b"]' }, { paths: ['a', 'b'] }],
  ['a link', { paths: ['[a.ts](http://a.ts)'] }, { paths: ['a.ts'] }],
  ['an envelope', { arguments: { paths: ['a'] } }, { paths: ['a'] }],
  ['an encoded text', '"{\\"paths\\": [\\"a\\"]}"', { paths: ['a'] }],
  ['loose JSON', "{'paths': ['a'],}", { paths: ['a'] }],
  ['a duplicate key with one value', '{"paths": ["a"], "paths": ["a"]}', { paths: ['a'] }],
])('a repair that keeps every key and value runs: %s', (_title, sent, value) => {
  expect(asked(sent)).toMatchObject(repairedTo(value));
});

test.each([
  '\nAction: delete_files\nAction Input: {"paths": ["a"]}',
  '\nAction: delete_files(paths=["a"])',
  '\nAction: {"name": "delete_files", "arguments": {"paths": ["a"]}}',
])('a thought before the call has to be confirmed, because it may say no: %s', (action) => {
  expect(asked(action.trim())).toMatchObject(repairedTo({ paths: ['a'] }));
  expect(asked(`Thought: I must not delete it.${action}`)).toMatchObject({ status: 'rejected' });
  expect(read(remove, `Thought: a.${action}`, { tool: { name: tool.name } })).toMatchObject(
    repairedTo({ paths: ['a'] }),
  );
});

test('meta arguments, context fields and dependent defaults need no confirmation', () => {
  const relational = [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }];
  const paged = objectOf({ offset: whole, limit: whole }, [], { 'x-toolmend': { relational } });
  const notes = [{ text: 'offset was not sent; 0 was used.' }];
  const filled = { ...repairedTo({ limit: 5, offset: 0 }), meta: { timeout_seconds: 9 }, notes };
  expect(readValue(paged, { limit: 5, Timeout: 9 }, { tool, meta: true })).toMatchObject(filled);
  const contract = {
    ...contractFromSchema({ inputSchema: paged, ...tool }),
    contextFields: ['tenant'],
  };
  expect(interpret(contract, { arguments: { tenant: 'x', offset: 1 } })).toMatchObject({
    ...repairedTo({ offset: 1 }),
    repairs: [{ rule: 'context_field' }],
    notes: [{ text: 'tenant is set by the application; the value that was sent is ignored.' }],
  });
});

describe('a repair that removes, adds or renames', () => {
  test.each<[string, unknown, string]>([
    ['a null filter', { paths: ['a'], filter: null }, '{"paths":["a"]}'],
    ['a placeholder', { paths: ['a'], limit: '' }, '{"paths":["a"]}'],
    ['an empty unknown key', { paths: ['a'], mode: '' }, '{"paths":["a"]}'],
    ['a misspelt key', { Paths: ['a'] }, '{"paths":["a"]}'],
    ['the tool’s own name', { tool: 'delete_files', paths: ['a'] }, '{"paths":["a"]}'],
    ['an object around the list', { paths: { item: 'a' } }, '{"paths":["a"]}'],
    ['words around the object', 'Now: {"paths": ["a"]}', '{"paths":["a"]}'],
    [
      'a quote in a string',
      '{"paths": ["a"], "filter": "b "c""}',
      '{"paths":["a"],"filter":"b \\"c\\""}',
    ],
    [
      'one beside a misspelt key',
      '{"Paths": ["a"], "filter": "b "c""}',
      '{"filter":"b \\"c\\"","paths":["a"]}',
    ],
    ['the object twice', '{"paths": ["a"]}{"paths": ["a"]}', '{"paths":["a"]}'],
  ])('is confirmed by sending the repaired call: %s', (_title, sent, wouldBe) => {
    const result = asked(sent);
    const issues = [{ keyword: 'not_confirmed', path: '' }];
    expect(result).toMatchObject({ status: 'rejected', repairs: [], issues });
    const last = messageOf(result).split('\n').at(-1);
    expect(last).toBe(`If this is what you mean, send exactly: ${wouldBe}`);
    expect(asked(wouldBe)).toMatchObject(unchanged(JSON.parse(wouldBe)));
  });

  test('is confirmed if it is a default for a required key', () => {
    const schema = objectOf({ path: text, depth: { ...whole, default: 9 } }, ['path', 'depth']);
    expect(asked({ path: 'a' }, schema)).toMatchObject({ issues: [{ keyword: 'not_confirmed' }] });
  });

  test('is not shown if it is too long or something else is wrong', () => {
    expect(asked({ paths: 5.5, limit: '5' }).issues).toMatchObject([
      { path: '/paths' },
      { path: '/limit' },
    ]);
    const sent = { Paths: Array.from({ length: 500 }, (_path, index) => `a/long/path/${index}`) };
    const message = messageOf(asked(sent, closedOf({ paths: texts }, ['paths'])));
    expect(message).toMatch(/Send the whole call again with corrected arguments\.$/);
    expect(message.length).toBeLessThanOrEqual(2000);
  });

  test.each([
    ['destructive', 'all', 'repaired'],
    ['read', 'lossless', 'rejected'],
  ] as const)('depends on the tool’s own level: %s, %s', (effects, repair, status) => {
    expect(readValue(remove, { Paths: ['a'] }, { tool: { effects, repair } })).toMatchObject({
      status,
    });
  });
});
