import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, text, texts, whole } from '../../schemas.ts';

testRule('drop_placeholder', {
  untouched: [
    ['blank text where text may stand', 'name', text, ''],
    ['the word null where text may stand', 'name', text, 'null'],
    ['an empty object that may stand there', 'filter', closedOf({ a: text }), {}],
  ],
  repaired: [
    ['for a member', objectOf({ a: { enum: ['x'] } }), { a: {} }, {}, '/a'],
    ...['', '  ', 'null', 'None', ' undefined '].map(
      (word) =>
        [JSON.stringify(word), objectOf({ limit: whole }), { limit: word }, {}, '/limit'] as const,
    ),
    ['an empty object for a number', objectOf({ limit: whole }), { limit: {} }, {}, '/limit'],
    ['blank text for a list', objectOf({ names: texts }), { names: '' }, {}, '/names'],
    ['blank text for an enum', objectOf({ mode: { enum: ['a', 'b'] } }), { mode: '' }, {}, '/mode'],
    [
      'blank text where null may stand',
      objectOf({ n: { type: ['integer', 'null'] } }),
      { n: '' },
      {},
      '/n',
    ],
  ],
  refused: [
    [
      'an empty object for verbatim text',
      'body',
      { ...text, 'x-toolmend': { verbatim: true } },
      {},
    ],
    ['an empty object', 'rows', anyOf(texts, closedOf({ a: text }, ['a'])), {}, 'required /rows'],
    ...(
      [
        ['None', ['None', 'All']],
        ['None', ['none', 'all']],
        ['null', ['null', 'string']],
        ['', ['', 'a']],
      ] as const
    ).map(
      ([word, members]) =>
        [`a member of the elements: ${word}`, 'kinds', listOf({ enum: members }), word] as const,
    ),
    [
      'a member of the elements of one branch',
      'kinds',
      anyOf(listOf({ enum: ['None', 'All'] }), { type: 'null' }),
      'None',
      'anyOf /kinds',
    ],
    ['a required key', objectOf({ limit: whole }, ['limit']), { limit: '' }, 'type /limit'],
    ['an element of a list', 'ids', listOf(whole), [1, ''], 'type /ids/1'],
    ['a value of a map', 'ids', mapOf(whole), { a: '' }, 'type /ids/a'],
  ],
});
