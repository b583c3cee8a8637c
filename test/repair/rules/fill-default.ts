import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, text, whole } from '../../schemas.ts';

const limit = { ...whole, default: 10 } as const;
const required = objectOf({ limit }, ['limit']);
const ofPages = objectOf({ limit, pages: listOf(objectOf({ name: text })) }, ['limit']);

const beside = objectOf({ limit, a: text }, ['limit']);
testRule('fill_default', {
  untouched: [
    {
      title: 'an optional key with a default stays absent',
      schema: objectOf({ limit }),
      value: {},
    },
    { title: 'a required key that is there', schema: required, value: { limit: 3 } },
    {
      title: 'nested optional keys with defaults',
      argument: 'page',
      schema: closedOf({ limit }),
      value: {},
    },
  ],
  repaired: [
    {
      title: 'beside text',
      schema: beside,
      sent: { a: '{"limit":1}', b: 1 },
      becomes: { a: '{"limit":1}', b: 1, limit: 10 },
      repairs: '/limit',
    },
    {
      title: 'beside a key of its own',
      schema: beside,
      sent: { A: [1], b: 1 },
      becomes: { A: [1], b: 1, limit: 10 },
      repairs: '/limit',
    },
    {
      title: 'a required key',
      schema: required,
      sent: {},
      becomes: { limit: 10 },
      repairs: '/limit',
    },
    {
      title: 'beside keys that mean something else, declared ones below among them',
      schema: objectOf({ limit, page: objectOf({ limit: whole }), env: mapOf(text) }, ['limit']),
      sent: { page: { limit: 5 }, env: { A: '1' }, more: { lines: [{ unit: 'm' }] } },
      becomes: { page: { limit: 5 }, env: { A: '1' }, more: { lines: [{ unit: 'm' }] }, limit: 10 },
      repairs: '/limit',
    },
    {
      title: 'in the one branch of a union that it completes',
      argument: 'page',
      schema: anyOf(
        closedOf({ limit, name: text }, ['limit', 'name']),
        closedOf({ all: { const: true } }, ['all']),
      ),
      sent: { name: 'a' },
      becomes: { name: 'a', limit: 10 },
      repairs: '/page/limit',
    },
    {
      title: 'a key that text of an object may hold, and does not',
      schema: objectOf({ limit, page: objectOf({ name: text }) }, ['limit']),
      sent: { page: '{"name":"no limit"}' },
      becomes: { page: { name: 'no limit' }, limit: 10 },
      repairs: ['json_text_to_object /page', '/limit'],
    },
  ],
  refused: [
    ...(
      [
        ['one letter', { limt: 5 }],
        ['the plural, beside another one', { limits: 5, x: 1 }],
        ['a word more', { rowLimit: 5 }],
        ['in an undeclared object', { options: { limit: 5 }, x: 1 }],
        ['in an undeclared list', { pages: [{ Limit: 5 }] }],
        ['in a map', { env: { a: '1', limit: '5' } }],
        ['in an open object', { any: { page: { limit: 5 } } }],
        ['in text of an object', { any: '{"limits":5}' }],
      ] as const
    ).map(([title, sent]) => ({
      title: `a key that may be meant: ${title}`,
      schema: objectOf({ limit, env: mapOf(text), any: { type: 'object' } }, ['limit']),
      sent,
      issues: 'required',
    })),
    {
      title: 'text that cannot be read',
      schema: objectOf({ limit, a: listOf(limit) }, ['limit']),
      sent: { a: '[{' },
      issues: ['required', 'type /a'],
    },
    {
      title: 'some elements have it',
      schema: ofPages,
      sent: { pages: [{ name: 'a', limit: 3 }, { name: 'b' }] },
      issues: 'required',
    },
    {
      title: 'both in markup',
      schema: required,
      sent: { 'limit</arg_key>': '<arg_value>5</arg_value>' },
      issues: ['required', 'misspelt'],
    },
    {
      title: 'no default',
      schema: objectOf({ limit: whole }, ['limit']),
      sent: {},
      issues: 'required',
    },
    {
      title: 'an invalid default',
      schema: objectOf({ n: { ...whole, default: 'ten' } }, ['n']),
      sent: {},
      issues: 'required',
    },
    {
      title: 'another key is missing as well',
      schema: objectOf({ limit, path: text }, ['limit', 'path']),
      sent: {},
      issues: 'required',
    },
    {
      title: 'in an open object, a key that was meant for it and can’t be brought to fit',
      schema: objectOf({ limit, name: text }, ['name'], {
        if: { properties: { name: { const: 'red' } }, required: ['name'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { required: ['limit'] },
      }),
      sent: { NAME: 'red', LIMIT: { a: [7] } },
      issues: ['required', 'misspelt', 'misspelt'],
    },
  ],
});
