import { IsOptional } from 'class-validator';
import { anyJson, arrayOf, dateOnly, Field, schemaOf, Tool, ToolRegistry } from 'toolmend';
import { description } from './sample-tool.ts';

@Tool({ description })
class Save {
  @Field({ type: anyJson }) payload!: unknown;
  @IsOptional()
  @Field({ type: schemaOf<string>({ type: 'string', pattern: '^[a-z]+$' }) })
  slug?: string;
  @IsOptional() @Field({ type: arrayOf(dateOnly) }) days?: string[];
  execute(): unknown {
    return Object.fromEntries(Object.entries(this));
  }
}

const call = (value: unknown) =>
  new ToolRegistry().register(Save).call({ id: '1', name: 'save', arguments: value });

test.each([[null], ['[1]'], [[{ a: null }]], [{ a: 1 }], [0]])(
  'any JSON takes %j as it is',
  async (payload) => {
    expect(await call({ payload })).toMatchObject({ status: 'completed', result: { payload } });
  },
);

test('a date alone stays the string that was sent, and a JSON Schema decides', async () => {
  const sent = { payload: 1, slug: 'ab', days: '["2026-01-01"]' };
  expect(await call(sent)).toMatchObject({
    result: { payload: 1, slug: 'ab', days: ['2026-01-01'] },
  });
  for (const wrong of [
    { days: ['2026-11-22T10:00:00Z'] },
    { days: ['2026-02-30'] },
    { slug: 'A!' },
  ])
    expect(await call({ payload: 1, ...wrong })).toMatchObject({ status: 'invalid_arguments' });
});
