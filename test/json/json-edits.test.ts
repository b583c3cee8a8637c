import {
  editJson,
  jsonSlice,
  JsonSlices,
  sourceSlices,
  type JsonPath,
} from '../../src/json/json-edits.ts';
import { plainJson } from '../../src/json/parse.ts';
import { costOf } from '../cost.ts';

const text = '{ "a" : [1.0, {"b": "x\\"y", "c":null}] ,"d":12345678901234567890}';

test('several edits apply in one pass, in any order', () => {
  const edits = [
    { path: ['d'], text: '{}' },
    { path: ['a', 0], text: '2' },
    { path: ['a', 1, 'c'], text: '[3]' },
  ];
  expect(editJson(text, edits)).toBe('{ "a" : [2, {"b": "x\\"y", "c":[3]}] ,"d":{}}');
  expect(editJson(text, [])).toBe(text);
});

test.each<[string, string, JsonPath, string]>([
  ['one value is replaced', text, ['a', 1, 'b'], text.replace('"x\\"y"', '0')],
  ['the root is replaced', ' {"a":[1]} ', [], ' 0 '],
  [
    'each of repeated keys is replaced',
    '{"a":1,"b":2, "a" : [] }',
    ['a'],
    '{"a":0,"b":2, "a" : 0 }',
  ],
  ['a key that is written with escapes is found', '{"\\u0061":1}', ['a'], '{"\\u0061":0}'],
  [
    'values of all kinds are passed over',
    '[{"]":[1]},"[",[], 2\t,3]',
    [4],
    '[{"]":[1]},"[",[], 2\t,0]',
  ],
  ['an absent member is added to an empty object', '{"a":{ }}', ['a', 'b'], '{"a":{ "b":0}}'],
  ['an absent member is added behind others', '{"a":{"c":2 }}', ['a', 'b'], '{"a":{"c":2 ,"b":0}}'],
  ['an element is added to an empty list', '[]', [0], '[0]'],
  ['an element is added behind the last one', '{"a": [1 ] }', ['a', 1], '{"a": [1 ,0] }'],
  ['an element farther behind is not added', '[1]', [4], '[1]'],
  ['nothing is added to an absent container', '{"a":1}', ['b', 'c'], '{"a":1}'],
  ['nothing is added to a number', '{"a":1,"b":2}', ['a', 0], '{"a":1,"b":2}'],
])('%s', (_title, source, path, expectation) => {
  expect(editJson(source, [{ path, text: '0' }])).toBe(expectation);
});

test('several members and elements are added', () => {
  const edits = [['a', 'b'], ['a', 'c'], [0], [1], [2]].map((path) => ({ path, text: '0' }));
  expect(editJson('{"a":{}}', edits.slice(0, 2))).toBe('{"a":{"b":0,"c":0}}');
  expect(editJson('[1]', edits.slice(2))).toBe('[0,0,0]');
});

test.each<[JsonPath, string | undefined]>([
  [['a', 1], '{"b": "x\\"y", "c":null}'],
  [['a', 1, 'c'], 'null'],
  [['d'], '12345678901234567890'],
  [['e'], undefined],
  [['e', 'f'], undefined],
  [['a', 2], undefined],
])('the slice at %j is %j, as it is written', (path, slice) => {
  expect(jsonSlice(text, path)).toBe(slice);
});

test('20,000 slices of one text are read in one pass', () => {
  const slices = new JsonSlices(`[${'{"a":1.0},'.repeat(20_000)}{"a":2.0}]`);
  const { cost } = costOf(() => {
    for (let at = 0; at < 20_000; at += 1) slices.at([at, 'a']);
  });

  expect(slices.at([19_999, 'a'])).toBe('1.0');
  expect(slices.at([20_000])).toBe('{"a":2.0}');
  expect(cost).toBeLessThan(100);
});

test('each object has its slice of the source', () => {
  const source = ' { "a" : [ {"b": "}" , "c":1.0 } , [ { } ] ] , "\\u0064":{"e":[]},"f":null} ';
  const value = Object(plainJson(source));
  expect([...sourceSlices(source, value)]).toEqual([
    [value.a[0], '{"b": "}" , "c":1.0 }'],
    [value.a[1][0], '{ }'],
    [value.d, '{"e":[]}'],
    [value, source.trim()],
  ]);
});
