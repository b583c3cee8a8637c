import { IsDateString, IsOptional, IsString, MaxLength } from 'class-validator';
import {
  anyJson,
  arrayOf,
  contractOf,
  dateOnly,
  Describe,
  Field,
  PathField,
  schemaOf,
  Tool,
  ToolRegistry,
} from 'toolmend';
import { description, problemsOf, toolWithField } from './sample-tool.ts';

@Tool({ description })
class Save {
  @Describe('Anything.') @Field({ type: anyJson }) payload!: unknown;
  @Field({ type: dateOnly }) day!: string;
  @IsOptional() @Field({ type: schemaOf<string>({ type: 'string', pattern: '^[a-z]+$' }) }) slug?: string;
  @IsOptional() @Field({ type: arrayOf(dateOnly) }) days?: string[];
  execute(): unknown {
    return Object.fromEntries(Object.entries(this));
  }
}

const call = async (value: unknown) => {
  const outcome = await new ToolRegistry().register(Save).call({ id: '1', name: 'save', arguments: value });
  return outcome.status === 'completed' ? outcome.result : outcome;
};

test('any JSON, a date alone and a JSON Schema are types of fields', () => {
  expect(contractOf(Save).inputSchema).toEqual({
    type: 'object',
    properties: {
      payload: { description: 'Anything.' },
      day: { type: 'string', format: 'date' },
      slug: { type: 'string', pattern: '^[a-z]+$' },
      days: { type: 'array', items: { type: 'string', format: 'date' } },
    },
    required: ['payload', 'day'],
    additionalProperties: false,
  });
});

test.each([[null], ['[1]'], [[{ a: null }]], [{ a: 1 }], [0]])(
  'any JSON takes %j as it is',
  async (payload) => {
    expect(await call({ payload, day: '2026-11-22' })).toEqual({ payload, day: '2026-11-22' });
  },
);

test('a date alone stays the string that was sent', async () => {
  const sent = { payload: 1, day: '2026-11-22' };
  expect(await call({ ...sent, days: '["2026-01-01"]' })).toEqual({ ...sent, days: ['2026-01-01'] });
  for (const day of ['2026-11-22T10:00:00Z', '2026-02-30'])
    expect(await call({ payload: 1, day })).toMatchObject({ status: 'invalid_arguments' });
});

test('a JSON Schema decides', async () => {
  const valid = { payload: 1, day: '2026-11-22', slug: 'ab' };
  expect(await call(valid)).toMatchObject({ slug: 'ab' });
  expect(await call({ ...valid, slug: 'A!' })).toMatchObject({ status: 'invalid_arguments' });
});

test('other decorators may narrow any JSON and a date', () => {
  const schemaOfField = (...decorators: readonly PropertyDecorator[]): unknown =>
    contractOf(toolWithField(...decorators)).inputSchema.properties?.['field'];
  const any = Field({ type: anyJson });
  expect(schemaOfField(any, IsString(), MaxLength(5))).toEqual({ type: 'string', maxLength: 5 });
  const day = schemaOfField(Field({ type: dateOnly }), IsDateString());
  expect(day).toMatchObject({ type: 'string', format: 'date' });
  expect(schemaOfField(any, PathField())).toEqual({});
});

test.each([
  [
    [Field({ type: schemaOf({ $ref: '#/$defs/a' }) })],
    'has a schemaOf with a $ref: write what it refers to in its place.',
  ],
  [
    [Field({ type: schemaOf([]) })],
    "has a schemaOf that is not a schema: write a JSON Schema, schemaOf({ type: 'string', … }).",
  ],
  [
    [Field({ type: schemaOf({ type: 'string' }) }), IsString()],
    'is a JSON Schema by @Field and string by @IsString: remove one of them.',
  ],
])('%#: problems are reported', (decorators, problem) => {
  expect(problemsOf(() => contractOf(toolWithField(...decorators)))).toEqual([`Sample.field ${problem}`]);
});
