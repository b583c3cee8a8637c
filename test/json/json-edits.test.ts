import { editJson, jsonSlice } from '../../src/json/json-edits.ts';
import { plainJson } from '../../src/json/parse.ts';

const text = '{ "a" : [1.0, {"b": "x\\"y", "c":null}] ,"d":12345678901234567890}';

test('without edits, the text is the same', () => {
  expect(editJson(text, [])).toBe(text);
});

test('an edit replaces one value and leaves whitespace and the digits of numbers', () => {
  expect(editJson(text, [{ path: ['a', 1, 'b'], text: '"z"' }])).toBe(
    '{ "a" : [1.0, {"b": "z", "c":null}] ,"d":12345678901234567890}',
  );
});

test('several edits apply in one pass, in any order', () => {
  const edits = [
    { path: ['d'], text: '{}' },
    { path: ['a', 0], text: '2' },
    { path: ['a', 1, 'c'], text: '[3]' },
  ];
  expect(editJson(text, edits)).toBe('{ "a" : [2, {"b": "x\\"y", "c":[3]}] ,"d":{}}');
});

test('a member that is absent is added to its object', () => {
  expect(editJson('{"a":{}}', [{ path: ['a', 'b'], text: '1' }])).toBe('{"a":{"b":1}}');
  expect(editJson('{"a":{"c":2 }}', [{ path: ['a', 'b'], text: '1' }])).toBe('{"a":{"c":2 ,"b":1}}');
});

test('an edit below a container that is absent does nothing', () => {
  expect(editJson('{"a":1}', [{ path: ['b', 'c'], text: '1' }])).toBe('{"a":1}');
  expect(editJson('[1]', [{ path: [4], text: '1' }])).toBe('[1]');
});

test('elements behind the last one are added to their array', () => {
  const edits = [
    { path: ['a', 1], text: '2' },
    { path: ['a', 2], text: '{}' },
  ];
  expect(editJson('{"a": [1 ] }', edits)).toBe('{"a": [1 ,2,{}] }');
  expect(editJson('[]', [{ path: [0], text: '1' }])).toBe('[1]');
});

test('keys that are written with escapes are found', () => {
  expect(editJson('{"\\u0061":1}', [{ path: ['a'], text: '2' }])).toBe('{"\\u0061":2}');
});

test('a slice is the text of the value as it is written', () => {
  expect(jsonSlice(text, ['a', 1])).toBe('{"b": "x\\"y", "c":null}');
  expect(jsonSlice(text, ['d'])).toBe('12345678901234567890');
  expect(jsonSlice(text, ['e'])).toBeUndefined();
});

test('plainJson reads strict JSON only', () => {
  expect(plainJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(plainJson('{a:1}')).toBeUndefined();
});
