// Is a tool a Standard Schema as others expect one, and does its validate repair?
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  type ArgumentsOf,
  ArrayOf,
  contractOf,
  Default,
  defineTool,
  DefinitionError,
  Describe,
  type Interpretation,
  Nested,
  PairedDefault,
  PathField,
  standardSchema,
  Tool,
  ToolMethod,
  ToolRegistry,
} from 'toolmend';

class Range {
  @IsInt()
  from!: number;
}

@Tool({ description: 'Read text files.', effects: 'read' })
class ReadFiles {
  @ArrayOf(String)
  @PathField()
  @Describe('Paths.')
  paths!: string[];

  @IsOptional()
  @IsInt()
  @Min(0)
  offset?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @PairedDefault('offset', 0)
  limit?: number;

  @IsString()
  @Default('utf8')
  encoding!: string;

  @IsOptional()
  @ArrayOf(() => Range)
  ranges?: Range[];

  @IsOptional()
  @Nested(() => Range)
  range?: Range;

  execute(): string {
    return this.paths.join();
  }
}

test('it is a Standard Schema and a Standard JSON Schema, of the class without its methods', () => {
  const schema: StandardSchemaV1<unknown, { paths: string[]; limit?: number; encoding: string }> &
    StandardJSONSchemaV1 = standardSchema(ReadFiles);
  const { version, vendor } = schema['~standard'];
  expect([version, vendor]).toEqual([1, 'toolmend']);
  const keys: readonly (keyof ArgumentsOf<typeof ReadFiles>)[] = ['paths', 'offset', 'limit', 'encoding'];
  const isArgument: 'execute' extends keyof ArgumentsOf<typeof ReadFiles> ? true : false = false;
  expect([keys.length, isArgument]).toEqual([4, false]);
  expect(standardSchema(ReadFiles)).toMatchObject({
    name: 'read_files',
    description: expect.stringMatching(/^Read text files\./),
  });
});

test('a valid value stays what it is, in a copy, with the defaults of what is absent', () => {
  const sent = { paths: ['a.txt'], limit: 2, offset: 1 };
  const result = standardSchema(ReadFiles)['~standard'].validate(sent);
  expect(result).toEqual({ value: { paths: ['a.txt'], limit: 2, offset: 1, encoding: 'utf8' } });
  expect(sent).toEqual({ paths: ['a.txt'], limit: 2, offset: 1 });
});

test('a near miss is repaired, at once and not by a promise, and what it can’t say is told', () => {
  const told: Interpretation[] = [];
  const { validate } = standardSchema(ReadFiles, { onInterpretation: (one) => told.push(one) })['~standard'];
  const result = validate({ paths: '["a.txt"]', limit: '2' });
  expect(result).toEqual({ value: { paths: ['a.txt'], limit: 2, offset: 0, encoding: 'utf8' } });
  expect(told.map(({ status, repairs }) => [status, repairs.map(({ rule }) => rule)])).toEqual([
    ['repaired', ['json_text_to_array', 'text_to_integer', 'pairs']],
  ]);
  expect(told[0]?.notes.map(({ text }) => text)).toEqual(['offset was not sent; 0 was used.']);
});

test('a listener that throws changes nothing', () => {
  const onInterpretation = (): never => {
    throw new Error('listener');
  };
  const { validate } = standardSchema(ReadFiles, { onInterpretation })['~standard'];
  expect(validate({ paths: ['a'] })).toEqual({ value: { paths: ['a'], encoding: 'utf8' } });
});

test('arguments as text, or none at all, are read as a call’s are', () => {
  const { validate } = standardSchema(ReadFiles)['~standard'];
  const now = defineTool({
    name: 'now',
    description: 'The time.',
    inputSchema: { type: 'object', properties: {} },
    execute: () => 'noon',
  });

  expect(validate('{"paths": ["a"]}')).toEqual({ value: { paths: ['a'], encoding: 'utf8' } });
  expect(standardSchema(now)['~standard'].validate(undefined)).toEqual({ value: {} });
});

