import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  type ArgumentsOf,
  ArrayOf,
  contractOf,
  Default,
  DefinitionError,
  type Interpretation,
  Nested,
  PairedDefault,
  PathField,
  standardSchema,
  Tool,
  ToolMethod,
  ToolRegistry,
} from 'toolmend';
import { closedOf, mapOf, number, text, whole } from '../../schemas.ts';
import { thrower, toolOf, unhandledDuring } from '../../tools.ts';

class Range {
  @IsInt() from!: number;
}

@Tool({ description: 'Read text files.', effects: 'read' })
class ReadFiles {
  @ArrayOf(String) @PathField() paths!: string[];
  @IsOptional() @IsInt() @Min(0) offset?: number;
  @IsOptional() @IsInt() @Min(1) @PairedDefault('offset', 0) limit?: number;
  @IsString() @Default('utf8') encoding!: string;
  @IsOptional() @ArrayOf(() => Range) ranges?: Range[];
  @IsOptional() @Nested(() => Range) range?: Range;
  execute(): string {
    return this.paths.join();
  }
}

const { validate } = standardSchema(ReadFiles)['~standard'];

test('a tool class is a Standard Schema and a Standard JSON Schema of its fields', () => {
  const schema: StandardSchemaV1<unknown, { paths: string[]; limit?: number; encoding: string }> &
    StandardJSONSchemaV1 = standardSchema(ReadFiles);
  expect(schema['~standard']).toMatchObject({ version: 1, vendor: 'toolmend' });
  const keys: readonly (keyof ArgumentsOf<typeof ReadFiles>)[] = [
    'paths',
    'offset',
    'limit',
    'encoding',
  ];
  const isArgument: 'execute' extends keyof ArgumentsOf<typeof ReadFiles> ? true : false = false;
  expect([keys.length, isArgument]).toEqual([4, false]);
  const description = expect.stringMatching(/^Read text files\./);
  expect(standardSchema(ReadFiles)).toMatchObject({ name: 'read_files', description });
});

test('a valid value is copied, with the defaults of what is absent', () => {
  const sent = { paths: ['a.txt'], limit: 2, offset: 1 };
  expect(validate(sent)).toEqual({
    value: { paths: ['a.txt'], limit: 2, offset: 1, encoding: 'utf8' },
  });
  expect(sent).toEqual({ paths: ['a.txt'], limit: 2, offset: 1 });
});

test('a near-miss is repaired synchronously, and the interpretation is handed over', () => {
  const told: Interpretation[] = [];
  const schema = standardSchema(ReadFiles, { onInterpretation: (one) => told.push(one) });
  const result = schema['~standard'].validate({ paths: '["a.txt"]', limit: '2' });
  expect(result).toEqual({ value: { paths: ['a.txt'], limit: 2, offset: 0, encoding: 'utf8' } });
  expect(told.map(({ status, repairs }) => [status, ...repairs.map(({ rule }) => rule)])).toEqual([
    ['repaired', 'json_text_to_array', 'text_to_integer', 'dependent_default'],
  ]);
  expect(told[0]?.notes.map(({ text: said }) => said)).toEqual([
    'offset was not sent; 0 was used.',
  ]);
});

test('an onInterpretation that throws, now or later, changes nothing', async () => {
  const refuse = thrower(new Error('listener'));
  const unhandled = await unhandledDuring(() => {
    for (const onInterpretation of [refuse, async () => refuse()]) {
      const schema = standardSchema(ReadFiles, { onInterpretation });
      expect(schema['~standard'].validate({ paths: ['a'] })).toMatchObject({
        value: { paths: ['a'] },
      });
    }
  });
  expect(unhandled).toEqual([]);
});

test('arguments can be text, or absent', () => {
  expect(validate('{"paths": ["a"]}')).toEqual({ value: { paths: ['a'], encoding: 'utf8' } });
  expect(standardSchema(toolOf(() => 'noon'))['~standard'].validate(undefined)).toEqual({
    value: {},
  });
});

