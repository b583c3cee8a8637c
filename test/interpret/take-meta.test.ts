// Arguments about a call: taken out, refused if they are unclear, and never taken from a tool that declares them.
import { interpret, type Interpretation, interpretArguments } from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { deepFrozen } from '../repair/deep-frozen.ts';
import { replayed } from '../repair/replay.ts';
import { closedOf, objectOf, recordOf, type Schema, text, whole } from '../repair/sample-schemas.ts';

const schema = closedOf({ path: text }, ['path']);
const asked = (value: object, of: Schema = schema): Interpretation =>
  interpretArguments(of, { value: deepFrozen(value) }, { meta: true });

test('off, they are unknown keys', () => {
  expect(interpretArguments(schema, { value: { path: 'a', _rationale: 'b' } }).status).toBe('rejected');
});

test('without any, the value comes back by identity', () => {
  const value = { path: 'a' };
  expect(Reflect.get(asked(value), 'value')).toBe(value);
});

test('the canonical keys are taken out of a call that stays unchanged', () => {
  expect(asked({ _rationale: 'to see', path: 'a', _timeout_seconds: 30, _background: true })).toMatchObject({
    status: 'unchanged',
    value: { path: 'a' },
    meta: { rationale: 'to see', timeout_seconds: 30, background: true },
    repairs: [],
  });
});

test.each([
  ['rationale', 'x', { rationale: 'x' }],
  ['Rationale', 'x', { rationale: 'x' }],
  ['timeoutSeconds', 5, { timeout_seconds: 5 }],
  ['timeout', 5, { timeout_seconds: 5 }],
  ['_TIMEOUT', 5, { timeout_seconds: 5 }],
  ['background', false, { background: false }],
])('%s is a spelling', (key, value, meta) => {
  const operations = [{ op: 'remove', path: `/${key}` }];
  expect(asked({ path: 'a', [key]: value })).toMatchObject({
    status: 'repaired',
    value: { path: 'a' },
    meta,
    repairs: [{ rule: 'meta_key', path: `/${key}`, tell: false, operations }],
    notes: [],
  });
});

describe('values', () => {
  test.each([
    [{ _timeout_seconds: 300.0 }, { timeout_seconds: 300 }],
    [{ _timeout_seconds: '300' }, { timeout_seconds: 300 }],
    [{ _timeout_seconds: '\t300.0 ' }, { timeout_seconds: 300 }],
    [{ timeout: [5] }, { timeout_seconds: 5 }],
    [{ _timeout_seconds: '' }, {}],
    [{ _background: ' TRUE ' }, { background: true }],
    [{ _background: ' False\n' }, { background: false }],
    [{ _rationale: ' why ' }, { rationale: ' why ' }],
    [{ _rationale: null, _timeout_seconds: null, _background: null }, {}],
  ])('%j', (sent, meta) => {
    const result = asked({ path: 'a', ...sent });
    expect(result).toMatchObject({ value: { path: 'a' } });
    expect(result.meta).toStrictEqual(meta);
  });

  test.each([
    [{ _timeout_seconds: 0 }, '/_timeout_seconds'],
    [{ _timeout_seconds: -5 }, '/_timeout_seconds'],
    [{ _timeout_seconds: 1.5 }, '/_timeout_seconds'],
    [{ _timeout_seconds: '5.01' }, '/_timeout_seconds'],
    [{ _timeout_seconds: '0x10' }, '/_timeout_seconds'],
    [{ timeout: 'soon' }, '/timeout'],
    [{ _rationale: ' ' }, '/_rationale'],
    [{ _rationale: 5 }, '/_rationale'],
    [{ _background: 'yes' }, '/_background'],
    [{ Background: 1 }, '/Background'],
  ])('%j is refused in the spelling that was sent', (sent, path) => {
    const result = asked({ path: 'a', ...sent });
    expect(result).toMatchObject({ status: 'rejected', meta: {}, issues: [{ keyword: 'meta', path }] });
    expect(Reflect.get(result, 'message')).toContain(`- ${path.slice(1)} cannot be used`);
  });

  test.each([
    { _timeout_seconds: 5, timeout: 5, _background: 1 },
    { timeout: 5, Timeout_Seconds: 6 },
    { _rationale: 'a', rationale: 'b' },
  ])('two keys for one, %j, are refused before anything else', (sent) => {
    const result = asked({ wrong: true, ...sent });
    expect(result).toMatchObject({ status: 'rejected', issues: [{ keyword: 'meta' }] });
    expect(result.issues).toHaveLength(1);
  });

  test('a wrong one is told together with what else is wrong', () => {
    expect(asked({ _background: 1, path: [], lines: 1 }).issues.map(({ keyword }) => keyword)).toEqual([
      'meta',
      'additionalProperties',
      'type',
    ]);
  });
});

