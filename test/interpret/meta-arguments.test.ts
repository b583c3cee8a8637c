// Are arguments about the call taken out, refused where they are unclear, and never taken from a tool that declares them?
import { type Interpretation, interpretArguments } from 'toolmend';
import { deepFrozen } from '../repair/deep-frozen.ts';
import { closedOf, objectOf, type Schema, text, whole } from '../repair/sample-schemas.ts';

const schema = closedOf({ path: text }, ['path']);
const asked = (value: object, of: Schema = schema): Interpretation =>
  interpretArguments(of, { value: deepFrozen(value) }, { meta: true });

test('off, they are unknown keys', () => {
  expect(interpretArguments(schema, { value: { path: 'a', _rationale: 'b' } })).toMatchObject({
    outcome: 'rejected',
  });
});

test('without any, the value comes back by identity', () => {
  const value = { path: 'a' };
  expect(Reflect.get(asked(value), 'value')).toBe(value);
});

test('the canonical keys are taken out of a call that stays unchanged', () => {
  expect(asked({ _rationale: 'to see', path: 'a', _timeout_seconds: 30, _background: true })).toMatchObject({
    outcome: 'unchanged',
    value: { path: 'a' },
    meta: { rationale: 'to see', timeout_seconds: 30, background: true },
    repairs: [],
  });
});

describe('spellings', () => {
  test.each([
    ['rationale', 'x', { rationale: 'x' }],
    ['Rationale', 'x', { rationale: 'x' }],
    ['timeoutSeconds', 5, { timeout_seconds: 5 }],
    ['timeout', 5, { timeout_seconds: 5 }],
    ['_TIMEOUT', 5, { timeout_seconds: 5 }],
    ['background', false, { background: false }],
  ])('%s', (key, value, meta) => {
    expect(asked({ path: 'a', [key]: value })).toMatchObject({
      outcome: 'repaired',
      value: { path: 'a' },
      meta,
      repairs: [{ rule: 'meta_key', path: `/${key}`, operations: [{ op: 'remove', path: `/${key}` }] }],
    });
  });

  test('a tool keeps what it declares', () => {
    const own = closedOf({ path: text, timeout: whole });
    expect(asked({ path: 'a', timeout: 5 }, own)).toMatchObject({
      outcome: 'unchanged',
      value: { timeout: 5 },
      meta: {},
    });
    expect(asked({ path: 'a', timeout: 5, _timeout_seconds: 9 }, own)).toMatchObject({
      value: { path: 'a', timeout: 5 },
      meta: { timeout_seconds: 9 },
    });
  });
});

describe('values', () => {
  test.each([
    [{ _timeout_seconds: 300.0 }, { timeout_seconds: 300 }],
    [{ _timeout_seconds: '300' }, { timeout_seconds: 300 }],
    [{ _timeout_seconds: ' 300.0 ' }, { timeout_seconds: 300 }],
    [{ _background: 'true' }, { background: true }],
    [{ _rationale: null }, {}],
    [{ _timeout_seconds: null, _background: null }, {}],
  ])('%j', (sent, meta) => {
    const result = asked({ path: 'a', ...sent });
    expect(result).toMatchObject({ value: { path: 'a' } });
    expect(result.meta).toStrictEqual(meta);
  });

  test.each([
    [{ _timeout_seconds: 0 }, '/_timeout_seconds'],
    [{ _timeout_seconds: -5 }, '/_timeout_seconds'],
    [{ _timeout_seconds: 1.5 }, '/_timeout_seconds'],
    [{ _timeout_seconds: '5s' }, '/_timeout_seconds'],
    [{ _timeout_seconds: '' }, '/_timeout_seconds'],
    [{ _timeout_seconds: true }, '/_timeout_seconds'],
    [{ timeout: [5] }, '/timeout'],
    [{ _rationale: '' }, '/_rationale'],
    [{ _rationale: ' ' }, '/_rationale'],
    [{ _rationale: 5 }, '/_rationale'],
    [{ _background: 'yes' }, '/_background'],
    [{ _background: 1 }, '/_background'],
  ])('%j is refused in the spelling that was sent', (sent, path) => {
    const result = asked({ path: 'a', ...sent });
    expect(result).toMatchObject({ outcome: 'rejected', meta: {}, issues: [{ keyword: 'meta', path }] });
    expect(Reflect.get(result, 'message')).toContain(`- ${path.slice(1)} can’t be used: expected`);
  });

  test.each([
    { _timeout_seconds: 5, timeout: 5 },
    { timeout: 5, Timeout_Seconds: 6 },
    { _rationale: 'a', rationale: 'b' },
  ])('two keys for one, %j, are refused before anything else', (sent) => {
    expect(asked({ wrong: true, ...sent })).toMatchObject({
      outcome: 'rejected',
      issues: [{ keyword: 'meta' }],
    });
  });
});

test('one that the schema requires must have come', () => {
  const requiring = objectOf({ path: text, _rationale: text }, ['path', '_rationale']);
  expect(asked({ path: 'a' }, requiring)).toMatchObject({
    outcome: 'rejected',
    issues: [{ keyword: 'required', path: '', key: '_rationale' }],
  });
  expect(asked({ path: 'a', _rationale: 'b' }, requiring)).toMatchObject({
    outcome: 'unchanged',
    value: { path: 'a' },
    meta: { rationale: 'b' },
  });
});

test('they are taken out of text, and of a call that is repaired', () => {
  const result = interpretArguments(schema, { text: "{'_rationale': 'x', 'Path': 'a'}" }, { meta: true });
  expect(result).toMatchObject({ outcome: 'repaired', value: { path: 'a' }, meta: { rationale: 'x' } });
});

test('a rejected call keeps what it said about itself', () => {
  expect(asked({ _rationale: 'x', path: 5.5, limit: 3 })).toMatchObject({
    outcome: 'rejected',
    meta: { rationale: 'x' },
  });
});
