import { pointerTo } from '../../../src/json/pointers.ts';
import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { closedOf, objectOf, text, texts, whole } from '../../schemas.ts';

const file = closedOf({ filePath: text, limit: whole }, ['filePath']);
const only = objectOf({ filePath: text }, ['filePath']);
const moreMarkup = '</arg_value><arg_key>page</arg_key><arg_value>5';
const twiceMisspelt = 'required, misspelt, misspelt';
const open = objectOf({ n: whole, b: whole });
const aliased = closedOf({
  paths: { ...texts, 'x-toolmend': { aliases: ['file_path', 'file'] } },
  mode: text,
});

const alias = (name: string) => ({ ...text, 'x-toolmend': { aliases: [name] } });

testRule('rename_key', {
  untouched: [
    ['the declared key', file, { filePath: 'a' }],
    [
      'an undeclared key of an open object that resembles none',
      objectOf({ filePath: text }),
      { other: 'a' },
    ],
    ['an undeclared key that is longer', objectOf({ filePath: text }), { filePaths: 'a' }],
  ],
  repaired: [
    [
      'text with markup',
      closedOf({ aB: text }),
      { a_b: '</parameter>' },
      { aB: '</parameter>' },
      '/a_b',
    ],
    [
      'a key of any value',
      { type: 'object', properties: { aB: true } },
      { a_b: 1 },
      { aB: 1 },
      '/a_b',
    ],
    ...[
      'filePath</arg_key>',
      'filePath<arg_key',
      'filePath</parameter>',
      '<arg_key>filePath</arg_key>',
      '<arg_key>filePath',
      ' \n<arg_key> \tfilePath \t</arg_key \n',
      'parameter name="filePath"',
      '<parameter name="filePath">',
      '<parameter=filePath>',
      'parameter=filePath',
    ].map(
      (key) =>
        [`markup: ${key}`, only, { [key]: 'a' }, { filePath: 'a' }, pointerTo('', key)] as const,
    ),
    ...[
      'file_path',
      'FilePath',
      'FILEPATH',
      'file-path',
      'file.path',
      'file path',
      '_filePath',
      '"filePath"',
      ' filePath ',
      '‘file_path’',
    ].map(
      (key) => [`${key} for filePath`, file, { [key]: 'a' }, { filePath: 'a' }, `/${key}`] as const,
    ),
    ['in an open object', objectOf({ aB: text }), { a_b: 'a', x: 1 }, { x: 1, aB: 'a' }, '/a_b'],
    ['an alias', aliased, { file_path: ['a'] }, { paths: ['a'] }, '/file_path'],
    ['another spelling of an alias', aliased, { filePath: ['a'] }, { paths: ['a'] }, '/filePath'],
    [
      'an alias and its key, equal',
      aliased,
      { paths: ['a'], file: ['a'] },
      { paths: ['a'] },
      '/file',
    ],
    ['an alias, respelt', closedOf({ path: alias('Path') }), { Path: 'a' }, { path: 'a' }, '/Path'],
    [
      'two, the first with null',
      closedOf({ aB: text }),
      { AB: null, a_b: 'a' },
      { aB: 'a' },
      '/AB, /a_b',
    ],
    [
      'two with null',
      closedOf({ aB: text }),
      { a_b: null, AB: null },
      {},
      '/AB, /a_b, drop_null /aB',
    ],
    [
      'not in an open object, where the value does not fit: what else is left out there changes nothing',
      objectOf({ limit: whole, name: text }),
      { Limit: 'many', name: null },
      { Limit: 'many' },
      'drop_null /name',
    ],
    [
      'in an open object, null',
      open,
      { N: null, b: '5' },
      { b: 5 },
      '/N, drop_null /n, text_to_integer /b',
    ],
  ],
  refused: [
    [
      'markup, more of it',
      only,
      { 'filePath</arg_key>': 'a <parameter name="b">c' },
      'required, misspelt',
    ],
    ...[
      'filePath</other>',
      'filePaths</arg_key>',
      'FILEPATH</arg_key>',
      'x<arg_key>filePath',
      '<arg_key>filePath</arg_key>x',
    ].map((key) => [`markup: ${key}`, only, { [key]: 'a' }, 'required'] as const),
    [
      'markup, and more in the value',
      only,
      { 'filePath</arg_key>': `a${moreMarkup}` },
      'required, misspelt',
    ],
    [
      'markup, twice',
      only,
      { 'filePath</arg_key>': 'a', 'filePath</parameter>': 'b' },
      twiceMisspelt,
    ],
    [
      'markup beside the key',
      objectOf({ a: text }, ['a']),
      { 'a</arg_key>': 'x', a: 'y' },
      'misspelt',
    ],
    ['two different values', closedOf({ aB: text }), { a_b: 'a', AB: 'b' }, twoUnknown],
    [
      'the declared key and a spelling, different',
      objectOf({ aB: text }),
      { aB: 'a', a_b: 'b' },
      'misspelt',
    ],
    ['an alias of two keys', closedOf({ a: alias('z'), b: alias('z') }), { z: 'a' }],
    [
      'a spelling that is another one’s alias',
      closedOf({ aB: text, c: alias('a_b') }),
      { a_b: 'a' },
    ],
    ['a value that does not fit', file, { file_path: 'a', LIMIT: 'many' }],
    [
      'two with null, required',
      closedOf({ aB: text }, ['aB']),
      { a_b: null, AB: null },
      missingAndUnknown,
    ],
  ],
});
