import { CallMemory, interpret, interpretArguments } from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { read, repairedTo } from '../read.ts';
import { closedOf, text, whole } from '../schemas.ts';

const schema = closedOf({ path: text, limit: whole }, ['path']);

describe('text that was repaired', () => {
  test('has a record that replaces the whole value', () => {
    const result = read(schema, "```json\n{'path': 'a',}\n```");
    expect(result).toMatchObject(repairedTo({ path: 'a' }));
    const operations = [{ op: 'replace', path: '', value: { path: 'a' } }];
    expect(result.repairs.length).toBeGreaterThan(0);
    for (const record of result.repairs)
      expect(record).toMatchObject({ path: '', shownToModel: false, operations });
  });

  test('is passed on as it was read; other text is passed on as it came', () => {
    const passed = (sent: string) => read(schema, sent, { output: 'json' });
    const spaced = ' {"path" : "a", "limit" : 1e2} ';
    expect(passed(spaced)).toMatchObject({ status: 'unchanged', text: spaced });
    expect(passed('{"path":"a","limit":1.0,}')).toMatchObject({ text: '{"path":"a","limit":1.0}' });
    const repairs = [
      { rule: 'duplicate_key', path: '', was: 'path', shownToModel: false, operations: [] },
    ];
    expect(passed('{"path":"a","path":"a"}')).toMatchObject({ text: '{"path":"a"}', repairs });
    for (const invalid of ['{"path":5', '{"limit":5}'])
      expect(passed(invalid)).not.toHaveProperty('text');
  });
});

test.each([
  ['unwrap_envelope', '{"arguments":{"a":{"b":"x","c":null}}}'],
  ['rename_key', '{"A":{"b":"x","c":null}}'],
  ['json_text_to_object', String.raw`{"a":"{\"b\":\"x\",\"c\":null}"}`],
  ['hoist_member', '{"o":{"d":"x","a":{"b":"x","c":null}}}'],
])('%s: null is absent in what a provider’s schema requires', (rule, sent) => {
  const a = closedOf({ b: text, c: text }, ['b']);
  const contract = contractFromSchema({
    inputSchema: closedOf({ a, o: closedOf({ d: text }) }, ['a']),
  });
  const result = interpret(contract, { arguments: sent }, { provider: 'openai-strict' });
  expect(result).toMatchObject({ value: { a: { b: 'x' } }, repairs: [{ rule }] });
});

test('a remote tool gets its arguments as text', () => {
  const send = () => Promise.reject(new Error('nothing is sent'));
  const contract = contractFromSchema({ inputSchema: schema, binding: { kind: 'remote', send } });
  expect(interpret(contract, { arguments: '{"path": "a"}' })).toMatchObject({
    text: '{"path": "a"}',
  });
  const own = contractFromSchema({ inputSchema: schema });
  expect(interpret(own, { arguments: '{"path": "a"}' })).not.toHaveProperty('text');
  const checked = { ...own, check: () => [{ path: '/path', check: 'free', message: 'is taken' }] };
  expect(interpret(checked, { arguments: '{"path": "a"}' }).issues).toMatchObject([
    { advice: 'is taken' },
  ]);
});

test('executed calls that fail in the same way are counted until one succeeds', () => {
  const memory = new CallMemory();
  const end = (sent: unknown, way: string | undefined): number =>
    memory.rememberEnding('run', sent, way);
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
  expect(['tool0', 'tool1', 'tool256'].map((name) => memory.endedBefore(name, {}))).toEqual([
    0, 1, 1,
  ]);
});

describe('the model gets a note about a text whose repair is a choice', () => {
  const ofPath = closedOf({ path: text });
  const notesOf = (sent: string) => interpretArguments(ofPath, { text: sent }).notes;

  test.each([
    ['surrounding_text', '{"path": "a"} Done.'],
    ['surrounding_text', '{"path": "a"}"}'],
    ['repeated_object', '{"pa{"path": "a"}'],
    ['broken_json', '{"path": "say „hello" to a"}'],
    ['broken_json', '{"path": "say "hello""}'],
    ['bare_word', '{path: test}'],
  ])('%s: %s', (rule, sent) => {
    expect(notesOf(sent)).toMatchObject([{ rule, path: '' }]);
  });

  test.each([
    ['words before an object', 'Here: {"path": "a"}'],
    ['tokens behind it', '{"path": "a"} <|im_end|>\n</tool_call>'],
    ['the same object twice', '{"path": "a"}{"path": "a"}'],
    ['a missing colon', '{"path" "a"}'],
  ])('and none about %s', (_title, sent) => {
    expect(interpretArguments(ofPath, { text: sent })).toMatchObject({
      status: 'repaired',
      value: { path: 'a' },
      notes: [],
    });
  });
});
