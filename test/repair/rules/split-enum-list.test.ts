import { testRule } from '../rule-case.ts';
import { anyOf, listOf, text } from '../../schemas.ts';

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
    [
      'one with a comma',
      'tags',
      listOf({ enum: ['a,b', 'a', 'b'] }),
      'a,b',
      ['a,b'],
      'wrap_in_array /tags',
    ],
  ],
  refused: [
    ['a part that is no member', 'days', days, 'mon,sunday'],
    ['a part in another spelling', 'days', days, 'mon,TUE'],
    ['an empty part', 'days', days, 'mon,,tue'],
  ],
});
