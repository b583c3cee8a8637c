import { testRule } from '../rule-case.ts';
import { anyOf, listOf, text, texts } from '../../schemas.ts';

const mails = listOf({ ...text, format: 'email' });
const hosts = listOf({ ...text, format: 'hostname' });
const numbers = listOf({ ...text, pattern: '^[0-9]+$' });
const phones = listOf({ ...text, pattern: '^\\+?[1-9]\\d{1,14}$' });
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
    ...['Mon, TUE', '"mon", "tue"', "mon,'Tue'"].map((sent) => ({
      title: `other spellings: ${sent}`,
      argument: 'days',
      schema: days,
      sent,
      becomes: ['mon', 'tue'],
    })),
    {
      title: 'blanks around them',
      argument: 'days',
      schema: days,
      sent: ' mon , wed',
      becomes: ['mon', 'wed'],
    },
    ...['ada@x.org bob@x.org', 'ada@x.org, bob@x.org', 'ada@x.org;\nbob@x.org '].map((sent) => ({
      title: `text in a format: ${JSON.stringify(sent)}`,
      argument: 'to',
      schema: mails,
      sent,
      becomes: ['ada@x.org', 'bob@x.org'],
    })),
    {
      title: 'addresses',
      argument: 'urls',
      schema: listOf({ ...text, format: 'uri' }),
      sent: 'https://a.org/ https://b.org/',
      becomes: ['https://a.org/', 'https://b.org/'],
    },
    {
      title: 'text of a pattern',
      argument: 'keys',
      schema: listOf({ ...text, pattern: '^[A-Z]+-[0-9]+$' }),
      sent: 'AB-1, CD-22',
      becomes: ['AB-1', 'CD-22'],
    },
    {
      title: 'one text in a format is wrapped',
      argument: 'to',
      schema: mails,
      sent: 'ada@x.org',
      becomes: ['ada@x.org'],
      repairs: 'wrap_in_array /to',
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
    { title: 'a part without the format', argument: 'to', schema: mails, sent: 'ada@x.org bob' },
    { title: 'a list of words', argument: 'to', schema: hosts, sent: 'one two' },
    { title: 'a list of digits', argument: 'to', schema: numbers, sent: '12 34' },
    { title: 'one element in groups', argument: 'to', schema: phones, sent: '+43 664 1234567' },
    { title: 'a decimal comma', argument: 'to', schema: phones, sent: '10,50' },
    { title: 'no format', argument: 'to', schema: texts, sent: 'ada@x.org bob@x.org' },
    { title: 'names before them', argument: 'to', schema: mails, sent: 'A <a@x.org>, B <b@x.org>' },
    { title: 'a part that is no member', argument: 'days', schema: days, sent: 'mon,sunday' },
    {
      title: 'a part that spells two members',
      argument: 'days',
      schema: listOf({ ...text, enum: ['a b', 'a-b', 'c'] }),
      sent: 'A B,c',
    },
    { title: 'an empty part', argument: 'days', schema: days, sent: 'mon,,tue' },
  ],
});
