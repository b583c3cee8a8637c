// Schemas that are hostile or broken: each ends at once, and what is not validated is named in a
// warning.
import { interpretArguments } from 'toolmend';

const argument = (schema: object): object => ({
  type: 'object',
  properties: { a: schema },
  required: ['a'],
});

function ask(
  schema: object,
  value: unknown,
): { readonly status: string; readonly warnings: string } {
  const codes: string[] = [];
  const { status } = interpretArguments(
    schema,
    { value },
    { warn: ({ code }) => void codes.push(code) },
  );
  return { status, warnings: codes.join(' ') };
}

const many = Array.from({ length: 10_000 }, (_, index) => ({
  type: 'object',
  properties: { kind: { const: `k${index}` }, size: { type: 'integer' } },
  required: ['kind', 'size'],
}));
const cyclic: Record<string, unknown> = { type: 'object' };
cyclic['properties'] = { a: cyclic };
const cyclicList: unknown[] = [];
cyclicList.push(cyclicList);
const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });

test.each([
  {
    schema: 'a pattern of a million states',
    given: argument({ type: 'string', pattern: '((a{1000}){1000}|b)*c' }),
    value: { a: 'a'.repeat(3000) },
    status: 'unchanged',
    warnings: 'unsafe_pattern',
  },
  {
    schema: 'a pattern that backtracks for ever in other engines',
    given: argument({ type: 'string', pattern: '^(a+)+$' }),
    value: { a: `${'a'.repeat(100_000)}!` },
    status: 'rejected',
    warnings: '',
  },
  {
    schema: 'such a pattern in a lookahead',
    given: argument({ type: 'string', pattern: '^(?=(a+)+$)' }),
    value: { a: `${'a'.repeat(100_000)}!` },
    status: 'unchanged',
    warnings: 'unsafe_pattern',
  },
  {
    schema: 'a union of 10,000 branches',
    given: argument({ anyOf: many }),
    value: { a: { kind: 'k9999', size: '1' } },
    status: 'unchanged',
    warnings: 'unusable_schema',
  },
  {
    schema: 'a recursion through $dynamicRef, and a value of its kind',
    given: { ...argument({ $dynamicRef: '#node' }), $dynamicAnchor: 'node', required: [] },
    value: nested(30),
    status: 'unchanged',
    warnings: '',
  },
  {
    schema: 'a $dynamicRef to itself',
    given: { $dynamicAnchor: 'node', $dynamicRef: '#node' },
    value: { a: 1 },
    status: 'unchanged',
    warnings: 'unusable_schema',
  },
  {
    schema: 'a JavaScript object that contains itself',
    given: cyclic,
    value: { a: { a: {} } },
    status: 'unchanged',
    warnings: 'unusable_schema',
  },
  {
    schema: 'a list of members that contains itself',
    given: argument({ enum: cyclicList }),
    value: { a: 1 },
    status: 'unchanged',
    warnings: 'unusable_schema',
  },
])('$schema', ({ given, value, status, warnings }) => {
  expect(ask(given, value)).toEqual({ status, warnings });
});

const failing = new Error('no such member');
const throwing = (): never => {
  throw failing;
};

test.each([
  [
    'a getter at the root',
    {
      type: 'object',
      get properties() {
        return throwing();
      },
    },
  ],
  [
    'a getter inside',
    argument({
      get type() {
        return throwing();
      },
    }),
  ],
  ['a proxy', new Proxy({ type: 'object' }, { ownKeys: throwing })],
])('%s throws its own error to the developer', (_, schema) => {
  expect(() => ask(schema, { a: 1 })).toThrow(failing);
});
