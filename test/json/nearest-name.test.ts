import { nearestName, nearestNames } from '../../src/json/nearest-name.ts';
import { costOf } from '../cost.ts';

const tools = [
  'read_files',
  'list_directory',
  'search_text',
  'edit_file',
  'write_file',
  'run_command',
];

describe('nearestName', () => {
  it.each([
    ['too far for a short name', 'id', ['at', 'x']],
    ['two equally near', 'write_fil', ['write_file', 'write_fill']],
    ['an empty name', '', tools],
    ['names without letters', '-', ['_']],
    ['one letter', 'a', ['b', 'c']],
    ['letters that are not exchanged', 'abl', ['cal', 'bcl']],
    ['the opposite in one word', 'equals', ['notEquals']],
    ['a short word in a longer name', 'no', ['no_such_thing_at_all']],
    ['longer than any name', 'read_files'.repeat(50), tools],
    ['two names', 'open, closed', ['open', 'closed']],
    ['the opposite', 'equals', ['not_equals']],
  ])('suggests nothing: %s', (_title, name, names) => {
    expect(nearestName(name, names)).toBeUndefined();
  });

  it.each([
    ['a letter is missing', 'read_file', tools, 'read_files'],
    ['a letter is too many', 'run_commandd', tools, 'run_command'],
    ['a letter is another', 'edit_fila', tools, 'edit_file'],
    ['two letters are exchanged', 'raed_files', tools, 'read_files'],
    ['two letters of a short name are exchanged', 'fiel', ['file', 'path'], 'file'],
    ['a word begins like a denial', 'nodee', ['node'], 'node'],
    ['a word ends like a denial', 'pianoo', ['piano'], 'piano'],
    ['case and separators do not count', 'LISTDirectoryy', tools, 'list_directory'],
    ['a surplus word before', 'functions.read_files', tools, 'read_files'],
    ['a surplus word behind', 'search_text_tool', tools, 'search_text'],
    ['a word too few', 'path', ['file_path', 'limit'], 'file_path'],
    ['one name twice is no tie', 'read_fil', ['read_file', 'read_file'], 'read_file'],
    ['a nearer one stands before others', 'old_strin', ['old_string', 'new_string'], 'old_string'],
    ['not only in ASCII', 'größ', ['größe', 'farbe'], 'größe'],
  ])('suggests one: %s', (_title, name, names, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });
});

describe('nearestNames', () => {
  it('is up to three, nearest first', () => {
    expect(nearestNames('abcdefghi', ['abcxyzghi', 'abcdefghx', 'xxxxxx', 'abcdefxyi'])).toEqual([
      'abcdefghx',
      'abcdefxyi',
      'abcxyzghi',
    ]);
  });

  it('names that are equally near come all together or not at all', () => {
    expect(nearestNames('file', ['fila', 'filb', 'filc'])).toEqual(['fila', 'filb', 'filc']);
    expect(nearestNames('file', ['fila', 'filb', 'filc', 'fild'])).toEqual([]);
    expect(nearestNames('abcdefghi', ['abcdefghx', 'abcdefxx', 'abcdefyy', 'abcdefzz'])).toEqual([
      'abcdefghx',
    ]);
  });

  it('a thousand long names cost little', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${'ab'.repeat(30)}${index}`);
    expect(costOf(() => nearestNames('ba'.repeat(32), names)).cost).toBeLessThan(200);
  });
});
