import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, text, texts, whole } from '../../schemas.ts';

testRule('drop_placeholder', {
  untouched: [
    { title: 'blank text where text may stand', argument: 'name', schema: text, value: '' },
    { title: 'the word null where text may stand', argument: 'name', schema: text, value: 'null' },
    {
      title: 'an empty object that may stand there',
      argument: 'filter',
      schema: closedOf({ a: text }),
      value: {},
    },
  ],
  repaired: [
    {
      title: 'for a member',
      schema: objectOf({ a: { enum: ['x'] } }),
      sent: { a: {} },
      becomes: {},
      repairs: '/a',
    },
    ...['', '  ', 'null', 'None', ' undefined '].map((word) => ({
      title: JSON.stringify(word),
      schema: objectOf({ limit: whole }),
      sent: { limit: word },
      becomes: {},
      repairs: '/limit',
    })),
    {
      title: 'an empty object for a number',
      schema: objectOf({ limit: whole }),
      sent: { limit: {} },
      becomes: {},
      repairs: '/limit',
    },
    {
      title: 'blank text for a list',
      schema: objectOf({ names: texts }),
      sent: { names: '' },
      becomes: {},
      repairs: '/names',
    },
    {
      title: 'blank text for an enum',
      schema: objectOf({ mode: { enum: ['a', 'b'] } }),
      sent: { mode: '' },
      becomes: {},
      repairs: '/mode',
    },
    {
      title: 'blank text where null may stand',
      schema: objectOf({ n: { type: ['integer', 'null'] } }),
      sent: { n: '' },
      becomes: {},
      repairs: '/n',
    },
  ],
  refused: [
    {
      title: 'an empty object for verbatim text',
      argument: 'body',
      schema: { ...text, 'x-toolmend': { verbatim: true } },
      sent: {},
    },
    {
      title: 'an empty object',
      argument: 'rows',
      schema: anyOf(texts, closedOf({ a: text }, ['a'])),
      sent: {},
      issues: 'required /rows',
    },
    ...(
      [
        ['None', ['None', 'All']],
        ['None', ['none', 'all']],
        ['null', ['null', 'string']],
        ['', ['', 'a']],
      ] as const
    ).map(([word, members]) => ({
      title: `a member of the elements: ${word}`,
      argument: 'kinds',
      schema: listOf({ enum: members }),
      sent: word,
    })),
    {
      title: 'a member of the elements of one branch',
      argument: 'kinds',
      schema: anyOf(listOf({ enum: ['None', 'All'] }), { type: 'null' }),
      sent: 'None',
      issues: 'anyOf /kinds',
    },
    {
      title: 'a required key',
      schema: objectOf({ limit: whole }, ['limit']),
      sent: { limit: '' },
      issues: 'type /limit',
    },
    {
      title: 'an element of a list',
      argument: 'ids',
      schema: listOf(whole),
      sent: [1, ''],
      issues: 'type /ids/1',
    },
    {
      title: 'a value of a map',
      argument: 'ids',
      schema: mapOf(whole),
      sent: { a: '' },
      issues: 'type /ids/a',
    },
  ],
});