test('one that the schema requires must have come', () => {
  const requiring = objectOf({ path: text, _rationale: text }, ['path', '_rationale']);
  expect(asked({ path: 'a' }, requiring)).toMatchObject({
    status: 'rejected',
    issues: [{ keyword: 'required', path: '', key: '_rationale' }],
  });
  expect(asked({ path: 'a', _rationale: 'b' }, requiring)).toMatchObject({
    status: 'unchanged',
    value: { path: 'a' },
    meta: { rationale: 'b' },
  });
});

test('they are taken out of text, of a call that is repaired, and of one that is rejected', () => {
  const result = interpretArguments(schema, { text: "{'_rationale': 'x', 'Path': 'a'}" }, { meta: true });
  expect(result).toMatchObject({ status: 'repaired', value: { path: 'a' }, meta: { rationale: 'x' } });
  expect(asked({ _rationale: 'x', path: 5.5, limit: 3 })).toMatchObject({
    status: 'rejected',
    meta: { rationale: 'x' },
  });
});

describe('the shape that a rejection shows', () => {
  const own = { path: text, o: closedOf({ n: whole }) };
  const requiring = objectOf({ ...own, _rationale: text }, ['path', '_rationale']);
  const others = '_timeout_seconds?: integer, _background?: boolean';

  test.each<[string, Schema, object, string]>([
    [
      'has them if one of them is wrong',
      closedOf(own, ['path']),
      { path: 'a', _background: 'yes' },
      `Expected: { path: string, o?: { n?: integer }, _rationale?: string, ${others} }`,
    ],
    [
      'has none if none is required and none is wrong',
      closedOf(own, ['path']),
      { path: [], _background: true },
      'Expected: { path: string, o?: { n?: integer } }',
    ],
    [
      'has them if one is required',
      requiring,
      { path: [], _rationale: 'x' },
      `Expected: { path: string, o?: { n?: integer }, _rationale: string, ${others} }`,
    ],
    [
      'of a location inside has none',
      requiring,
      { path: 'a', o: { n: 'x' }, _rationale: 'x' },
      'Expected at o: { n?: integer }',
    ],
  ])('%s', (_title, of, sent, line) => {
    expect(String(Reflect.get(asked(sent, of), 'message')).split('\n')).toContain(line);
  });
});

describe('in an envelope', () => {
  const open = objectOf({ path: text, lines: whole }, ['path']);

  test('without any of them, it is opened as if they were off', () => {
    const sent = { arguments: { path: 'a' } };
    expect(asked(sent, open)).toEqual(interpretArguments(open, { value: sent }));
  });

  test.each<[string, object, object]>([
    ['a key alone', { arguments: { path: 'a', _rationale: 'b' } }, { rationale: 'b' }],
    ['a call', { name: 'tool', arguments: { path: 'a', Timeout: '5' } }, { timeout_seconds: 5 }],
    ['beside it', { name: 'tool', arguments: { path: 'a' }, _rationale: 'b' }, { rationale: 'b' }],
    [
      'inside and beside it',
      { args: { path: 'a', _background: true }, _rationale: 'b' },
      { background: true, rationale: 'b' },
    ],
    ['text', { arguments: '{"path": "a", "_rationale": "b"}' }, { rationale: 'b' }],
    ['one in another', { arguments: { input: { path: 'a', _rationale: 'b' } } }, { rationale: 'b' }],
    ['null', { arguments: { path: 'a', _rationale: null } }, {}],
  ])('%s: taken out, the tool never sees it', (_title, sent, meta) => {
    for (const tool of [open, closedOf({ path: text, lines: whole }, ['path'])]) {
      const result = asked(sent, tool);
      expect(result).toMatchObject({ status: 'repaired', value: { path: 'a' } });
      expect(result.meta).toStrictEqual(meta);
      expect(replayed(sent, result.repairs)).toMatchObject({ path: 'a' });
      expect(result.repairs.map(({ rule }) => rule)).toContain('unwrap_envelope');
    }
  });

  test('behind a key of the call that the tool has too', () => {
    const own = closedOf({ name: text, path: text }, ['path']);
    const sent = { id: 'c', name: 'tool', arguments: { path: 'a', _rationale: 'b' } };
    expect(asked(sent, own)).toMatchObject({ value: { path: 'a' }, meta: { rationale: 'b' } });
  });

  test('numbers inside keep the digits that were sent', () => {
    const noted = objectOf({ path: text, note: text }, ['path', 'note']);
    const sent = '{"arguments": {"path": "a", "note": 1.50, "_timeout_seconds": 300.0}}';
    expect(interpretArguments(noted, { text: sent }, { meta: true })).toMatchObject({
      status: 'repaired',
      value: { path: 'a', note: '1.50' },
      meta: { timeout_seconds: 300 },
    });
  });

  const called = { name: 'tool', arguments: { path: 'a', Timeout: 'soon' } };

  test.each<[string, object, string]>([
    ['inside and beside', { arguments: { path: 'a', timeout: 5 }, timeout: 5 }, '/arguments/timeout'],
    ['two inside', { arguments: { path: 'a', timeout: 5, Timeout: 5 } }, '/arguments/Timeout'],
    ['a wrong value', { id: 'c', type: 'function', ...called }, '/arguments/Timeout'],
    ['a wrong value in a function', { type: 'function', function: called }, '/function/arguments/Timeout'],
  ])('%s: refused where it was sent', (_title, sent, path) => {
    expect(asked(sent, open)).toMatchObject({ status: 'rejected', issues: [{ keyword: 'meta', path }] });
  });

  test('a call that stays wrong is told as it was sent', () => {
    expect(asked({ arguments: { lines: 5, _rationale: 'b' } }, open)).toMatchObject({
      status: 'rejected',
      meta: { rationale: 'b' },
      issues: [{ keyword: 'required', path: '', key: 'path' }],
    });
  });

  test('an envelope that is valid as it is may not hold a canonical key', () => {
    const anything = objectOf({ path: text });
    for (const sent of [
      '{"arguments": {"path": "a", "_rationale": "b"}}',
      '{"name": "tool", "arguments": {"path": "a", "lines": 1.50, "_rationale": "b"}}',
      '{"arguments": "{\\"_rationale\\": \\"b\\"}"}',
    ]) {
      expect(interpretArguments(anything, { text: sent }, { meta: true })).toMatchObject({
        status: 'rejected',
        issues: [{ keyword: 'meta', path: '/arguments/_rationale' }],
        message: expect.stringContaining(
          'arguments._rationale cannot be used; send it next to the other arguments',
        ),
      });
    }
    for (const sent of [{ arguments: { path: 'a', rationale: 'b' } }, { other: { _rationale: 'b' } }])
      expect(asked(sent, anything)).toMatchObject({ status: 'unchanged', value: sent, meta: {} });
  });

  test('a tool’s own key of that name is not an envelope', () => {
    const own = objectOf({ arguments: objectOf({}), path: text });
    const inBranch = {
      type: 'object',
      oneOf: [closedOf({ arguments: objectOf({}) }), closedOf({ path: text })],
    };
    const value = { arguments: { path: 'a', _rationale: 'b' } };
    for (const tool of [own, inBranch as Schema])
      expect(asked(value, tool)).toMatchObject({ status: 'unchanged', value, meta: {} });
  });
});

