import { testRule } from '../rule-case.ts';
import { anyOf, listOf, nothing, objectOf, recordOf, text, texts } from '../sample-schemas.ts';

const days = listOf({ type: 'string', enum: ['mon', 'tue', 'wed'] });

testRule({
  untouched: [
    ['a list', objectOf({ days }), { days: ['mon', 'tue'] }],
    ['text where text may stand', objectOf({ days: anyOf(days, text) }), { days: 'mon,tue' }],
  ],
  repaired: [
    ['members', objectOf({ days }), { days: 'mon,tue' }, { days: ['mon', 'tue'] }, 'split_enum_list /days'],
    [
      'blanks around them',
      objectOf({ days }),
      { days: ' mon , wed' },
      { days: ['mon', 'wed'] },
      'split_enum_list /days',
    ],
    ['one member is wrapped', objectOf({ days }), { days: 'mon' }, { days: ['mon'] }, 'wrap_in_array /days'],
    [
      'a member that has a comma itself is one',
      objectOf({ tags: listOf({ enum: ['a,b', 'a', 'b'] }) }),
      { tags: 'a,b' },
      { tags: ['a,b'] },
      'wrap_in_array /tags',
    ],
    ['in a map', recordOf(days), { x: 'mon,tue' }, { x: ['mon', 'tue'] }, 'split_enum_list /x'],
    [
      'behind a reference, beside null',
      objectOf({ days: anyOf({ $ref: '#/$defs/days' }, nothing) }, [], { $defs: { days } }),
      { days: 'tue,mon' },
      { days: ['tue', 'mon'] },
      'split_enum_list /days',
    ],
    [
      'a spelling of one member is wrapped',
      objectOf({ days }),
      { days: 'MON' },
      { days: ['mon'] },
      ['wrap_in_array /days', 'enum_spelling /days/0'],
    ],
  ],
  refused: [
    ['a part that is no member', objectOf({ days }), { days: 'mon,sunday' }, 'type /days'],
    ['a part in another spelling', objectOf({ days }), { days: 'mon,TUE' }, 'type /days'],
    ['an empty part', objectOf({ days }), { days: 'mon,,tue' }, 'type /days'],
    ['set apart by something else', objectOf({ days }), { days: 'mon;tue' }, 'type /days'],
    ['a list of any text', objectOf({ names: texts }), { names: 'mon,tue' }, 'type /names'],
    [
      'a member twice where each may come once',
      objectOf({ days: { ...days, uniqueItems: true } }),
      { days: 'mon,mon' },
      'type /days',
    ],
    ['a number', objectOf({ days }), { days: 5 }, 'type /days'],
    ['one word that is no member', objectOf({ days }), { days: 'x' }, 'type /days'],
  ],
});
