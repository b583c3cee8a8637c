import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, objectOf, recordOf, text, texts, whole } from '../sample-schemas.ts';

const edit = closedOf({ from: text, to: text }, ['from']);

testRule({
  untouched: [
    [
      'a list of objects with such a key',
      objectOf({ items: listOf(closedOf({ item: text })) }),
      { items: [{ item: 'a' }] },
    ],
    [
      'an object where an object is declared',
      objectOf({ names: closedOf({ item: texts }) }),
      { names: { item: ['a'] } },
    ],
    [
      'a union that takes the object',
      objectOf({ names: anyOf(texts, objectOf({ item: text })) }),
      { names: { item: 'a' } },
    ],
  ],
  repaired: [
    [
      'the name of the field',
      objectOf({ names: texts }),
      { names: { names: ['a', 'b'] } },
      { names: ['a', 'b'] },
      'keyed_object_to_array /names',
    ],
    [
      'the name of a list of lists, over the one element',
      objectOf({ names: listOf(texts) }),
      { names: { names: ['a'] } },
      { names: [['a']] },
      'keyed_object_to_array /names',
    ],
    [
      'the name of a list of lists, over their texts',
      objectOf({ names: listOf(texts) }),
      { names: { names: ['["a"]', '"[]"'] } },
      { names: [['a'], []] },
      [
        'keyed_object_to_array /names',
        'json_text_to_array /names/0',
        'json_text_to_array /names/1',
        'json_text_to_array /names/1',
      ],
    ],
    [
      'its singular',
      objectOf({ names: texts }),
      { names: { name: 'a' } },
      { names: ['a'] },
      'keyed_object_to_array /names',
    ],
    [
      'the singular of entries',
      objectOf({ entries: texts }),
      { entries: { entry: ['a'] } },
      { entries: ['a'] },
      'keyed_object_to_array /entries',
    ],
    [
      'the singular of movies',
      objectOf({ movies: texts }),
      { movies: { movie: ['a'] } },
      { movies: ['a'] },
      'keyed_object_to_array /movies',
    ],
    [
      'the singular of boxes',
      objectOf({ boxes: texts }),
      { boxes: { box: ['a'] } },
      { boxes: ['a'] },
      'keyed_object_to_array /boxes',
    ],
    [
      'the last word of the field',
      objectOf({ excludePatterns: texts, exclude_globs: texts }),
      { excludePatterns: { patterns: ['a'] }, exclude_globs: { Glob: 'b' } },
      { excludePatterns: ['a'], exclude_globs: ['b'] },
      ['keyed_object_to_array /excludePatterns', 'keyed_object_to_array /exclude_globs'],
    ],
    ...['path', 'file', 'filePath', 'file_name'].map(
      (key) =>
        [
          `${key} in a list of paths`,
          objectOf({ paths: texts }),
          { paths: { [key]: 'a' } },
          { paths: ['a'] },
          'keyed_object_to_array /paths',
        ] as const,
    ),
    ...['url', 'uri', 'href', 'link'].map(
      (key) =>
        [
          `${key} in a list of links`,
          objectOf({ pageLinks: texts }),
          { pageLinks: { [key]: 'a' } },
          { pageLinks: ['a'] },
          'keyed_object_to_array /pageLinks',
        ] as const,
    ),
    [
      'the same key again inside',
      objectOf({ names: texts }),
      { names: { item: { item: ['a'] } } },
      { names: ['a'] },
      'keyed_object_to_array /names',
    ],
    [
      'keys that count from 0',
      objectOf({ rows: listOf(objectOf({ a: text })) }),
      { rows: { '0': { a: 'x' }, '1': { a: 5 } } },
      { rows: [{ a: 'x' }, { a: '5' }] },
      ['keyed_object_to_array /rows', 'literal_to_text /rows/1/a'],
    ],
    [
      'an index that the elements declare: the object is the element',
      objectOf({ rows: listOf(closedOf({ '0': text })) }),
      { rows: { '0': 'a' } },
      { rows: [{ '0': 'a' }] },
      'wrap_in_array /rows',
    ],
    [
      'keys that count from 1',
      objectOf({ names: texts }),
      { names: { '1': 'a', '2': 'b' } },
      { names: ['a', 'b'] },
      'keyed_object_to_array /names',
    ],
    ...['item', 'items', 'value', 'values', 'element', 'elements'].map(
      (key) =>
        [
          `the neutral key ${key}`,
          objectOf({ names: texts }),
          { names: { [key]: ['a'] } },
          { names: ['a'] },
          'keyed_object_to_array /names',
        ] as const,
    ),
    [
      'one element',
      objectOf({ ids: listOf(whole) }),
      { ids: { item: 5 } },
      { ids: [5] },
      'keyed_object_to_array /ids',
    ],
    [
      'elements that are repaired',
      objectOf({ ids: listOf(whole) }),
      { ids: { item: ['5', 6] } },
      { ids: [5, 6] },
      ['keyed_object_to_array /ids', 'text_to_integer /ids/0'],
    ],
    [
      'objects under the name of the list',
      objectOf({ edits: listOf(edit) }),
      { edits: { edit: { from: 'a' } } },
      { edits: [{ from: 'a' }] },
      'keyed_object_to_array /edits',
    ],
    [
      'a key that the element declares: the object is the element',
      objectOf({ rows: listOf(closedOf({ value: text })) }),
      { rows: { value: 'a' } },
      { rows: [{ value: 'a' }] },
      'wrap_in_array /rows',
    ],
    [
      'in a list, in a map, behind a reference',
      objectOf({ jobs: listOf(recordOf({ $ref: '#/$defs/names' })) }, [], { $defs: { names: texts } }),
      { jobs: [{ night: { item: 'a' } }] },
      { jobs: [{ night: ['a'] }] },
      'keyed_object_to_array /jobs/0/night',
    ],
    [
      'in the branch of a union that takes a list',
      objectOf({ names: anyOf(texts, { type: 'null' }) }),
      { names: { item: ['a'] } },
      { names: ['a'] },
      'keyed_object_to_array /names',
    ],
    [
      'its singular, where the elements name no keys',
      objectOf({ todos: listOf({ type: 'object' }) }),
      { todos: { todo: { title: 'x' } } },
      { todos: [{ title: 'x' }] },
      'keyed_object_to_array /todos',
    ],
    [
      'text that spells the list',
      objectOf({ todos: texts }),
      { todos: { item: '["a"]' } },
      { todos: ['a'] },
      ['keyed_object_to_array /todos', 'json_text_to_array /todos'],
    ],
    ...[
      ['boxes', 'box'],
      ['entries', 'entry'],
      ['entries', 'entri'],
      ['paths', 'path'],
      ['axes', 'axe'],
      ['sspecs', 'sspec'],
    ].map(
      ([name = '', key = '']) =>
        [
          `${key} for ${name}`,
          objectOf({ [name]: texts }),
          { [name]: { [key]: 'a' } },
          { [name]: ['a'] },
          `keyed_object_to_array /${name}`,
        ] as const,
    ),
    [
      'an empty object, where a list needs an element',
      objectOf({ rows: listOf({ type: 'object' }, { minItems: 1 }) }, ['rows']),
      { rows: {} },
      { rows: [{}] },
      'wrap_in_array /rows',
    ],
    [
      'a spelling of its singular',
      objectOf({ search_terms: texts }),
      { search_terms: { searchTerm: 'a' } },
      { search_terms: ['a'] },
      'keyed_object_to_array /search_terms',
    ],
    [
      'a name that can’t be folded',
      objectOf({ 'a/bs': texts }),
      { 'a/bs': { 'a/b': 'x' } },
      { 'a/bs': ['x'] },
      'keyed_object_to_array /a~1bs',
    ],
    [
      'the one list of a list of lists',
      objectOf({ rows: listOf(texts) }),
      { rows: { row: ['a', 'b'] } },
      { rows: [['a', 'b']] },
      'keyed_object_to_array /rows',
    ],
    [
      'a neutral key, where one kind of element names keys',
      objectOf({ todos: listOf(anyOf(objectOf({ title: text }), objectOf({}))) }),
      { todos: { item: { title: 'x' } } },
      { todos: [{ title: 'x' }] },
      'keyed_object_to_array /todos',
    ],
  ],
  refused: [
    [
      'a list that may be the list of lists or its one element',
      objectOf({ names: listOf(listOf({})) }),
      { names: { names: [['a'], 'b'] } },
      'type /names',
    ],
    ...['items', 'item', 'rows'].map(
      (key) =>
        [
          `under ${key}, a list that may be the list of lists, without the brackets of its elements`,
          objectOf({ rows: listOf(texts) }),
          { rows: { [key]: ['a', 'b'] } },
          'type /rows',
        ] as const,
    ),
    ['two keys', objectOf({ names: texts }), { names: { item: 'a', name: 'b' } }, 'type /names'],
    ['any other key', objectOf({ names: texts }), { names: { list: ['a'] } }, 'type /names'],
    ['keys that count from 2', objectOf({ names: texts }), { names: { '2': 'a', '3': 'b' } }, 'type /names'],
    ['keys that leave one out', objectOf({ names: texts }), { names: { '0': 'a', '2': 'b' } }, 'type /names'],
    [
      'indices over elements that name no keys: an element, or a list',
      objectOf({ rows: listOf({ type: 'object' }) }),
      { rows: { '0': { a: 1 } } },
      'type /rows',
    ],
    ['a path in a list of other texts', objectOf({ names: texts }), { names: { path: 'a' } }, 'type /names'],
    ['a list under the key of a path', objectOf({ files: texts }), { files: { path: ['a'] } }, 'type /files'],
    ['a url in a list of other texts', objectOf({ pages: texts }), { pages: { url: 'a' } }, 'type /pages'],
    ['another key inside', objectOf({ names: texts }), { names: { names: { other: ['a'] } } }, 'type /names'],
    [
      'the place also takes an object that fails',
      objectOf({ names: { ...texts, type: ['array', 'object'], required: ['id'] } }),
      { names: { item: ['a'] } },
      'required /names',
    ],
    ['elements that do not fit', objectOf({ ids: listOf(whole) }), { ids: { item: ['x'] } }, 'type /ids'],
    [
      'text that only starts like a list',
      objectOf({ names: texts }),
      { names: { item: null } },
      'type /names',
    ],
    [
      'a neutral key over elements that declare no keys has two readings',
      objectOf({ rows: listOf({ type: 'object' }) }),
      { rows: { item: { a: 1 } } },
      'type /rows',
    ],
    ['text that looks like several', objectOf({ todos: texts }), { todos: { item: 'a,b' } }, 'type /todos'],
    ['blank text', objectOf({ todos: texts }), { todos: { item: ' ' } }, 'type /todos'],
    [
      'null, where elements may be null',
      objectOf({ todos: listOf({ type: ['string', 'null'] }) }),
      { todos: { item: null } },
      'type /todos',
    ],
    ...[
      ['address', 'addres'],
      ['data', 'dat'],
      ['paths', 'pat'],
    ].map(
      ([name = '', key = '']) =>
        [
          `${key} for ${name}`,
          objectOf({ [name]: texts }),
          { [name]: { [key]: 'a' } },
          `type /${name}`,
        ] as const,
    ),
    [
      'another name that can’t be folded',
      objectOf({ 'a/bs': texts }),
      { 'a/bs': { 'a?b': 'x' } },
      'type /a~1bs',
    ],
  ],
});
