import { type RepairedRow, testRule } from '../rule-case.ts';
import { anyOf, listOf, nothing, objectOf, recordOf, text } from '../sample-schemas.ts';

const path = { type: 'string', 'x-toolmend': { semantic: 'path' } } as const;

testRule({
  untouched: [
    ['a path', objectOf({ target: path }), { target: 'src/a.ts' }],
    ['a link where text is declared', objectOf({ body: text }), { body: '[a.ts](http://a.ts)' }],
    ['a link in a sentence', objectOf({ target: path }), { target: 'see [a.ts](http://a.ts)' }],
    ['two links', objectOf({ target: path }), { target: '[a.ts](http://a.ts)[b.ts](http://b.ts)' }],
    ['a link whose text is another one', objectOf({ target: path }), { target: '[safe.txt](/etc/passwd)' }],
    [
      'a link whose text is only the end of a name',
      objectOf({ target: path }),
      { target: '[a.ts](http://data.ts)' },
    ],
    ['a link whose text differs in case', objectOf({ target: path }), { target: '[A.ts](http://a.ts)' }],
    [
      'a name of routes in a Next.js project',
      objectOf({ target: path }),
      { target: 'app/[id](modal)/page.tsx' },
    ],
    [
      'verbatim text',
      objectOf({ target: { type: 'string', 'x-toolmend': { semantic: 'path', verbatim: true } } }),
      { target: '[a.ts](http://a.ts)' },
    ],
    [
      'a name of a path that is tagged as something else',
      objectOf({ file: { type: 'string', 'x-toolmend': { semantic: 'content' } } }),
      { file: '[a.ts](http://a.ts)' },
    ],
    [
      'a name whose last word is none of a path',
      objectOf({ path_description: text }),
      { path_description: '[a.ts](http://a.ts)' },
    ],
    ['an undeclared key', objectOf({ a: text }), { path: '[a.ts](http://a.ts)' }],
  ],
  repaired: [
    [
      'the address is the text with a protocol',
      objectOf({ target: path }),
      { target: '[a.ts](http://a.ts)' },
      { target: 'a.ts' },
      'md_link_to_path /target',
    ],
    [
      'alone where a list of paths is declared',
      objectOf({ targets: listOf(path) }),
      { targets: '[a.ts](http://a.ts)' },
      { targets: ['a.ts'] },
      ['wrap_in_array /targets', 'md_link_to_path /targets/0'],
    ],
    [
      'the address is the text',
      objectOf({ target: path }),
      { target: '[src/a.ts](src/a.ts)' },
      { target: 'src/a.ts' },
      'md_link_to_path /target',
    ],
    [
      'the address ends in a slash and the text',
      objectOf({ target: path }),
      { target: '[a.ts](https://host/src/a.ts)' },
      { target: 'a.ts' },
      'md_link_to_path /target',
    ],
    [
      'blanks around the link',
      objectOf({ target: path }),
      { target: ' [a.ts](http://a.ts)\n' },
      { target: 'a.ts' },
      'md_link_to_path /target',
    ],
    ...[
      'path',
      'file',
      'filePath',
      'FILE_PATH',
      'output-dir',
      'folders',
      'target.directory',
      'fileName',
      'Directories',
    ].map(
      (name) =>
        [
          `a parameter called ${name}`,
          objectOf({ [name]: text }),
          { [name]: '[a.ts](http://a.ts)' },
          { [name]: 'a.ts' },
          `md_link_to_path /${name}`,
        ] as const,
    ),
    [
      'elements of a list of paths',
      objectOf({ paths: listOf(text) }),
      { paths: ['b.ts', '[a.ts](http://a.ts)'] },
      { paths: ['b.ts', 'a.ts'] },
      'md_link_to_path /paths/1',
    ],
    [
      'elements of a list that is tagged',
      objectOf({ targets: listOf(text, { 'x-toolmend': { semantic: 'path' } }) }),
      { targets: ['[a.ts](http://a.ts)'] },
      { targets: ['a.ts'] },
      'md_link_to_path /targets/0',
    ],
    ...[anyOf(path, listOf(path)), anyOf(listOf(path), path)].map((either, at): RepairedRow => [
      `a link where a path or a list may stand, ${at}`,
      objectOf({ target: either }),
      { target: '[a.ts](http://a.ts)' },
      { target: 'a.ts' },
      'md_link_to_path /target',
    ]),
    [
      'the older tag of other servers',
      objectOf({ target: { type: 'string', 'x-dirge-kind': 'path' } }),
      { target: '[a.ts](http://a.ts)' },
      { target: 'a.ts' },
      'md_link_to_path /target',
    ],
    [
      'hints of other servers, of a kind of path',
      objectOf({ target: { type: 'string', 'dirge-hints': { semantic: 'file_path' } } }),
      { target: '[a.ts](http://a.ts)' },
      { target: 'a.ts' },
      'md_link_to_path /target',
    ],
    [
      'beside null in a union',
      objectOf({ path: anyOf(text, nothing) }),
      { path: '[a.ts](http://a.ts)' },
      { path: 'a.ts' },
      'md_link_to_path /path',
    ],
    [
      'in an object in a list',
      objectOf({ edits: listOf(objectOf({ path: text })) }),
      { edits: [{ path: '[a.ts](http://a.ts)' }] },
      { edits: [{ path: 'a.ts' }] },
      'md_link_to_path /edits/0/path',
    ],
    [
      'in a map, behind a reference',
      objectOf({ edits: recordOf({ $ref: '#/$defs/edit' }) }, [], {
        $defs: { edit: objectOf({ path: text }) },
      }),
      { edits: { first: { path: '[a.ts](http://a.ts)' } } },
      { edits: { first: { path: 'a.ts' } } },
      'md_link_to_path /edits/first/path',
    ],
  ],
  refused: [
    [
      'a path that is a list',
      objectOf({ path: text }),
      { path: ['[a.ts](http://a.ts)', 'b.ts'] },
      ['type /path', 'path /path/0'],
    ],
    [
      'what the link shows does not fit',
      objectOf({ path: { type: 'string', pattern: '^/' } }),
      { path: '[a.ts](http://a.ts)' },
      ['pattern /path', 'path /path'],
    ],
  ],
});