describe('the tool keeps its own', () => {
  test.each<[string, Schema]>([
    ['property', closedOf({ timeout: whole })],
    ['behind a reference', { type: 'object', $ref: '#/$defs/A', $defs: { A: objectOf({ timeout: whole }) } }],
    ['in allOf', { type: 'object', allOf: [objectOf({ timeout: whole })] }],
    ['in a branch', { type: 'object', anyOf: [objectOf({ timeout: whole }), objectOf({ other: whole })] }],
    ['alias', objectOf({ limit: { ...whole, 'x-toolmend': { aliases: ['timeout'] } } })],
    ['in another spelling', objectOf({ time_out: whole, Timeout: whole })],
  ])('%s', (_title, own) => {
    const result = asked({ timeout: 5, _timeout_seconds: 9 }, own);
    expect(result.meta).toStrictEqual({ timeout_seconds: 9 });
    expect(Object.values(Reflect.get(result, 'value'))).toContain(5);
  });

  test('data in a map, but for canonical names', () => {
    const value = { TIMEOUT: '30', rationale: 'x' };
    expect(asked({ ...value, _rationale: 'y' }, recordOf(text))).toMatchObject({
      status: 'unchanged',
      value,
      meta: { rationale: 'y' },
    });
  });
});

describe('fields that the application sets', () => {
  const contract = { ...contractFromSchema({ inputSchema: schema }), contextFields: ['user', 'a/b'] };
  const removed = (path: string) => ({
    rule: 'context_field',
    path,
    was: 'a value',
    tell: true,
    operations: [{ op: 'remove', path }],
  });

  test('are taken out, with a record of each and not of what was sent', () => {
    const value = { path: 'x', 'a/b': 'secret', user: null };
    expect(interpret(contract, { arguments: value })).toMatchObject({
      status: 'repaired',
      value: { path: 'x' },
      repairs: [removed('/user'), removed('/a~1b')],
    });
  });

  test('come in any spelling, unless the tool takes every spelling as it is', () => {
    const sent = { USER: 'x', user: 'y', path: 'a' };
    expect(interpret(contract, { arguments: sent })).toMatchObject({ value: { path: 'a' } });
    const open = contractFromSchema({ inputSchema: objectOf({ path: text }), strict: { spellings: false } });
    expect(interpret({ ...open, contextFields: ['user'] }, { arguments: sent })).toMatchObject({
      value: { USER: 'x', path: 'a' },
      repairs: [removed('/user')],
    });
  });

  test('that were not sent leave the value as it is', () => {
    const value = { path: 'x' };
    expect(Reflect.get(interpret(contract, { arguments: value }), 'value')).toBe(value);
  });
});
