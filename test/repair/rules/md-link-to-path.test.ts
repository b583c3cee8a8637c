import { type RepairedRow, testRule } from '../rule-case.ts';
import { anyOf, listOf, text, texts } from '../../schemas.ts';

const annotated = { 'x-toolmend': { semantic: 'path' } } as const;
const path = { ...text, ...annotated };

testRule('md_link_to_path', {
  untouched: [
    ['a path', 'target', path, 'src/a.ts'],
    ['a link where text is declared', 'body', text, '[a.ts](http://a.ts)'],
    ['a link in a sentence', 'target', path, 'see [a.ts](http://a.ts)'],
  ],
  repaired: [
    [
      'another text',
      'target',
      { ...path, enum: ['a.ts'] },
      '"a.ts"',
      'a.ts',
      'enum_spelling /target',
    ],
    ['the address is the text with a protocol', 'target', path, '[a.ts](http://a.ts)', 'a.ts'],
    [
      'for a list',
      'to',
      listOf(path),
      '[{a}.ts](http://{a}.ts)',
      ['{a}.ts'],
      'wrap_in_array /to, /to/0',
    ],
    [
      'in lists of paths',
      'to',
      listOf(texts, annotated),
      [['[a.ts](http://a.ts)']],
      [['a.ts']],
      '/to/0/0',
    ],
    ['the address is the text', 'target', path, '[src/a.ts](src/a.ts)', 'src/a.ts'],
    ...[
      ...'path file filePath FILE_PATH output-dir folders target.directory fileName'.split(' '),
      ...'Directories'.split(' '),
    ].map(
      (name) => [`a parameter called ${name}`, name, text, '[a.ts](http://a.ts)', 'a.ts'] as const,
    ),
    ...[anyOf(path, listOf(path)), anyOf(listOf(path), path)].map((either, at): RepairedRow => [
      `a link where a path or a list may stand, ${at}`,
      'target',
      either,
      '[a.ts](http://a.ts)',
      'a.ts',
    ]),
  ],
  refused: [
    [
      'a path that is a list',
      'path',
      text,
      ['[a.ts](http://a.ts)', 'b.ts'],
      'type /path, path /path/0',
    ],
    [
      'no match',
      'path',
      { ...text, pattern: '^/' },
      '[a.ts](http://a.ts)',
      'pattern /path, path /path',
    ],
  ],
});
