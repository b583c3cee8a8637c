import {
  pointerKeys,
  pointerTo,
  splitPointer,
  normalizeKey,
  sameValue,
  withKey,
} from '../../src/json/value.ts';

describe('folding', () => {
  test.each([
    'filePath',
    'file_path',
    'FILE-PATH',
    'file.path',
    ' file path ',
    '_filePath',
    '"filePath"',
    '`file_path`',
    '“file‘path',
  ])('%j is a spelling of filepath', (key) => {
    expect(normalizeKey(key)).toBe('filepath');
  });

  test.each([
    'file/path',
    'filePath?',
    'file[0]',
    'file,path',
    '@file',
    'file:path',
    'file\u0000path',
    'file\u200bpath',
    '',
    '_',
    ' - ',
    'x'.repeat(129),
  ])('%j is a spelling of nothing', (key) => {
    expect(normalizeKey(key)).toBeUndefined();
  });

  test('letters of all scripts keep their difference', () => {
    expect(normalizeKey('Größe')).toBe('größe');
    expect(normalizeKey('groesse')).not.toBe(normalizeKey('größe'));
    expect(normalizeKey('İd')).not.toBe(normalizeKey('id'));
  });
});

describe('pointers', () => {
  test.each<[readonly string[], string]>([
    [['a', '0', 'b'], '/a/0/b'],
    [['a/b', 'c~d'], '/a~1b/c~0d'],
    [['~1'], '/~01'],
    [[''], '/'],
    [['', ''], '//'],
  ])('%j is %j', (keys, pointer) => {
    expect(keys.reduce(pointerTo, '')).toBe(pointer);
    expect(pointerKeys(pointer)).toEqual(keys);
  });

  test('parent and key', () => {
    expect(splitPointer('/a/b~1c')).toEqual({ parent: '/a', key: 'b/c' });
    expect(splitPointer('/a')).toEqual({ parent: '', key: 'a' });
  });
});

describe('own keys', () => {
  test('a key that is set keeps its place among the others', () => {
    expect(JSON.stringify(withKey({ a: 1, b: 2 }, 'a', 3))).toBe('{"a":3,"b":2}');
  });
});

describe('sameness', () => {
  test.each<[unknown, unknown]>([
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [0, -0],
    [null, null],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ])('%j is %j', (left, right) => {
    expect(sameValue(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)))).toBe(true);
  });

  test.each<[string, string]>([
    ['1', '"1"'],
    ['[1,2]', '[2,1]'],
    ['[1]', '[1,null]'],
    ['[]', '{}'],
    ['{"a":null}', '{}'],
    ['{"a":1}', '{"b":1}'],
    ['{"__proto__":1}', '{"__proto__":2}'],
    ['{"toString":1}', '{"a":1}'],
    ['null', 'false'],
    ['null', '{}'],
  ])('%s is not %s', (left, right) => {
    expect(sameValue(JSON.parse(left), JSON.parse(right))).toBe(false);
  });
});
