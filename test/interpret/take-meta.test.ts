import { interpret, type Interpretation } from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { messageOf, read, readValue, repairedTo, unchanged, valueOf } from '../read.ts';
import { deepFrozen } from '../repair/deep-frozen.ts';
import { replayed } from '../repair/replay.ts';
import { closedOf, mapOf, objectOf, type Schema, text, whole } from '../schemas.ts';

const schema = closedOf({ path: text }, ['path']);
const open = objectOf({ path: text, lines: whole }, ['path']);
const meta = true;
const asked = (value: object, of: Schema = schema): Interpretation =>
  readValue(of, deepFrozen(value), { meta });
const rejectedAt = (path: string, keyword = 'meta') => ({
  status: 'rejected',
  issues: [{ keyword, path }],
});

test('without the option, meta arguments are unknown keys', () => {
  expect(readValue(schema, { path: 'a', _rationale: 'b' }).status).toBe('rejected');
});

test('a call without meta arguments keeps its identity', () => {
  const value = { path: 'a' };
  expect(valueOf(asked(value))).toBe(value);
});

test('canonical keys are taken out of a call, which stays unchanged', () => {
  expect(
    asked({ _rationale: 'to see', path: 'a', _timeout_seconds: 30, _background: true }),
  ).toMatchObject({
    ...unchanged({ path: 'a' }),
    meta: { rationale: 'to see', timeout_seconds: 30, background: true },
    repairs: [],
  });
});

test.each([
  ['rationale', 'x', { rationale: 'x' }],
  ['Rationale', 'x', { rationale: 'x' }],
  ['timeout', 5, { timeout_seconds: 5 }],
  ['_TIMEOUT', 5, { timeout_seconds: 5 }],
])('%s is a spelling, and recorded', (key, value, expected) => {
  const path = `/${key}`;
  const repairs = [
    { rule: 'meta_key', path, shownToModel: false, operations: [{ op: 'remove', path }] },
  ];
  const result = asked({ path: 'a', [key]: value });
  expect(result).toMatchObject({
    ...repairedTo({ path: 'a' }),
    meta: expected,
    repairs,
    notes: [],
  });
});

test.each([
  [{ _timeout_seconds: 300.0 }, { timeout_seconds: 300 }],
  [{ _timeout_seconds: '300' }, { timeout_seconds: 300 }],
  [{ timeout: [5] }, { timeout_seconds: 5 }],
  [{ _timeout_seconds: '' }, {}],
  [{ _background: ' TRUE ' }, { background: true }],
  [{ _rationale: ' why ' }, { rationale: ' why ' }],
  [{ _rationale: null, _timeout_seconds: null, _background: null }, {}],
])('%j is read', (sent, expected) => {
  const result = asked({ path: 'a', ...sent }, { ...open, additionalProperties: {} });
  expect(result).toMatchObject({ value: { path: 'a' } });
  expect(result.meta).toStrictEqual(expected);
});

test.each([
  [{ _timeout_seconds: 0 }, '/_timeout_seconds'],
  [{ _timeout_seconds: 1.5 }, '/_timeout_seconds'],
  [{ _timeout_seconds: '0x10' }, '/_timeout_seconds'],
  [{ timeout: 'soon' }, '/timeout'],
  [{ _rationale: ' ' }, '/_rationale'],
  [{ _background: 'yes' }, '/_background'],
])('%j is rejected in the spelling that was sent', (sent, path) => {
  const result = asked({ path: 'a', ...sent });
  expect(result).toMatchObject({ ...rejectedAt(path), meta: {} });
  expect(messageOf(result)).toContain(`- ${path.slice(1)} cannot be used`);
});

test('one whose repair needs a confirmation is rejected as it was sent', () => {
  const destructive = { meta, tool: { effects: 'destructive' } } as const;
  const { issues } = readValue(schema, { path: 'a', _timeout_seconds: '' }, destructive);
  expect(issues).toMatchObject([{ path: '/_timeout_seconds', received: 'an empty string' }]);
});

test.each([
  { _timeout_seconds: 5, timeout: 5, _background: 1 },
  { timeout: 5, Timeout_Seconds: 6 },
  { _rationale: 'a', rationale: 'b' },
])('two keys for one are the only issue: %j', (sent) => {
  const result = asked({ wrong: true, ...sent });
  expect(result).toMatchObject({ status: 'rejected', issues: [{ keyword: 'duplicate_meta' }] });
  expect(Reflect.get(result, 'message')).toMatch(
    / is a second spelling of one argument; "\w+" was sent, too; send \S+ once\./,
  );
});

test('a wrong one is reported together with what else is wrong', () => {
  const keywords = asked({ _background: 1, path: [], lines: 1 }).issues.map(
    ({ keyword }) => keyword,
  );
  expect(keywords).toEqual(['meta', 'additionalProperties', 'type']);
});

