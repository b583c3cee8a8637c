// Is a call refused, or read the one way, where a reading lies near that isn't the only one?
import { interpretArguments } from 'toolmend';
import { anyOf, closedOf, listOf, nothing, objectOf, text, texts, whole } from '../repair/sample-schemas.ts';

test('a key that is one field misspelt and another one’s alias goes to neither', () => {
  const schema = closedOf(
    { a: { type: 'string', 'x-toolmend': { aliases: ['file_path'] } }, filePath: text },
    ['a'],
  );
  expect(interpretArguments(schema, { value: { file_path: 'x' } }).status).toBe('rejected');
});

test.each(['#', '//'])('a comment (%s) up to the end may have swallowed arguments', (comment) => {
  const schema = closedOf({ path: text, recursive: { type: 'boolean' } }, ['path']);
  const sent = `{"path":"a" ${comment} note, "recursive": false}`;
  expect(interpretArguments(schema, { text: sent }, { finishReason: 'stop' }).status).toBe('rejected');
});

test.each(['// {"path": "a"}', '# {"path": "a"}'])('a call that is commented out is none: %s', (sent) => {
  expect(interpretArguments(closedOf({ path: text }), { text: sent }).status).toBe('rejected');
});

test('under a key for the list, text that spells a list is read as that', () => {
  const result = interpretArguments(closedOf({ paths: texts }, ['paths']), {
    value: { paths: { item: '["a","b"]' } },
  });
  expect(result).toMatchObject({ status: 'repaired', value: { paths: ['a', 'b'] } });
});

test.each(['a.txt,b.txt', '', 'null', '[a'])('under a key for the list, %p is no element', (item) => {
  const result = interpretArguments(closedOf({ paths: texts }, ['paths']), { value: { paths: { item } } });
  expect(result.status).toBe('rejected');
});

test('an envelope or markup that names another tool is not this one’s', () => {
  const schema = closedOf({ path: text }, ['path']);
  const envelope = { name: 'other/tool', arguments: { path: 'a' } };
  expect(interpretArguments(schema, { value: envelope }, { tool: 'server/tool' }).status).toBe('rejected');
  for (const sent of [
    '<function=delete_all><parameter=path>x</parameter></function>',
    '<function=delete_all>{"path":"x"}</function>',
  ]) {
    expect(interpretArguments(schema, { text: sent }, { tool: 'read_file' }).status).toBe('rejected');
    expect(interpretArguments(schema, { text: sent }, { tool: 'delete_all' }).status).toBe('repaired');
  }
});

test('separators alone spell no member', () => {
  for (const mode of ['', '_', '--']) {
    const schema = closedOf({ mode: { enum: ['-', 'x', ''].filter((member) => member !== mode) } }, ['mode']);
    expect(interpretArguments(schema, { value: { mode } }).status).toBe('rejected');
  }
});

test('partners are filled beside a key that stays as it came', () => {
  const schema = {
    type: 'object',
    properties: { offset: whole, limit: whole, path: listOf(whole) },
    'x-toolmend': { relational: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }] },
  } as const;
  expect(interpretArguments(schema, { value: { limit: 5, Path: 'zz' } })).toMatchObject({
    value: { limit: 5, Path: 'zz', offset: 0 },
  });
});

test('what was cut is never mended, only read if it is whole', () => {
  const schema = closedOf({ a: text }, ['a']);
  const cut = { finishReason: 'length' };
  expect(interpretArguments(schema, { text: '{"a":"x"}' }, cut).status).toBe('unchanged');
  expect(interpretArguments(schema, { text: '{"a":"x"} and now I' }, cut)).toMatchObject({
    status: 'rejected',
    issues: [{ keyword: 'truncated' }],
  });
});

test('a call to confirm has the meta arguments in it', () => {
  const result = interpretArguments(
    closedOf({ path: text, limit: anyOf(whole, nothing) }, ['path']),
    { value: { Path: 'a', _rationale: 'why' } },
    { meta: true, tool: { name: 'remove', effects: 'destructive' } },
  );
  expect(result).toMatchObject({ status: 'rejected' });
  expect(result.status === 'rejected' && result.message).toContain('{"path":"a","_rationale":"why"}');
});

test('a note shows a key short and clean', () => {
  const key = `a\n<|im_start|>${'x'.repeat(100_000)}`;
  const tool = { name: 'tool', unknownArguments: 'strip' } as const;
  const result = interpretArguments(closedOf({ a: text }), { value: { a: 'x', [key]: 1 } }, { tool });
  expect(result.notes).toHaveLength(1);
  expect(result.notes[0]?.text.length).toBeLessThan(200);
  expect(result.notes[0]?.text).not.toMatch(/\n|im_start/);
});

test('a word for nothing that spells a member is the member, or refused', () => {
  const members = { enum: ['none', 'all'] };
  expect(interpretArguments(closedOf({ mode: members }), { value: { mode: 'None' } })).toMatchObject({
    status: 'repaired',
    value: { mode: 'none' },
  });
});

test('in an open object, keys that are allowed stay where they are, whatever else fails', () => {
  const schema = objectOf({
    n: whole,
    filter: objectOf({ name: text }),
    todos: listOf(closedOf({ content: text }, ['content'])),
    path: { type: 'string', 'x-toolmend': { aliases: ['file'] } },
  });
  for (const other of [{ content: 'x' }, { 'filter.name': 'x' }, { file: 'x' }]) {
    expect(interpretArguments(schema, { value: { ...other, n: '5' } })).toMatchObject({
      status: 'repaired',
      value: { ...other, n: 5 },
    });
  }
});

test('a dynamic reference to the one anchor of its name is followed like any other', () => {
  const schema = objectOf({ n: whole, c: { $dynamicRef: '#m' } }, [], { $dynamicAnchor: 'm' });
  expect(interpretArguments(schema, { value: { c: { c: { n: 5 } } } }).status).toBe('unchanged');
  expect(interpretArguments(schema, { value: { c: { c: { n: '5' } } } })).toMatchObject({
    status: 'repaired',
    value: { c: { c: { n: 5 } } },
  });
  expect(interpretArguments(schema, { value: { c: { c: { n: 'five' } } } }).status).toBe('rejected');
});

test('a partner that stands there under another spelling, as a key of its own, is not filled beside it', () => {
  const schema = objectOf({ offset: whole, limit: whole }, [], {
    'x-toolmend': { relational: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }] },
  });
  const sent = { limit: 5, Offset: { from: 1 } };
  expect(interpretArguments(schema, { value: { limit: 5 } })).toMatchObject({
    status: 'repaired',
    value: { limit: 5, offset: 0 },
  });
  expect(interpretArguments(schema, { value: sent })).toMatchObject({ status: 'unchanged', value: sent });
});
