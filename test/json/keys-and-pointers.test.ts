import { normalizeKey } from '../../src/json/key-spelling.ts';
import { pointerKeys, pointerTo, splitPointer } from '../../src/json/pointers.ts';
import { sameValue, withKey } from '../../src/json/value.ts';

test.each([
  'file/path',
  'filePath?',
  'file\u0000path',
  'file\u200bpath',
  '',
  ' - ',
  '-tag',
  '"-tag"',
  '---tag',
  'tag-',
  '.tag',
  'tag.',
  'x'.repeat(129),
])('%j is a spelling of no key', (key) => {
  expect(normalizeKey(key)).toBeUndefined();
});

test.each(['Tag', '_tag', 'tag_', 'ta-g', '--tag', ' "tag" '])('%j is a spelling of tag', (key) => {
  expect(normalizeKey(key)).toBe('tag');
});

test('letters of all scripts keep their difference', () => {
  expect(normalizeKey('Größe')).toBe('größe');
  expect(normalizeKey('groesse')).not.toBe(normalizeKey('größe'));
  expect(normalizeKey('İd')).not.toBe(normalizeKey('id'));
});

test.each<[readonly string[], string, string]>([
  [['a', '0', 'b'], '/a/0/b', '/a/0'],
  [['a/b', 'c~d'], '/a~1b/c~0d', '/a~1b'],
  [['~1'], '/~01', ''],
  [['', ''], '//', '/'],
])('the pointer to %j is %j', (keys, pointer, parent) => {
  expect(keys.reduce(pointerTo, '')).toBe(pointer);
  expect(pointerKeys(pointer)).toEqual(keys);
  expect(splitPointer(pointer)).toEqual({ parent, key: keys.at(-1) });
});

test('a key that is set keeps its place among the others', () => {
  expect(JSON.stringify(withKey({ a: 1, b: 2 }, 'a', 3))).toBe('{"a":3,"b":2}');
});

test.each<[string, string]>([
  ['{"a":1,"b":[2]}', '{"b":[2],"a":1}'],
  ['0', '-0'],
  ['{"__proto__":1}', '{"__proto__":1}'],
])('%s is the same as %s', (left, right) => {
  expect(sameValue(JSON.parse(left), JSON.parse(right))).toBe(true);
});

test.each<[string, string]>([
  ['1', '"1"'],
  ['[1,2]', '[2,1]'],
  ['[1]', '[1,null]'],
  ['[]', '{}'],
  ['{"a":null}', '{}'],
  ['{"__proto__":1}', '{"__proto__":2}'],
  ['{"toString":1}', '{"a":1}'],
  ['null', '{}'],
])('%s is not the same as %s', (left, right) => {
  expect(sameValue(JSON.parse(left), JSON.parse(right))).toBe(false);
});
