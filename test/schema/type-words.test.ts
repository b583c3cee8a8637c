// Types that JSON Schema doesn't have, in schemas of other programs.
import {
  type SchemaObject,
  type SchemaWarning,
  ToolRegistry,
  defineTool,
  interpretArguments,
} from 'toolmend';

const objectOf = (type: unknown, others: object = {}): SchemaObject =>
  ({ type: 'object', properties: { a: { type, ...others } }, required: ['a'] }) as SchemaObject;

/** The interpretation of arguments, and the messages of the schema's warnings. */
function read(schema: SchemaObject, value: unknown) {
  const warnings: SchemaWarning[] = [];
  const warn = (warning: SchemaWarning) => void warnings.push(warning);
  const { status, repairs, ...rest } = interpretArguments<object>(
    schema,
    { text: JSON.stringify(value) },
    { tool: 'find', warn },
  );
  const { value: readValue } = { value: undefined, ...rest };
  return { status, value: readValue, repairs, rest, warnings };
}

test.each([
  { what: 'types of JSON Schema', type: 'string', value: 'x' },
  { what: 'a list of types of JSON Schema', type: ['integer', 'null'], value: null },
])('$what stay as they are', ({ type, value }) => {
  expect(read(objectOf(type), { a: value })).toMatchObject({
    status: 'unchanged',
    value: { a: value },
    warnings: [],
  });
});

test.each([
  { type: 'str', valid: 'x', wrong: ['x', 'y'], meaning: 'string' },
  { type: 'text', valid: 'x', wrong: ['x', 'y'], meaning: 'string' },
  { type: 'STRING', valid: 'x', wrong: ['x', 'y'], meaning: 'string' },
  { type: 'int', valid: 5, wrong: 1.5, meaning: 'integer' },
  { type: 'Float', valid: 1.5, wrong: 'many', meaning: 'number' },
  { type: 'double', valid: 1.5, wrong: 'many', meaning: 'number' },
  { type: 'bool', valid: true, wrong: 'perhaps', meaning: 'boolean' },
  { type: 'dict', valid: { b: 1 }, wrong: 'b', meaning: 'object' },
  { type: 'map', valid: { b: 1 }, wrong: 'b', meaning: 'object' },
  { type: 'list', valid: [1], wrong: null, meaning: 'array' },
  { type: 'tuple', valid: [1], wrong: null, meaning: 'array' },
  { type: 'string?', valid: null, wrong: ['x', 'y'], meaning: 'string or null' },
  { type: ['int', 'null'], valid: null, wrong: 1.5, meaning: 'integer' },
])('$type is read as $meaning', ({ type, valid, wrong, meaning }) => {
  const schema = objectOf(type);
  const good = read(schema, { a: valid });

  expect(good).toMatchObject({ status: 'unchanged', value: { a: valid } });
  expect(good.rest).not.toHaveProperty('unvalidated');
  expect(good.warnings).toMatchObject([{ tool: 'find', code: 'type_words' }]);
  expect(good.warnings[0]?.message).toContain(`"${[type].flat()[0]}" as ${meaning}`);
  expect(read(schema, { a: wrong }).status).toBe('rejected');
});

test('any takes every value, and its other keywords count', () => {
  const schema = objectOf('any', { enum: ['x', 5] });

  const { status, warnings } = read(schema, { a: 5 });

  expect(status).toBe('unchanged');
  expect(warnings[0]?.message).toContain('"any" as any type');
  expect(read(schema, { a: 6 }).status).toBe('rejected');
});

test('calls are repaired by them, at every level', () => {
  const schema = {
    type: 'dict',
    properties: {
      rows: { type: 'list', items: { type: 'dict', properties: { n: { type: 'int' } } } },
    },
  } as unknown as SchemaObject;

  expect(read(schema, { rows: '[{"n":"5"}]' })).toMatchObject({
    status: 'repaired',
    value: { rows: [{ n: 5 }] },
  });
});

test('a property that is named type is none', () => {
  const schema = {
    type: 'object',
    properties: { type: { type: 'string' }, str: { type: 'string', enum: ['str'] } },
  } as const;

  expect(read(schema, { type: 'str', str: 'str' })).toMatchObject({
    status: 'unchanged',
    warnings: [],
  });
});

test.each([{ type: 'strin' }, { type: 'function' }, { type: ['str', 'strin'] }, { type: 5 }])(
  '$type means none: calls are not validated',
  ({ type }) => {
    const { rest, warnings } = read(objectOf(type), { a: 5 });

    expect(rest).toMatchObject({ unvalidated: true });
    expect(warnings).toMatchObject([{ code: 'unusable_schema' }]);
  },
);

test('the schema itself is not changed', () => {
  const schema = objectOf('str');
  read(schema, { a: 'x' });

  expect(schema).toEqual({ type: 'object', properties: { a: { type: 'str' } }, required: ['a'] });
});

test('the author of a tool is told to write JSON Schema', () => {
  const tool = defineTool({
    name: 'find',
    description: 'Finds.',
    inputSchema: objectOf('str'),
    execute: () => 'x',
  });

  expect(() => new ToolRegistry().register(tool)).toThrow(/has the unknown type "str"/);
});
