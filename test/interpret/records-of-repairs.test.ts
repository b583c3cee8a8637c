import { CallMemory, interpret } from 'toolmend';
import { notesOf } from '../../src/interpret/validate-or-repair.ts';
import { withMembersInText } from '../../src/json/serialize.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { read, readValue, repairedTo } from '../read.ts';
import { closedOf, objectOf, text, whole } from '../schemas.ts';

const schema = closedOf({ path: text, limit: whole }, ['path']);

type Record = Parameters<typeof notesOf>[0][number];
test.each<[string, Record['operations'], string]>([
  ['pairs', [{ op: 'add', path: '/a/0', value: 5 }], 'a[0] was not sent; 5 was used.'],
  ['pairs', [], 'a[0] was repaired (pairs).'],
  [
    'context_field',
    [{ op: 'remove', path: '/a/0' }],
    'a[0] is set by the application; the value that was sent is ignored.',
  ],
  ['x', [{ op: 'move', from: '/a/0', path: '/b' }], 'a[0] was read as b.'],
  ['x', [{ op: 'remove', path: '/a/0' }], 'a[0] is not an argument of this tool and was left out.'],
  ['x', [{ op: 'replace', path: '/a/0', value: 5 }], 'a[0] was repaired (x).'],
  ['x', [{ op: 'add', path: '/a/0', value: 5 }], 'a[0] was repaired (x).'],
  ['x', [], 'a[0] was repaired (x).'],
])('the model reads of a repair by %s with %j', (rule, operations, expected) => {
  const told: Record = { rule, path: '/a/0', was: 'a text', tell: true, operations };
  expect(notesOf([told, { ...told, tell: false }])).toEqual([{ rule, path: '/a/0', text: expected }]);
});

describe('text that was repaired', () => {
  test('has a record that replaces the whole value', () => {
    const result = read(schema, "```json\n{'path': 'a',}\n```");
    expect(result).toMatchObject(repairedTo({ path: 'a' }));
    const operations = [{ op: 'replace', path: '', value: { path: 'a' } }];
    expect(result.repairs.length).toBeGreaterThan(0);
    for (const record of result.repairs) expect(record).toMatchObject({ path: '', tell: false, operations });
  });

  test('is passed on as it was read; other text is passed on as it came', () => {
    const passed = (sent: string) => read(schema, sent, { output: 'json' });
    const spaced = ' {"path" : "a", "limit" : 1e2} ';
    expect(passed(spaced)).toMatchObject({ status: 'unchanged', text: spaced });
    expect(passed('{"path":"a","limit":1.0,}')).toMatchObject({ text: '{"path":"a","limit":1.0}' });
    expect(passed('{"path":"a","path":"a"}')).toMatchObject({ text: '{"path":"a"}' });
    for (const invalid of ['{"path":5', '{"limit":5}']) expect(passed(invalid)).not.toHaveProperty('text');
  });

  test.each<[string, Parameters<typeof withMembersInText>[1], string]>([
    ['{"a": 1.0 } ', [['b', 2]], '{"a": 1.0,"b":2}'],
    [
      '{ }',
      [
        ['b', [1]],
        ['c"', null],
      ],
      '{"b":[1],"c\\"":null}',
    ],
    ['{"a": 1 } ', [], '{"a": 1 } '],
  ])('gets added members at the end: %s', (written, members, expected) => {
    expect(withMembersInText(written, members)).toBe(expected);
  });
});

test('meta arguments are read only if they are switched on', () => {
  const own = objectOf({ path: text });
  const value = { path: 'a', _rationale: 'b' };
  const metas = [true, false, true].map((meta) => readValue(own, value, { meta }).meta);
  expect(metas).toEqual([{ rationale: 'b' }, {}, { rationale: 'b' }]);
});

test('a remote tool gets its arguments as text', () => {
  const send = () => Promise.reject(new Error('nothing is sent'));
  const contract = contractFromSchema({ inputSchema: schema, binding: { kind: 'remote', send } });
  expect(interpret(contract, { arguments: '{"path": "a"}' })).toMatchObject({ text: '{"path": "a"}' });
  const own = contractFromSchema({ inputSchema: schema });
  expect(interpret(own, { arguments: '{"path": "a"}' })).not.toHaveProperty('text');
});

test('executed calls that fail in the same way are counted until one succeeds', () => {
  const memory = new CallMemory();
  const end = (sent: unknown, way: string | undefined): number => memory.rememberEnding('run', sent, way);
  expect(memory.endedBefore('run', { a: 1 })).toBe(0);
  expect(end({ a: 1, b: 2 }, 'timeout')).toBe(1);
  expect(memory.endedBefore('run', { b: 2, a: 1 })).toBe(1);
  expect(memory.endedBefore('run', { a: 2 })).toBe(0);
  expect(memory.endedBefore('other', { a: 1, b: 2 })).toBe(0);
  expect(end('{"b":2,"a":1}', 'timeout')).toBe(2);
  expect(end({ a: 1, b: 2 }, 'not found')).toBe(1);
  expect(end({ a: 2 }, 'not found')).toBe(1);
  expect(end({ a: 2 }, undefined)).toBe(0);
  expect(memory.endedBefore('run', { a: 2 })).toBe(0);
  expect(end({ a: 2 }, 'not found')).toBe(1);
});

test('a memory forgets the oldest of more than 256 tools', () => {
  const memory = new CallMemory();
  for (let at = 0; at < 256; at += 1) memory.rememberEnding(`tool${at}`, {}, 'failed');
  expect(memory.endedBefore('tool0', {})).toBe(1);
  memory.rememberEnding('tool256', {}, 'failed');
  expect(['tool0', 'tool1', 'tool256'].map((name) => memory.endedBefore(name, {}))).toEqual([0, 1, 1]);
});
