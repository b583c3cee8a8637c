import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, text, whole } from '../../schemas.ts';

const limit = { ...whole, default: 10 } as const;
const required = objectOf({ limit }, ['limit']);
const ofPages = objectOf({ limit, pages: listOf(objectOf({ name: text })) }, ['limit']);

const beside = objectOf({ limit, a: text }, ['limit']);
testRule('fill_default', {
  untouched: [
    ['an optional key with a default stays absent', objectOf({ limit }), {}],
    ['a required key that is there', required, { limit: 3 }],
    ['nested optional keys with defaults', 'page', closedOf({ limit }), {}],
  ],
  repaired: [
    [
      'beside text',
      beside,
      { a: '{"limit":1}', b: 1 },
      { a: '{"limit":1}', b: 1, limit: 10 },
      '/limit',
    ],
    ['beside a key of its own', beside, { A: [1], b: 1 }, { A: [1], b: 1, limit: 10 }, '/limit'],
    ['a required key', required, {}, { limit: 10 }, '/limit'],
    [
      'beside keys that mean something else, declared ones below among them',
      objectOf({ limit, page: objectOf({ limit: whole }), env: mapOf(text) }, ['limit']),
      { page: { limit: 5 }, env: { A: '1' }, more: { lines: [{ unit: 'm' }] } },
      { page: { limit: 5 }, env: { A: '1' }, more: { lines: [{ unit: 'm' }] }, limit: 10 },
      '/limit',
    ],
    [
      'in the one branch of a union that it completes',
      'page',
      anyOf(
        closedOf({ limit, name: text }, ['limit', 'name']),
        closedOf({ all: { const: true } }, ['all']),
      ),
      { name: 'a' },
      { name: 'a', limit: 10 },
      '/page/limit',
    ],
    [
      'a key that text of an object may hold, and does not',
      objectOf({ limit, page: objectOf({ name: text }) }, ['limit']),
      { page: '{"name":"no limit"}' },
      { page: { name: 'no limit' }, limit: 10 },
      'json_text_to_object /page, /limit',
    ],
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
    ).map(
      ([title, sent]) =>
        [
          `a key that may be meant: ${title}`,
          objectOf({ limit, env: mapOf(text), any: { type: 'object' } }, ['limit']),
          sent,
          'required',
        ] as const,
    ),
    [
      'text that cannot be read',
      objectOf({ limit, a: listOf(limit) }, ['limit']),
      { a: '[{' },
      'required, type /a',
    ],
    [
      'some elements have it',
      ofPages,
      { pages: [{ name: 'a', limit: 3 }, { name: 'b' }] },
      'required',
    ],
    [
      'both in markup',
      required,
      { 'limit</arg_key>': '<arg_value>5</arg_value>' },
      'required, misspelt',
    ],
    ['no default', objectOf({ limit: whole }, ['limit']), {}, 'required'],
    ['an invalid default', objectOf({ n: { ...whole, default: 'ten' } }, ['n']), {}, 'required'],
    [
      'another key is missing as well',
      objectOf({ limit, path: text }, ['limit', 'path']),
      {},
      'required',
    ],
    [
      'in an open object, a key that was meant for it and can’t be brought to fit',
      objectOf({ limit, name: text }, ['name'], {
        if: { properties: { name: { const: 'red' } }, required: ['name'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { required: ['limit'] },
      }),
      { NAME: 'red', LIMIT: { a: [7] } },
      'required, misspelt, misspelt',
    ],
  ],
});
