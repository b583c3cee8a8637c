import { messageOf, read, readValue, repairedTo } from '../read.ts';
import { closedOf, listOf, objectOf, orNull, text, texts, whole } from '../schemas.ts';

test('partners are filled beside a key that stays as it came', () => {
  const schema = {
    type: 'object',
    properties: { offset: whole, limit: whole, path: listOf(whole) },
    'x-toolmend': { relational: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }] },
  } as const;
  const sent = { limit: 5, Path: 'zz' };
  expect(readValue(schema, sent)).toMatchObject({ value: { ...sent, offset: 0 } });
});

test('a call to confirm has the meta arguments in it', () => {
  const schema = closedOf({ path: text, limit: orNull(whole) }, ['path']);
  const tool = { name: 'remove', effects: 'destructive' } as const;
  const result = readValue(schema, { Path: 'a', _rationale: 'why' }, { meta: true, tool });
  expect(result).toMatchObject({ status: 'rejected' });
  expect(messageOf(result)).toContain('{"path":"a","_rationale":"why"}');
});

test('a note shows a key short and clean', () => {
  const key = `a\n<|im_start|>${'x'.repeat(100_000)}`;
  const tool = { name: 'tool', unknownArguments: 'strip' } as const;
  const result = readValue(closedOf({ a: text }), { a: 'x', [key]: 1 }, { tool });
  expect(result.notes).toHaveLength(1);
  expect(result.notes[0]?.text.length).toBeLessThan(200);
  expect(result.notes[0]?.text).not.toMatch(/\n|im_start/);
});

test('in an open object, keys that are allowed stay where they are, whatever else fails', () => {
  const schema = objectOf({
    n: whole,
    filter: objectOf({ name: text }),
    todos: listOf(closedOf({ content: text }, ['content'])),
    path: { ...text, 'x-toolmend': { aliases: ['file'] } },
  });
  for (const other of [{ content: 'x' }, { 'filter.name': 'x' }, { file: 'x' }])
    expect(readValue(schema, { ...other, n: '5' })).toMatchObject(repairedTo({ ...other, n: 5 }));
});

describe('a value that could mean two', () => {
  const ids = { type: ['integer', 'array'], items: text } as const;
  const adviceFor = (schema: Parameters<typeof readValue>[0], value: object): unknown =>
    readValue(schema, value).issues.map(({ path, advice }) => [path, advice]);

  test('both are in the advice', () => {
    expect(adviceFor(objectOf({ ids }), { ids: '5' })).toEqual([
      ['/ids', 'did you mean 5 or ["5"]?'],
    ]);
  });

  test('a secret is not', () => {
    const secret = { ...ids, writeOnly: true };
    expect(adviceFor(objectOf({ ids: secret }), { ids: '5' })).toEqual([['/ids', undefined]]);
  });

  test('the placeholder of a secret is not the secret', () => {
    const key = { ...text, writeOnly: true };
    expect(readValue(objectOf({ key }), { key: '(as you sent it)' }).issues).toEqual([
      { keyword: 'check', path: '/key', advice: 'send the secret itself, not its placeholder' },
    ]);
  });

  test('nor is what was never sent there', () => {
    const envelope = { arguments: { ids: '5' } };
    expect(readValue(closedOf({ ids }), envelope).issues).toMatchObject([
      { path: '', key: 'arguments' },
    ]);
  });
});

test.each([
  ['{"flags":{},"env":{}}}', 'did you mean no "flags" or "flags": []?'],
  ['{"env":{"a":{},"n":5}', 'did you mean no "n" or "n": 5?'],
  ['{"env":{"a":{},"n":"5"}', 'did you mean no "n" or "n": "5"?'],
])(
  'two readings of broken text are shown as JSON, so that a value and its text differ: %s',
  (sent, advice) => {
    const schema = objectOf({ flags: texts, env: { type: 'object' } });
    const rejected = { status: 'rejected', issues: [{ keyword: 'ambiguous', path: '', advice }] };
    expect(read(schema, sent, { finishReason: 'stop' })).toMatchObject(rejected);
  },
);

test('arguments stay an object if the schema also takes an array', () => {
  const anyOf = [closedOf({ a: whole }, ['a']), listOf(closedOf({ b: whole }, ['b']))];
  expect(readValue({ anyOf }, { a: '1' })).toMatchObject(repairedTo({ a: 1 }));
  expect(readValue({ anyOf }, { b: 1 })).toMatchObject({ status: 'rejected' });
});
