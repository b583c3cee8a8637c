// Is a schema that was copied around one value taken off, and only if exactly one value is in it?
import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  nothing,
  objectOf,
  recordOf,
  text,
  texts,
  whole,
} from '../sample-schemas.ts';

const query = { type: 'string', description: 'What to look for.' } as const;

testRule({
  untouched: [
    [
      'an object where one is declared',
      objectOf({ node: closedOf({ type: text, value: text }) }),
      { node: { type: 'string', value: 'a' } },
    ],
    ['anything may stand there', objectOf({ node: {} }), { node: { type: 'string', value: 'a' } }],
    [
      'an element that any object may be',
      objectOf({ nodes: listOf(objectOf({})) }),
      { nodes: [{ type: 'array', value: [1] }] },
    ],
    [
      'a union that takes the object',
      objectOf({ node: anyOf(text, objectOf({ type: text })) }),
      { node: { type: 'string', value: 'a' } },
    ],
    [
      'a branch that declares the keys, beside a list',
      objectOf({ node: anyOf(text, texts, closedOf({ type: text, value: text })) }),
      { node: { type: 'string', value: 'a' } },
    ],
  ],
  repaired: [
    [
      'a description that does not name the parameter, where the schema has none',
      objectOf({ task: text }),
      { task: { type: 'str', description: 'Write the release notes.' } },
      { task: 'Write the release notes.' },
      [['echoed_schema', '/task']],
    ],
    [
      'type and value',
      objectOf({ query }),
      { query: { type: 'string', value: 'cats' } },
      { query: 'cats' },
      [['echoed_schema', '/query']],
    ],
    [
      'with the description',
      objectOf({ query }),
      { query: { type: 'string', description: 'What to look for.', value: 'cats' } },
      { query: 'cats' },
      [['echoed_schema', '/query']],
    ],
    [
      'a description in which the value stands',
      objectOf({ query }),
      { query: { description: 'cats', type: 'string' } },
      { query: 'cats' },
      [['echoed_schema', '/query']],
    ],
    [
      'the name of a type in Python',
      objectOf({ query }),
      { query: { type: 'str', value: 'cats' } },
      { query: 'cats' },
      [['echoed_schema', '/query']],
    ],
    [
      'a number',
      objectOf({ limit: whole }),
      { limit: { type: 'integer', value: 5 } },
      { limit: 5 },
      [['echoed_schema', '/limit']],
    ],
    [
      'a value alone where no text may stand',
      objectOf({ limit: whole }),
      { limit: { value: 5 } },
      { limit: 5 },
      [['echoed_schema', '/limit']],
    ],
    [
      'a value that is repaired',
      objectOf({ all: flag }),
      { all: { type: 'boolean', value: 'true' } },
      { all: true },
      [
        ['echoed_schema', '/all'],
        ['text_to_boolean', '/all'],
      ],
    ],
    [
      'in a list',
      objectOf({ ids: listOf(whole) }),
      { ids: [1, { value: 2 }] },
      { ids: [1, 2] },
      [['echoed_schema', '/ids/1']],
    ],
    [
      'a list',
      objectOf({ tags: texts }),
      { tags: { type: 'array', value: ['a', 'b'] } },
      { tags: ['a', 'b'] },
      [['echoed_schema', '/tags']],
    ],
    [
      'a list that is text',
      objectOf({ tags: texts }),
      { tags: { type: 'list', description: 'Tags.', value: '["a", "b"]' } },
      { tags: ['a', 'b'] },
      [
        ['echoed_schema', '/tags'],
        ['json_text_to_array', '/tags'],
      ],
    ],
    [
      'the one element of a list',
      objectOf({ ids: listOf(whole) }),
      { ids: { type: 'integer', value: '5' } },
      { ids: [5] },
      [
        ['echoed_schema', '/ids'],
        ['wrap_in_array', '/ids'],
        ['text_to_integer', '/ids/0'],
      ],
    ],
    [
      'an object for a list of objects',
      objectOf({ nodes: listOf(closedOf({ a: whole }, ['a'])) }),
      { nodes: { type: 'array', value: { a: 1 } } },
      { nodes: [{ a: 1 }] },
      [
        ['echoed_schema', '/nodes'],
        ['wrap_in_array', '/nodes'],
      ],
    ],
    [
      'an element that declares a type',
      objectOf({ nodes: listOf(closedOf({ Type: text, value: whole }, ['Type'])) }),
      { nodes: { type: 'array', value: '1' } },
      { nodes: [{ Type: 'array', value: 1 }] },
      [
        ['wrap_in_array', '/nodes'],
        ['rename_key', '/nodes/0/type'],
        ['text_to_integer', '/nodes/0/value'],
      ],
    ],
    [
      'an object that any element may be',
      objectOf({ nodes: listOf(objectOf({})) }),
      { nodes: { type: 'string', value: 'a' } },
      { nodes: [{ type: 'string', value: 'a' }] },
      [['wrap_in_array', '/nodes']],
    ],
    [
      'a list where text may stand too',
      objectOf({ tags: anyOf(text, texts) }),
      { tags: { type: 'array', value: ['a'] } },
      { tags: ['a'] },
      [['echoed_schema', '/tags']],
    ],
    [
      'text where a list may stand too',
      objectOf({ tags: anyOf(text, texts) }),
      { tags: { type: 'string', value: 'a' } },
      { tags: 'a' },
      [['echoed_schema', '/tags']],
    ],
    ['in a map', recordOf(whole), { a: { value: 2 } }, { a: 2 }, [['echoed_schema', '/a']]],
    [
      'beside null, behind a reference',
      objectOf({ n: anyOf({ $ref: '#/$defs/n' }, nothing) }, [], { $defs: { n: whole } }),
      { n: { value: 2 } },
      { n: 2 },
      [['echoed_schema', '/n']],
    ],
    [
      'a description where the schema has none',
      objectOf({ query: text }),
      { query: { type: 'string', description: 'cats' } },
      { query: 'cats' },
      [['echoed_schema', '/query']],
    ],
    [
      'a description of other words',
      objectOf({ query: { ...text, description: 'catsand dogs' } }),
      { query: { type: 'string', description: 'cats and dogs' } },
      { query: 'cats and dogs' },
      [['echoed_schema', '/query']],
    ],
  ],
  refused: [
    [
      'a description of the parameter, where the schema has none',
      objectOf({ folderPath: text }),
      { folderPath: { type: 'string', description: 'The path of the folder to read' } },
      [['type', '/folderPath']],
    ],
    ...['string', 'array'].map(
      (type) =>
        [
          `an echo of ${type} where text, a list or an object may be meant`,
          objectOf({ id: anyOf(text, texts, closedOf({ id: whole }, ['id'])) }),
          { id: { type, value: 'a' } },
          [
            ['required', '/id'],
            ['additionalProperties', '/id'],
            ['additionalProperties', '/id'],
          ],
        ] as const,
    ),
    [
      'an echo of nothing',
      objectOf({ query }),
      { query: { type: 'string', description: 'What to look for.' } },
      [['type', '/query']],
    ],
    ...['a,b', '[a', ' ', 'null'].map(
      (value) =>
        [
          `a list that ${JSON.stringify(value)} can't be alone`,
          objectOf({ tags: texts }, ['tags']),
          { tags: { type: 'string', value } },
          [['type', '/tags']],
        ] as const,
    ),
    [
      'a list, or an object that any element may be',
      objectOf({ nodes: listOf(objectOf({})) }),
      { nodes: { type: 'array', value: [{ a: 1 }] } },
      [['type', '/nodes']],
    ],
    [
      'a list of its own description',
      objectOf({ tags: { ...texts, description: 'Tags.' } }),
      { tags: { type: 'array', description: 'tags' } },
      [['type', '/tags']],
    ],
    ['a type alone', objectOf({ query }), { query: { type: 'string' } }, [['type', '/query']]],
    [
      'two candidates',
      objectOf({ query }),
      { query: { type: 'string', value: 'a', default: 'b' } },
      [['type', '/query']],
    ],
    [
      'a value of another type',
      objectOf({ limit: whole }),
      { limit: { type: 'integer', value: 'many' } },
      [['type', '/limit']],
    ],
    [
      'a value and more',
      objectOf({ limit: whole }),
      { limit: { value: 5, unit: 'px' } },
      [['type', '/limit']],
    ],
    [
      'a description that is no text',
      objectOf({ query: text }),
      { query: { type: 'string', description: 5 } },
      [['type', '/query']],
    ],
    [
      'a type that is none',
      objectOf({ limit: whole }),
      { limit: { type: 'x', value: 1 } },
      [['type', '/limit']],
    ],
    [
      'the schema’s own description, in other words’ clothes',
      objectOf({ query: { ...text, description: 'What to  look for. Any words.' } }),
      { query: { type: 'string', description: 'what to look for any words' } },
      [['type', '/query']],
    ],
  ],
});
