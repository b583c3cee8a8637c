import { tool as aiTool, jsonSchema } from 'ai';
import { z } from 'zod';
import { contractOf, defineTool, interpretArguments } from 'toolmend';
import { problemsOf, toolWithFields } from '../classes/sample-tool.ts';

const Look = toolWithFields('Look', {});
const city = { type: 'string' };
const own = { type: 'object', properties: { city } };

/** What both entries say of a schema; undefined: they take it. */
function refusalOf(inputSchema: unknown): string | undefined {
  const definition = { name: 'tool', description: 'Looks.', inputSchema, execute: () => 1 };
  const [defined] = problemsOf(() => Reflect.apply(defineTool, undefined, [definition]));
  const given = [inputSchema, { value: {} }];
  const problems = problemsOf(() => Reflect.apply(interpretArguments, undefined, given));
  expect(problems).toEqual(defined ? [defined] : []);
  return defined;
}

test.each<[string, unknown]>([
  ['of an object', own],
  ['with an extension alone', { 'x-order': { type: 'string' } }],
  ['with unknown keywords beside known ones', { ...own, parameters: own, schema: own, city }],
  [
    'with keywords that hold schemas',
    { additionalProperties: city, propertyNames: { pattern: '^a' } },
  ],
  ['with a condition', { if: { required: ['a'] }, else: { required: ['b'] } }],
  ['with definitions', { $ref: '#/$defs/A', $defs: { A: own } }],
  [
    'with properties of confusing names',
    { properties: { type: city, parameters: own, properties: own } },
  ],
  ['of another library, as plain data', z.toJSONSchema(z.object({ city: z.string() }))],
])('a schema is taken %s', (_title, schema) => {
  expect(refusalOf(schema)).toBeUndefined();
});

test.each<[object, string]>([
  [{ city }, 'city'],
  [{ city, note: { description: 'Anything.' }, more: {} }, 'city'],
  [{ type: city, title: city }, 'type'],
  [{ items: { type: 'array', items: city }, customer: city }, 'items'],
  [{ properties: { type: 'array', items: city }, required: { type: 'boolean' } }, 'properties'],
  [{ schema: city, table: city }, 'schema'],
  [{ kind: { enum: ['a'] } }, 'kind'],
])('properties without the object schema around them: %j', (schema, first) => {
  const problem = 'lists properties without an object schema around them';
  const instead = `write { type: 'object', properties: { ${first}: … } }`;
  expect(refusalOf(schema)).toBe(`tool has an input schema that ${problem}: ${instead}.`);
});

test('validators as properties without the object schema around them', () => {
  expect(refusalOf({ city: z.string() })).toBe(
    'tool has an input schema that is an object of validators: ' +
      "write { type: 'object', properties: { city: … } } with a JSON Schema for each.",
  );
});

test.each<[string, unknown, string]>([
  ['of a function', { name: 'a', description: 'A.', parameters: {} }, 'parameters'],
  ['of MCP', { name: 'a', inputSchema: own }, 'inputSchema'],
  ['of Anthropic', { name: 'a', input_schema: own }, 'input_schema'],
  [
    'of Bedrock',
    { toolSpec: { name: 'a', inputSchema: { json: own } } },
    'toolSpec.inputSchema.json',
  ],
  [
    'of a response',
    { type: 'json_schema', json_schema: { name: 'a', schema: own } },
    'json_schema.schema',
  ],
  [
    'made by tool() of the AI SDK',
    aiTool({ inputSchema: jsonSchema({}) }),
    'inputSchema.jsonSchema',
  ],
  ['that is a contract of ours', contractOf(Look), 'inputSchema'],
])('an object around the schema: %s', (_title, schema, path) => {
  const words = 'is a wrapper around the schema: pass its';
  expect(refusalOf(schema)).toBe(`tool has an input schema that ${words} ${path}.`);
});

const unmarked = { type: 'object', _def: {}, parse: (value: unknown) => value };
const mark = { vendor: 'valibot', version: 1 };
const valibot = { kind: 'schema', type: 'object', '~standard': mark, '~run': () => 1 };
const arktype = Object.assign(() => true, { '~standard': { vendor: 'arktype', version: 1 } });

test.each<[string, unknown, string]>([
  [
    'of valibot',
    valibot,
    " of valibot: pass the JSON Schema that toJsonSchema of '@valibot/to-json-schema'",
  ],
  ['that is a function', arktype, ' of arktype: pass the JSON Schema that its method toJsonSchema'],
  ['without the standard’s mark', unmarked, ': pass the JSON Schema that its library'],
])('a validator that can’t validate: %s', (_title, schema, words) => {
  expect(refusalOf(schema)).toBe(
    `tool has an input schema that is a validator${words} makes from it.`,
  );
});

test.each<[string, unknown, string]>([
  ['a class', Look, 'is a class or a function'],
  ['a string', 'object', 'is not the schema of an object'],
  ['the schema of a string', city, 'is not the schema of an object'],
])('%s is refused', (_title, schema, words) => {
  const instead = "write { type: 'object', properties";
  expect(refusalOf(schema)).toContain(`tool has an input schema that ${words}: ${instead}`);
});
