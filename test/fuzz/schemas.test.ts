// T30: does any schema, however odd or hostile, end in a tool, a warning or a refusal, and in nothing else?
import { defineTool, interpret, interpretArguments, ToolRegistry } from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { fuzzSchemas, schemaReader, type SchemaReader } from '../../scripts/fuzz/fuzz-schemas.ts';
import { mutateSchema } from '../../scripts/fuzz/mutate-schema.ts';
import { Random } from '../../scripts/fuzz/random.ts';
import { propertySeed } from '../seeded-fast-check.ts';

const readerWith = (judge: { readonly validator?: typeof interpretingValidator }): SchemaReader => {
  const reader = schemaReader({ defineTool, interpret, ToolRegistry });
  return {
    ...reader,
    define: (inputSchema, onUnusableSchema) => ({
      ...reader.define(inputSchema, onUnusableSchema),
      ...judge,
    }),
  };
};

test.each([
  ['Ajv', {}, 60],
  ['the interpreting validator', { validator: interpretingValidator }, 60],
])('T30, by %s: hostile schemas crash nothing, and pollute nothing', (_name, judge, runs) => {
  const { found, ends } = fuzzSchemas({
    reader: readerWith(judge),
    seed: propertySeed,
    isOver: (done) => done >= runs,
  });
  expect(found).toBeUndefined();
  expect(ends.get('judged')).toBeGreaterThan(runs / 10);
  expect(ends.get('unjudged')).toBeGreaterThan(runs / 10);
  expect(ends.get('refused')).toBeGreaterThan(0);
});

test('a reader that breaks on one kind of schema is found out', () => {
  const reader = readerWith({});
  const breaking: SchemaReader = {
    ...reader,
    show: (contract) => {
      if (JSON.stringify(contract.inputSchema).includes('"$ref":"#')) throw new TypeError('planted');
    },
  };
  const { found } = fuzzSchemas({ reader: breaking, seed: 1, isOver: (runs) => runs >= 2000 });
  expect(found?.message).toContain('planted');
});

test('T30: a schema whose keys are those of every object declares them, and nothing else', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"},"toString":{}},"required":["constructor"],"$defs":{"__proto__":{"type":"string"}}}',
  );
  const value = JSON.parse('{"constructor":"5","__proto__":5}');
  const result = interpretArguments(schema, { value });
  expect(result.status).toBe('repaired');
  expect(JSON.stringify(Object.entries(result.status === 'rejected' ? {} : result.value))).toBe(
    '[["constructor",5],["__proto__",5]]',
  );
  expect(interpretArguments(schema, { value: {} }).status).toBe('rejected');
  expect(Reflect.get({}, 'type')).toBeUndefined();
});

test('mutated schemas are the same for the same seed, and many', () => {
  const start = { type: 'object', properties: { a: { type: 'string' } } };
  const schemas = (seed: number): readonly string[] => {
    const random = new Random(seed);
    return Array.from({ length: 200 }, () => JSON.stringify(mutateSchema(start, random, start)));
  };
  expect(schemas(1)).toEqual(schemas(1));
  expect(new Set(schemas(1)).size).toBeGreaterThan(150);
});
