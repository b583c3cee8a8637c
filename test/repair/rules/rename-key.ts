import { pointerTo } from '../../../src/json/pointers.ts';
import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { closedOf, objectOf, text, texts, whole } from '../../schemas.ts';

const file = closedOf({ filePath: text, limit: whole }, ['filePath']);
const only = objectOf({ filePath: text }, ['filePath']);
const moreMarkup = '</arg_value><arg_key>page</arg_key><arg_value>5';
const twiceMisspelt = ['required', 'misspelt', 'misspelt'];
const open = objectOf({ n: whole, b: whole });
const aliased = closedOf({
  paths: { ...texts, 'x-toolmend': { aliases: ['file_path', 'file'] } },
  mode: text,
});

const alias = (name: string) => ({ ...text, 'x-toolmend': { aliases: [name] } });

testRule('rename_key', {
  untouched: [
    { title: 'the declared key', schema: file, value: { filePath: 'a' } },
    {
      title: 'an undeclared key of an open object that resembles none',
      schema: objectOf({ filePath: text }),
      value: { other: 'a' },
    },
    {
      title: 'an undeclared key that is longer',
      schema: objectOf({ filePath: text }),
      value: { filePaths: 'a' },
    },
  ],
  repaired: [
    {
      title: 'text with markup',
      schema: closedOf({ aB: text }),
      sent: { a_b: '</parameter>' },
      becomes: { aB: '</parameter>' },
      repairs: '/a_b',
    },
    {
      title: 'a key of any value',
      schema: { type: 'object', properties: { aB: true } },
      sent: { a_b: 1 },
      becomes: { aB: 1 },
      repairs: '/a_b',
    },
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
    ].map((key) => ({
      title: `markup: ${key}`,
      schema: only,
      sent: { [key]: 'a' },
      becomes: { filePath: 'a' },
      repairs: pointerTo('', key),
    })),
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
    ].map((key) => ({
      title: `${key} for filePath`,
      schema: file,
      sent: { [key]: 'a' },
      becomes: { filePath: 'a' },
      repairs: `/${key}`,
    })),
    {
      title: 'in an open object',
      schema: objectOf({ aB: text }),
      sent: { a_b: 'a', x: 1 },
      becomes: { x: 1, aB: 'a' },
      repairs: '/a_b',
    },
    {
      title: 'an alias',
      schema: aliased,
      sent: { file_path: ['a'] },
      becomes: { paths: ['a'] },
      repairs: '/file_path',
    },
    {
      title: 'another spelling of an alias',
      schema: aliased,
      sent: { filePath: ['a'] },
      becomes: { paths: ['a'] },
      repairs: '/filePath',
    },
    {
      title: 'an alias and its key, equal',
      schema: aliased,
      sent: { paths: ['a'], file: ['a'] },
      becomes: { paths: ['a'] },
      repairs: '/file',
    },
    {
      title: 'an alias, respelt',
      schema: closedOf({ path: alias('Path') }),
      sent: { Path: 'a' },
      becomes: { path: 'a' },
      repairs: '/Path',
    },
    {
      title: 'two, the first with null',
      schema: closedOf({ aB: text }),
      sent: { AB: null, a_b: 'a' },
      becomes: { aB: 'a' },
      repairs: ['/AB', '/a_b'],
    },
    {
      title: 'two with null',
      schema: closedOf({ aB: text }),
      sent: { a_b: null, AB: null },
      becomes: {},
      repairs: ['/AB', '/a_b', 'drop_null /aB'],
    },
    {
      title:
        'not in an open object, where the value does not fit: what else is left out there changes nothing',
      schema: objectOf({ limit: whole, name: text }),
      sent: { Limit: 'many', name: null },
      becomes: { Limit: 'many' },
      repairs: 'drop_null /name',
    },
    {
      title: 'in an open object, null',
      schema: open,
      sent: { N: null, b: '5' },
      becomes: { b: 5 },
      repairs: ['/N', 'drop_null /n', 'text_to_integer /b'],
    },
  ],
  refused: [
    {
      title: 'markup, more of it',
      schema: only,
      sent: { 'filePath</arg_key>': 'a <parameter name="b">c' },
      issues: ['required', 'misspelt'],
    },
    ...[
      'filePath</other>',
      'filePaths</arg_key>',
      'FILEPATH</arg_key>',
      'x<arg_key>filePath',
      '<arg_key>filePath</arg_key>x',
    ].map((key) => ({
      title: `markup: ${key}`,
      schema: only,
      sent: { [key]: 'a' },
      issues: 'required',
    })),
    {
      title: 'markup, and more in the value',
      schema: only,
      sent: { 'filePath</arg_key>': `a${moreMarkup}` },
      issues: ['required', 'misspelt'],
    },
    {
      title: 'markup, twice',
      schema: only,
      sent: { 'filePath</arg_key>': 'a', 'filePath</parameter>': 'b' },
      issues: twiceMisspelt,
    },
    {
      title: 'markup beside the key',
      schema: objectOf({ a: text }, ['a']),
      sent: { 'a</arg_key>': 'x', a: 'y' },
      issues: 'misspelt',
    },
    {
      title: 'two different values',
      schema: closedOf({ aB: text }),
      sent: { a_b: 'a', AB: 'b' },
      issues: twoUnknown,
    },
    {
      title: 'the declared key and a spelling, different',
      schema: objectOf({ aB: text }),
      sent: { aB: 'a', a_b: 'b' },
      issues: 'misspelt',
    },
    {
      title: 'an alias of two keys',
      schema: closedOf({ a: alias('z'), b: alias('z') }),
      sent: { z: 'a' },
    },
    {
      title: 'a spelling that is another one’s alias',
      schema: closedOf({ aB: text, c: alias('a_b') }),
      sent: { a_b: 'a' },
    },
    { title: 'a value that does not fit', schema: file, sent: { file_path: 'a', LIMIT: 'many' } },
    {
      title: 'two with null, required',
      schema: closedOf({ aB: text }, ['aB']),
      sent: { a_b: null, AB: null },
      issues: missingAndUnknown,
    },
  ],
});
