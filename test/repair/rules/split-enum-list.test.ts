import { testRule } from '../rule-case.ts';
import { anyOf, listOf, mapOf, objectOf, orNull, text, texts } from '../../schemas.ts';

const days = listOf({ ...text, enum: ['mon', 'tue', 'wed'] });

testRule('split_enum_list', {
  untouched: [
    ['a list', 'days', days, ['mon', 'tue']],
    ['text where text may stand', 'days', anyOf(days, text), 'mon,tue'],
  ],
  repaired: [
    ['members', 'days', days, 'mon,tue', ['mon', 'tue']],
    ['blanks around them', 'days', days, ' mon , wed', ['mon', 'wed']],
    ['one member is wrapped', 'days', days, 'mon', ['mon'], 'wrap_in_array /days'],
    ['one with a comma', 'tags', listOf({ enum: ['a,b', 'a', 'b'] }), 'a,b', ['a,b'], 'wrap_in_array /tags'],
    ['in a map', mapOf(days), { x: 'mon,tue' }, { x: ['mon', 'tue'] }, '/x'],
    [
      'behind a reference, beside null',
      objectOf({ days: orNull({ $ref: '#/$defs/days' }) }, [], { $defs: { days } }),
      { days: 'tue,mon' },
      { days: ['tue', 'mon'] },
      '/days',
    ],
    ['a spelling of one member', 'days', days, 'MON', ['mon'], 'wrap_in_array /days, enum_spelling /days/0'],
  ],
  refused: [
    ['a part that is no member', 'days', days, 'mon,sunday'],
    ['a part in another spelling', 'days', days, 'mon,TUE'],
    ['an empty part', 'days', days, 'mon,,tue'],
    ['set apart by something else', 'days', days, 'mon;tue'],
    ['a list of any text', 'names', texts, 'mon,tue'],
    ['a member twice where each may come once', 'days', { ...days, uniqueItems: true }, 'mon,mon'],
    ['a number', 'days', days, 5],
    ['one word that is no member', 'days', days, 'x'],
  ],
});
