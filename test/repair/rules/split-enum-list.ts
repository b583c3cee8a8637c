import { testRule } from '../rule-case.ts';
import { anyOf, listOf, text } from '../../schemas.ts';

const days = listOf({ ...text, enum: ['mon', 'tue', 'wed'] });

testRule('split_enum_list', {
  untouched: [
    { title: 'a list', argument: 'days', schema: days, value: ['mon', 'tue'] },
    {
      title: 'text where text may stand',
      argument: 'days',
      schema: anyOf(days, text),
      value: 'mon,tue',
    },
  ],
  repaired: [
    { title: 'members', argument: 'days', schema: days, sent: 'mon,tue', becomes: ['mon', 'tue'] },
    {
      title: 'blanks around them',
      argument: 'days',
      schema: days,
      sent: ' mon , wed',
      becomes: ['mon', 'wed'],
    },
    {
      title: 'one member is wrapped',
      argument: 'days',
      schema: days,
      sent: 'mon',
      becomes: ['mon'],
      repairs: 'wrap_in_array /days',
    },
    {
      title: 'one with a comma',
      argument: 'tags',
      schema: listOf({ enum: ['a,b', 'a', 'b'] }),
      sent: 'a,b',
      becomes: ['a,b'],
      repairs: 'wrap_in_array /tags',
    },
  ],
  refused: [
    { title: 'a part that is no member', argument: 'days', schema: days, sent: 'mon,sunday' },
    { title: 'a part in another spelling', argument: 'days', schema: days, sent: 'mon,TUE' },
    { title: 'an empty part', argument: 'days', schema: days, sent: 'mon,,tue' },
  ],
});