test('one that the schema requires must be sent', () => {
  const requiring = objectOf({ path: text, _rationale: text }, ['path', '_rationale']);
  const issues = [{ keyword: 'required', path: '', key: '_rationale' }];
  expect(asked({ path: 'a' }, requiring)).toMatchObject({ status: 'rejected', issues });
  const sent = asked({ path: 'a', _rationale: 'b' }, requiring);
  expect(sent).toMatchObject({ ...unchanged({ path: 'a' }), meta: { rationale: 'b' } });
});

test('they are taken out of text, and of repaired and rejected calls', () => {
  const repaired = read(schema, "{'_rationale': 'x', 'Path': 'a'}", { meta });
  expect(repaired).toMatchObject({ ...repairedTo({ path: 'a' }), meta: { rationale: 'x' } });
  const rejected = asked({ _rationale: 'x', path: 5.5, limit: 3 });
  expect(rejected).toMatchObject({ status: 'rejected', meta: { rationale: 'x' } });
});

describe('the shape in a rejection', () => {
  const own = { path: text, o: closedOf({ n: whole }) };
  const requiring = objectOf({ ...own, _rationale: text }, ['path', '_rationale']);
  const standard = closedOf(own, ['path']);
  const others = '_timeout_seconds?: integer, _background?: boolean';
  const before = 'Expected: { path: string, o?: { n?: integer }';
  const below = 'Expected at o: { n?: integer }';
  const withMeta = (rationale: string) => `${before}, ${rationale}: string, ${others} }`;

  test.each<[string, Schema, object, string]>([
    [
      'has them if one is wrong',
      standard,
      { path: 'a', _background: 'yes' },
      withMeta('_rationale?'),
    ],
    [
      'has them if one is required',
      requiring,
      { path: [], _rationale: 'x' },
      withMeta('_rationale'),
    ],
    ['has none otherwise', standard, { path: [], _background: true }, `${before} }`],
    ['has none below the root', requiring, { path: 'a', o: { n: 'x' }, _rationale: 'x' }, below],
  ])('%s', (_title, of, sent, line) => {
    expect(messageOf(asked(sent, of)).split('\n')).toContain(line);
  });
});

describe('in an envelope', () => {
  const call = (sent: object) => ({ name: 'tool', arguments: sent });
  const why = { rationale: 'b' };
  const soon = call({ path: 'a', Timeout: 'soon' });

  test.each<[string, object, object]>([
    ['a key alone', { arguments: { path: 'a', _rationale: 'b' } }, why],
    ['a call', call({ path: 'a', Timeout: '5' }), { timeout_seconds: 5 }],
    ['beside a call', { ...call({ path: 'a' }), _rationale: 'b' }, why],
    [
      'both',
      { args: { path: 'a', _background: true }, _rationale: 'b' },
      { background: true, ...why },
    ],
    ['text', { arguments: '{"path": "a", "_rationale": "b"}' }, why],
    [
      'five envelopes',
      { args: { args: { args: { args: { args: { path: 'a', _rationale: 'b' } } } } } },
      why,
    ],
    ['null', { arguments: { path: 'a', _rationale: null } }, {}],
  ])('they are taken out: %s', (_title, sent, expected) => {
    for (const tool of [open, closedOf({ path: text, lines: whole }, ['path'])]) {
      const result = asked(sent, tool);
      expect(result).toMatchObject(repairedTo({ path: 'a' }));
      expect(result.meta).toStrictEqual(expected);
      expect(replayed(sent, result.repairs)).toMatchObject({ path: 'a' });
      expect(result.repairs.map(({ rule }) => rule)).toContain('unwrap_envelope');
    }
  });

  test('they are taken out behind a key that the tool has too', () => {
    const own = closedOf({ name: text, path: text }, ['path']);
    const sent = { id: 'c', ...call({ path: 'a', _rationale: 'b' }) };
    const repairs = [{ rule: 'unwrap_envelope' }, { rule: 'meta_key' }];
    expect(asked(sent, own)).toMatchObject({
      value: { path: 'a' },
      meta: { rationale: 'b' },
      repairs,
    });
  });

  test.each<[string, object, string, string]>([
    [
      'two,',
      { arguments: { path: 'a', timeout: 5 }, timeout: 5 },
      '/arguments/timeout',
      'duplicate_meta',
    ],
    [
      'twice',
      { arguments: { path: 'a', timeout: 5, Timeout: 5 } },
      '/arguments/Timeout',
      'duplicate_meta',
    ],
    ['a wrong value', { id: 'c', type: 'function', ...soon }, '/arguments/Timeout', 'meta'],
    [
      'a wrong one inside',
      { type: 'function', function: soon },
      '/function/arguments/Timeout',
      'meta',
    ],
  ])('%s are rejected where they were sent', (_title, sent, path, keyword) => {
    expect(asked(sent, open)).toMatchObject(rejectedAt(path, keyword));
  });

  test('they are rejected if repair is off', () => {
    for (const inner of [{ path: 'a' }, { path: 'a', _rationale: 'b' }])
      expect(
        readValue(schema, { arguments: inner }, { meta, tool: { repair: 'off' } }).status,
      ).toBe('rejected');
  });

  const anything = objectOf({ path: text });

  test.each([
    '{"arguments": {"path": "a", "_rationale": "b"}}',
    '{"name": "tool", "arguments": {"path": "a", "lines": 1.50, "_rationale": "b"}}',
    '{"arguments": "{\\"_rationale\\": \\"b\\"}"}',
  ])('a valid envelope can’t hold a canonical key: %s', (sent) => {
    expect(read(anything, sent, { meta })).toMatchObject({
      ...rejectedAt('/arguments/_rationale', 'misplaced_meta'),
      message: expect.stringContaining(
        'arguments._rationale cannot be used; send it next to the other arguments',
      ),
    });
  });

  const inBranch: Schema = {
    type: 'object',
    oneOf: [closedOf({ arguments: objectOf({}) }), closedOf({ path: text })],
  };
  test.each<[string, Schema, object]>([
    ['another spelling in a valid one', anything, { arguments: { path: 'a', rationale: 'b' } }],
    ['another key', anything, { other: { _rationale: 'b' } }],
    [
      'a declared key',
      objectOf({ arguments: objectOf({}), path: text }),
      { arguments: { _rationale: 'b' } },
    ],
    ['a key of a branch', inBranch, { arguments: { path: 'a', _rationale: 'b' } }],
  ])('%s is data', (_title, tool, value) => {
    expect(asked(value, tool)).toMatchObject({ ...unchanged(value), meta: {} });
  });
});

