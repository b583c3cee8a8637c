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
      'a union that takes the object',
      objectOf({ node: anyOf(text, objectOf({ type: text })) }),
      { node: { type: 'string', value: 'a' } },
    ],
  ],
  repaired: [
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
      'an echo of nothing',
      objectOf({ query }),
      { query: { type: 'string', description: 'What to look for.' } },
      [['type', '/query']],
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
