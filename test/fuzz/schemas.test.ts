import { ajvValidator } from 'toolmend/ajv';
import { fc } from '../seeded-fast-check.ts';
import { type SchemaEnd, schemaProperty } from './schema-property.ts';

test.each([
  ['the default validator', {}],
  ['Ajv', { validator: ajvValidator }],
])('by %s: every hostile schema ends in a tool, a warning or a refusal', (_name, options) => {
  const ends = new Map<SchemaEnd, number>();
  fc.assert(schemaProperty(ends, options), { numRuns: 30 });
  expect(ends.get('validated')).toBeGreaterThan(0);
  expect(ends.get('unvalidated')).toBeGreaterThan(0);
  expect(ends.get('refused')).toBeGreaterThan(0);
});

test('an exception for one kind of schema is found', () => {
  const show = ({ inputSchema }: { readonly inputSchema: object }): void => {
    if (JSON.stringify(inputSchema).includes('"$ref":"#')) throw new TypeError('planted');
  };
  const limits = { numRuns: 2000, endOnFailure: true };
  const { errorInstance } = fc.check(schemaProperty(new Map(), { show }), limits);
  expect(errorInstance).toMatchObject({ message: 'planted' });
});
