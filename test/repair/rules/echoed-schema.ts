import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  listOf,
  mapOf,
  objectOf,
  orNull,
  text,
  texts,
  whole,
} from '../../schemas.ts';

const query = { ...text, description: 'Words.' };
const pair = closedOf({ type: text, value: text });
const any = objectOf({});
const echo = { type: 'string', value: 'a' };
const row = closedOf({ a: whole }, ['a']);
const tagged = objectOf({ tags: texts }, ['tags']);

const string1 = { type: 'string', n: '1' };
const string5 = { type: 'string', value: '5' };
const wrapped = (key: string) => ['wrap_in_array /a', `text_to_integer /a/0/${key}`];
const typed = closedOf({ type: text, value: whole });
const valued = listOf(objectOf({ value: whole }, ['value']));
testRule('echoed_schema', {
  untouched: [
    {
      title: 'an object where one is declared',
      argument: 'node',
      schema: pair,
      value: { type: 'string', value: 'a' },
    },
    {
      title: 'anything may stand there',
      argument: 'node',
      schema: {},
      value: { type: 'string', value: 'a' },
    },
    {
      title: 'an element that any object may be',
      argument: 'list',
      schema: listOf(any),
      value: [{ type: 'array', value: [1] }],
    },
  ],
  repaired: [
    {
      title: 'the word of the name alone',
      argument: 'city',
      schema: text,
      sent: { type: 'string', description: 'City' },
      becomes: 'City',
    },
    {
      title: 'in a map',
      schema: mapOf(text),
      sent: { a: { type: 'string', description: 'A b.' } },
      becomes: { a: 'A b.' },
      repairs: '/a',
    },
    {
      title: 'of another type',
      argument: 'query',
      schema: query,
      sent: { type: 'array', value: 'x' },
      becomes: 'x',
    },
    {
      title: 'in a nullable list',
      argument: 'a',
      schema: orNull(texts),
      sent: { type: 'string', value: 'x' },
      becomes: ['x'],
      repairs: ['/a', 'wrap_in_array /a'],
    },
    {
      title: 'one',
      argument: 'a',
      schema: listOf(objectOf({ n: whole })),
      sent: string1,
      becomes: [{ type: 'string', n: 1 }],
      repairs: wrapped('n'),
    },
    {
      title: 'one',
      argument: 'a',
      schema: listOf(typed),
      sent: string5,
      becomes: [{ type: 'string', value: 5 }],
      repairs: wrapped('value'),
    },
    {
      title: 'an element beside',
      argument: 'a',
      schema: anyOf(valued, row),
      sent: { value: '5' },
      becomes: [{ value: 5 }],
      repairs: wrapped('value'),
    },
    {
      title: 'a description of other things',
      argument: 'bakeTask',
      schema: text,
      sent: { type: 'str', description: 'Bake.' },
      becomes: 'Bake.',
    },
    {
      title: 'type and value',
      argument: 'query',
      schema: query,
      sent: { type: 'string', value: 'cats' },
      becomes: 'cats',
    },
    {
      title: 'with a description',
      argument: 'query',
      schema: query,
      sent: { type: 'string', description: 'Words.', value: 'cats' },
      becomes: 'cats',
    },
    {
      title: 'a description that is the value',
      argument: 'query',
      schema: query,
      sent: { description: 'cats', type: 'string' },
      becomes: 'cats',
    },
    {
      title: 'one element',
      argument: 'ids',
      schema: listOf(whole),
      sent: { type: 'integer', value: 5 },
      becomes: [5],
      repairs: ['/ids', 'wrap_in_array /ids'],
    },
    {
      title: 'an element that declares a type',
      argument: 'list',
      schema: listOf(closedOf({ Type: text, value: whole }, ['Type'])),
      sent: { type: 'array', value: '1' },
      becomes: [{ Type: 'array', value: 1 }],
      repairs: ['wrap_in_array /list', 'rename_key /list/0/type', 'text_to_integer /list/0/value'],
    },
    ...[
      listOf(any),
      anyOf(listOf(any), row),
      anyOf(listOf(pair), row),
      anyOf(listOf(mapOf(text)), row),
    ].map((list) => ({
      title: 'an object that an element may be',
      argument: 'list',
      schema: list,
      sent: echo,
      becomes: [echo],
      repairs: 'wrap_in_array /list',
    })),
  ],
  refused: [
    {
      title: 'a description of the parameter',
      argument: 'folderPath',
      schema: text,
      sent: { type: 'string', description: 'A folder path' },
    },
    ...['string', 'array'].map((type) => ({
      title: `an echo of ${type} where text, a list or an object may be meant`,
      argument: 'id',
      schema: anyOf(text, texts, closedOf({ id: whole }, ['id'])),
      sent: { type, value: 'a' },
      issues: ['required /id', 'additionalProperties /id', 'additionalProperties /id'],
    })),
    {
      title: 'an echo of nothing',
      argument: 'query',
      schema: query,
      sent: { type: 'string', description: 'Words.' },
    },
    ...['a,b', '[a', ' ', 'null'].map((value) => ({
      title: `no list is ${JSON.stringify(value)}`,
      schema: tagged,
      sent: { tags: { ...echo, value } },
      issues: 'type /tags',
    })),
    {
      title: 'a list, or any element',
      argument: 'list',
      schema: listOf(any),
      sent: { type: 'array', value: [{ a: 1 }] },
    },
    {
      title: 'its description',
      argument: 'tags',
      schema: { ...texts, description: 'Tags.' },
      sent: { type: 'array', description: 'tags' },
    },
    {
      title: 'a description that is no text',
      argument: 'query',
      schema: text,
      sent: { type: 'string', description: 5 },
    },
    {
      title: 'respelt',
      argument: 'q',
      schema: { ...text, description: 'Any  one.' },
      sent: { type: 'string', description: 'any one' },
    },
  ],
});