test.each<[string, Schema]>([
  ['as a property', closedOf({ timeout: whole })],
  [
    'behind a reference',
    { type: 'object', $ref: '#/$defs/A', $defs: { A: objectOf({ timeout: whole }) } },
  ],
  ['in allOf', { type: 'object', allOf: [objectOf({ timeout: whole })] }],
  [
    'in a branch',
    { type: 'object', anyOf: [objectOf({ timeout: whole }), objectOf({ other: whole })] },
  ],
  ['as an alias', objectOf({ limit: { ...whole, 'x-toolmend': { aliases: ['timeout'] } } })],
  ['in another spelling', objectOf({ time_out: whole, Timeout: whole })],
])('a key that the tool declares is the tool’s: %s', (_title, own) => {
  const result = asked({ timeout: 5, _timeout_seconds: 9 }, own);
  expect(result.meta).toStrictEqual({ timeout_seconds: 9 });
  expect(Object.values(Object(valueOf(result)))).toContain(5);
});

test('numbers beside them keep their digits', () => {
  const sent = '{"path": "a", "lines": 5.0, "Timeout": 5}';
  expect(read(open, sent, { meta, output: 'json' })).toMatchObject({
    text: '{"path":"a","lines":5.0}',
  });
  const unsafe = '{"path": "a", "Timeout": 12345678901234567890, "_rationale": "b"}';
  expect(read(open, unsafe, { meta })).toMatchObject(rejectedAt('/Timeout'));
});

test('in a map, only canonical names are meta arguments', () => {
  const value = { TIMEOUT: '30', rationale: 'x' };
  const result = asked({ ...value, _rationale: 'y' }, mapOf(text));
  expect(result).toMatchObject({ ...unchanged(value), meta: { rationale: 'y' } });
});

describe('context fields', () => {
  const contract = {
    ...contractFromSchema({ inputSchema: schema }),
    contextFields: ['user', 'a/b'],
  };
  const removed = (path: string) => {
    const operations = [{ op: 'remove', path }];
    return { rule: 'context_field', path, was: 'a value', shownToModel: true, operations };
  };

  test('are removed with a record that doesn’t show what was sent', () => {
    const value = { path: 'x', 'a/b': 'secret', user: null };
    const repairs = [removed('/user'), removed('/a~1b')];
    expect(interpret(contract, { arguments: value })).toMatchObject({
      ...repairedTo({ path: 'x' }),
      repairs,
    });
  });

  test('are removed in any spelling, unless the tool accepts other spellings', () => {
    const sent = { USER: 'x', user: 'y', path: 'a' };
    expect(interpret(contract, { arguments: sent })).toMatchObject({ value: { path: 'a' } });
    const strict = { spellings: false };
    const anySpelling = contractFromSchema({ inputSchema: objectOf({ path: text }), strict });
    const repaired = { value: { USER: 'x', path: 'a' }, repairs: [removed('/user')] };
    const result = interpret({ ...anySpelling, contextFields: ['user'] }, { arguments: sent });
    expect(result).toMatchObject(repaired);
  });
});