test('issues have paths; the last one says what to send', () => {
  expect(validate({ paths: 'a, b', limit: 0 }).issues).toEqual([
    {
      message:
        'expected an array of strings, got the string "a, b"; did you mean ["a","b"] or ["a, b"]?',
      path: ['paths'],
    },
    { message: 'expected an integer of at least 1, got 0', path: ['limit'] },
    {
      message: expect.stringMatching(
        /^Expected: \{ paths: string\[\][^\n]+\nExample: \{"paths":\["[^\n]+\nSend the whole call again/,
      ),
    },
  ]);
  const firstOf = (sent: unknown) => validate(sent).issues?.[0];
  expect(firstOf({ paths: ['a', 7] })).toMatchObject({ path: ['paths', 1] });
  const message = 'is missing: expected an integer';
  const path = ['ranges', 1, 'from'];
  expect(firstOf({ paths: ['a'], ranges: [{ from: 1 }, {}] })).toEqual({ message, path });
  expect([firstOf({}), firstOf(7)]).toMatchObject([{ path: ['paths'] }, { path: [] }]);
});

test('a destructive tool that needs a confirmation says what to send', () => {
  const inputSchema = closedOf({ disk: text, passes: whole }, ['disk']);
  const wipe = toolOf(() => 'wiped', { effects: 'destructive', inputSchema });
  const { issues = [] } = standardSchema(wipe)['~standard'].validate({ disk: 'a', passes: null });
  expect(issues.at(-1)?.message).toContain('If this is what you mean, send exactly: {"disk":"a"}');
});

test('its JSON Schema is a copy of what models see, in both common drafts', () => {
  const at = { type: 'array', prefixItems: [number, whole], items: false } as const;
  const inputSchema = {
    type: 'object',
    properties: { at },
    dependentRequired: { x: ['at'] },
  } as const;
  const { jsonSchema } = standardSchema(toolOf(() => '', { inputSchema }))['~standard'];
  jsonSchema.input({ target: 'draft-2020-12' })['mine'] = true;
  expect(jsonSchema.input({ target: 'draft-2020-12' })).toEqual(inputSchema);
  const properties = { at: { type: 'array', items: [number, whole], additionalItems: false } };
  const draft7 = { type: 'object', properties, dependencies: { x: ['at'] } };
  expect(jsonSchema.output({ target: 'draft-07' })).toEqual(draft7);
  expect(() => jsonSchema.input({ target: 'openapi-3.0' })).toThrow(
    'ask for draft-2020-12 or draft-07',
  );
});

test('with a provider’s schema, arguments are read in that schema; a map is refused for strict mode', () => {
  const { '~standard': strict } = standardSchema(ReadFiles, { provider: 'openai-strict' });
  const sent = {
    paths: ['a'],
    offset: null,
    limit: null,
    encoding: null,
    ranges: null,
    range: null,
  };
  const required = ['paths', 'offset', 'limit', 'encoding', 'ranges', 'range'];
  expect(strict.jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject({ required });
  expect(strict.validate(sent)).toEqual({ value: { paths: ['a'], encoding: 'utf8' } });
  const open = toolOf(() => '', { inputSchema: closedOf({ at: mapOf(number) }) });
  const message = "accepts undeclared keys at /properties/at, which strict mode can't express";
  expect(() => standardSchema(open, { provider: 'openai-strict' })).toThrow(message);
});

test('it can be made of a contract of a class or a registry', () => {
  const contracts = [contractOf(ReadFiles), ...new ToolRegistry().register(ReadFiles).contracts()];
  const read = contracts.map((contract) =>
    standardSchema(contract)['~standard'].validate({ paths: 'a' }),
  );
  const expected = { value: { paths: ['a'], encoding: 'utf8' } };
  expect(read).toEqual([expected, expected]);
});

test('a class that is not one tool, and an unknown provider, are refused', () => {
  class Service {
    @ToolMethod(Range, { description: 'Reads.' })
    read(): void {}
  }
  const klingon = [ReadFiles, { provider: 'klingon' }];
  expect(() => standardSchema(Range)).toThrow(DefinitionError);
  expect(() => Reflect.apply(standardSchema, undefined, [{ type: 'object' }])).toThrow(
    'was given no tool',
  );
  expect(() => standardSchema(Service)).toThrow('contractsOf');
  expect(() => Reflect.apply(standardSchema, undefined, klingon)).toThrow(
    'has "klingon" for provider',
  );
});