test('what is wrong is told place by place, and at the end what to send', () => {
  const { validate } = standardSchema(ReadFiles)['~standard'];
  expect(validate({ paths: 'a, b', limit: 0 }).issues).toEqual([
    { message: 'expected an array of strings, got the string "a, b"', path: ['paths'] },
    { message: 'expected an integer of at least 1, got 0', path: ['limit'] },
    {
      message: expect.stringMatching(
        /^Expected: \{ paths: string\[\][^\n]+\nExample: \{"paths":\["[^\n]+\nSend the whole call again/,
      ),
    },
  ]);
  expect(validate({ paths: ['a', 7] }).issues?.[0]).toMatchObject({ path: ['paths', 1] });
  expect(validate({ paths: ['a'], ranges: [{ from: 1 }, {}] }).issues?.[0]).toEqual({
    message: 'is missing: expected an integer',
    path: ['ranges', 1, 'from'],
  });
  expect(validate({}).issues?.[0]).toEqual({
    message: 'is missing: expected an array of strings',
    path: ['paths'],
  });
  expect(validate(7).issues?.[0]).toMatchObject({ path: [] });
});

test('a destructive tool that would need confirmation says what to send', () => {
  const wipe = defineTool({
    name: 'wipe',
    description: 'Wipe a disk.',
    effects: 'destructive',
    inputSchema: {
      type: 'object',
      properties: { disk: { type: 'string' }, passes: { type: 'integer' } },
      required: ['disk'],
      additionalProperties: false,
    },
    execute: () => 'wiped',
  });
  const issues = standardSchema(wipe)['~standard'].validate({ disk: 'a', passes: null }).issues ?? [];
  expect(issues.at(-1)?.message).toContain('If this is what you mean, send exactly: {"disk":"a"}');
});

test('the JSON Schema is what models see, as a copy, in both drafts that are in use', () => {
  const tool = defineTool({
    name: 'place',
    description: 'Place.',
    inputSchema: {
      type: 'object',
      properties: {
        at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
      },
      dependentRequired: { x: ['at'] },
    },
    execute: () => '',
  });
  const { jsonSchema } = standardSchema(tool)['~standard'];
  const first = jsonSchema.input({ target: 'draft-2020-12' });
  first['mine'] = true;

  expect(jsonSchema.input({ target: 'draft-2020-12' })).toEqual({
    type: 'object',
    properties: {
      at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
    },
    dependentRequired: { x: ['at'] },
  });
  expect(jsonSchema.output({ target: 'draft-07' })).toEqual({
    type: 'object',
    properties: {
      at: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
    },
    dependencies: { x: ['at'] },
  });
  expect(() => jsonSchema.input({ target: 'openapi-3.0' })).toThrow('ask for draft-2020-12 or draft-07');
});

test('in a provider’s form what comes back is read in that form', () => {
  const schema = standardSchema(ReadFiles, { provider: 'openai-strict' });
  const { jsonSchema, validate } = schema['~standard'];
  const sent = { paths: ['a'], offset: null, limit: null, encoding: null, ranges: null, range: null };

  expect(jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject({
    required: ['paths', 'offset', 'limit', 'encoding', 'ranges', 'range'],
    additionalProperties: false,
  });
  expect(validate(sent)).toEqual({ value: { paths: ['a'], encoding: 'utf8' } });
});

test('contracts of a class, of a registry and of defineTool all offer it', () => {
  const registry = new ToolRegistry().register(ReadFiles);
  for (const contract of [contractOf(ReadFiles), ...registry.contracts()]) {
    expect(standardSchema(contract)['~standard'].validate({ paths: 'a' })).toEqual({
      value: { paths: ['a'], encoding: 'utf8' },
    });
  }
  expect(registry.contracts().map(({ name }) => name)).toEqual(['read_files']);
});

test('a class that is no tool, or has its tools on methods, and a provider that there is not are refused', () => {
  class Plain {}
  class Service {
    @ToolMethod(Range, { description: 'Reads.' })
    read(): string {
      return '';
    }
  }
  const provider = 'klingon';
  expect(() => standardSchema(Plain)).toThrow(DefinitionError);
  expect(() => standardSchema(Service)).toThrow('contractsOf');
  expect(() => Reflect.apply(standardSchema, undefined, [ReadFiles, { provider }])).toThrow(
    'has "klingon" for provider',
  );
});

test('no code of a value runs, whatever it is', () => {
  const { validate } = standardSchema(ReadFiles)['~standard'];
  const value = Object.defineProperty({ paths: ['a'] }, 'limit', {
    enumerable: true,
    get: () => {
      throw new Error('looked at');
    },
  });

  expect(validate(value)).toMatchObject({ issues: [{ path: ['limit'] }, {}] });
});

test('whoever is told of an interpretation may fail later, too', async () => {
  const unhandled: unknown[] = [];
  const remember = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', remember);
  const schema = standardSchema(ReadFiles, {
    onInterpretation: async () => {
      throw new Error('no log');
    },
  });

  expect(schema['~standard'].validate({ paths: ['a'] })).toMatchObject({ value: { paths: ['a'] } });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', remember);
  expect(unhandled).toEqual([]);
});
