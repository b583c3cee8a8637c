import { pointerTo } from '../../../src/json/value.ts';
import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { anyOf, closedOf, mapOf, objectOf, text, texts, whole } from '../../schemas.ts';

const file = closedOf({ filePath: text, limit: whole }, ['filePath']);
const aliased = closedOf({
  paths: { ...texts, 'x-toolmend': { aliases: ['file_path', 'file'] } },
  mode: text,
});

const alias = (name: string) => ({ ...text, 'x-toolmend': { aliases: [name] } });

testRule('rename_key', {
  untouched: [
    ['the declared key', file, { filePath: 'a' }],
    ['an undeclared key of an open object that resembles none', objectOf({ filePath: text }), { other: 'a' }],
    ['an undeclared key that is longer', objectOf({ filePath: text }), { filePaths: 'a' }],
    ['a key with another character', objectOf({ filePath: text }), { 'file/path': 'a', 'filePath?': 'b' }],
    ['keys of a map', mapOf(text), { filePath: 'a', file_path: 'b' }],
    ['keys of a map beside declared ones', { ...mapOf(text), properties: { aB: text } }, { a_b: 'b' }],
    ['keys by pattern', { ...objectOf({ aB: text }), patternProperties: { '^a': text } }, { a_b: 'b' }],
    ['two declared keys that fold to one', objectOf({ aB: text, a_b: text }), { 'a-b': 'a' }],
    ['in an open object, a value that does not fit the key', objectOf({ limit: whole }), { Limit: 'many' }],
    ['in an open object, an alias of an optional key', objectOf({ path: alias('file') }), { file: 'a' }],
  ],
  repaired: [
    ...[
      'filePath</arg_key>',
      'filePath<arg_key',
      'filePath</parameter>',
      '<arg_key>filePath</arg_key>',
      'parameter name="filePath"',
      '<parameter name="filePath">',
      '<parameter=filePath>',
      'parameter=filePath',
    ].map(
      (key) =>
        [
          `markup stuck to it: ${key}`,
          objectOf({ filePath: text }, ['filePath']),
          { [key]: 'a' },
          { filePath: 'a' },
          `rename_key ${pointerTo('', key)}`,
        ] as const,
    ),
    [
      'not in an open object, where the value does not fit: what else is left out there changes nothing',
      objectOf({ limit: whole, name: text }),
      { Limit: 'many', name: null },
      { Limit: 'many' },
      'drop_null /name',
    ],
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
    ].map((key) => [`${key} for filePath`, file, { [key]: 'a' }, { filePath: 'a' }, `/${key}`] as const),
    ['in an open object', objectOf({ aB: text }), { a_b: 'a', x: 1 }, { x: 1, aB: 'a' }, '/a_b'],
    ['an alias', aliased, { file_path: ['a'] }, { paths: ['a'] }, '/file_path'],
    ['another spelling of an alias', aliased, { filePath: ['a'] }, { paths: ['a'] }, '/filePath'],
    ['repair goes on inside', aliased, { file: 'a' }, { paths: ['a'] }, '/file, wrap_in_array /paths'],
    ['two spellings, equal', closedOf({ aB: text }), { a_b: 'a', AB: 'a' }, { aB: 'a' }, '/AB, /a_b'],
    ['an alias and its key, equal', aliased, { paths: ['a'], file: ['a'] }, { paths: ['a'] }, '/file'],
    ['a value of a map', mapOf(file), { a: { file_path: 'b' } }, { a: { filePath: 'b' } }, '/a/file_path'],
    [
      'in the one branch of a union that declares it',
      'target',
      anyOf(file, closedOf({ url: text }, ['url'])),
      { URL: 'x' },
      { url: 'x' },
      '/target/URL',
    ],
    ['of a required key', objectOf({ path: alias('file') }, ['path']), { file: 'a' }, { path: 'a' }, '/file'],
    ['an alias, respelt', closedOf({ path: alias('Path') }), { Path: 'a' }, { path: 'a' }, '/Path'],
    ['two, the first with null', closedOf({ aB: text }), { AB: null, a_b: 'a' }, { aB: 'a' }, '/AB, /a_b'],
    ['two, the second with null', closedOf({ aB: text }), { a_b: 'a', AB: null }, { aB: 'a' }, '/AB, /a_b'],
    ['the declared key with null', closedOf({ aB: text }), { aB: null, a_b: 'a' }, { aB: 'a' }, '/aB, /a_b'],
    ['two with null', closedOf({ aB: text }), { a_b: null, AB: null }, {}, '/AB, /a_b, drop_null /aB'],
    [
      'in an open object, null',
      objectOf({ n: whole, b: whole }),
      { N: null, b: '5' },
      { b: 5 },
      '/N, drop_null /n, text_to_integer /b',
    ],
  ],
  refused: [
    ...[{ 'file</other>': 'a' }, { 'files</arg_key>': 'a' }, { 'FILE</arg_key>': 'a' }].map(
      (sent) =>
        [`markup: ${JSON.stringify(sent)}`, objectOf({ file: text }, ['file']), sent, 'required'] as const,
    ),
    ...[
      { 'file</arg_key>': 'a</arg_value><arg_key>page</arg_key><arg_value>5' },
      { 'file</arg_key>': 'a', 'file</parameter>': 'b' },
    ].map(
      (sent) =>
        [
          `markup: ${JSON.stringify(sent)}`,
          objectOf({ file: text }, ['file']),
          sent,
          ['required', ...Object.keys(sent).map(() => 'misspelt')].join(', '),
        ] as const,
    ),
    ['markup beside the key', objectOf({ a: text }, ['a']), { 'a</arg_key>': 'x', a: 'y' }, 'misspelt'],
    ['two different values', closedOf({ aB: text }), { a_b: 'a', AB: 'b' }, twoUnknown],
    ['the declared key and a spelling, different', objectOf({ aB: text }), { aB: 'a', a_b: 'b' }, 'misspelt'],
    ['an alias and its key, different', aliased, { paths: ['a'], file: ['b'] }],
    ['a name that is only like it', file, { file_pth: 'a' }, missingAndUnknown],
    ['another name for it', file, { location: 'a' }, missingAndUnknown],
    ['two declared keys that fold to one', closedOf({ aB: text, a_b: text }), { 'a-b': 'a' }],
    [
      'an alias of two keys',
      closedOf({ a: { 'x-toolmend': { aliases: ['z'] } }, b: { 'x-toolmend': { aliases: ['z'] } } }),
      { z: 'a' },
    ],
    ['a value that does not fit', file, { file_path: 'a', LIMIT: 'many' }],
    ['a spelling that is another one’s alias', closedOf({ aB: text, c: alias('a_b') }), { a_b: 'a' }],
    ['two with null, required', closedOf({ aB: text }, ['aB']), { a_b: null, AB: null }, missingAndUnknown],
    [
      'two spellings, one with a null that may stand there',
      closedOf({ filePath: { type: ['string', 'null'] } }),
      { file_path: 'a', FilePath: null },
      twoUnknown,
    ],
  ],
});
