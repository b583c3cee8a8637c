import { MinLength } from 'class-validator';
import { type JsonValue, Field, Optional, Tool, ToolRegistry, arrayOf, integer } from 'toolmend';

@Tool({ description: 'Find notes.' })
class FindNotes {
  @Field({ type: String }) text!: string;
  @Optional() @Field({ type: integer }) days?: number;
  @Optional() @Field({ type: arrayOf(String) }) tags: string[] = ['all'];
  @Optional() @Field({ type: String }) @MinLength(2) author?: string;

  execute(): string {
    return JSON.stringify(this);
  }
}

class Days {
  @Optional() @Field({ type: integer }) days?: number;
}

@Tool({ description: 'Find later notes.' })
class FindLater extends Days {
  @Field({ type: String }) text!: string;

  execute(): string {
    return JSON.stringify(this);
  }
}

const call = async (args: JsonValue, name = 'find_notes') => {
  const tools = new ToolRegistry().register(FindNotes, FindLater);
  const outcome = await tools.call({ id: 'call_1', name, arguments: JSON.stringify(args) });
  return outcome.status === 'completed' ? JSON.parse(String(outcome.result)) : outcome;
};

test('an optional field may be absent, and an initializer is its default', async () => {
  expect(await call({ text: 'a' })).toEqual({ text: 'a', tags: ['all'] });
  expect(await call({ text: 'a', days: 3, tags: [], author: 'ann' })).toEqual({
    text: 'a',
    days: 3,
    tags: [],
    author: 'ann',
  });
  expect(await call({ text: 'a', days: '3' })).toEqual({ text: 'a', days: 3, tags: ['all'] });
});

test('an inherited field stays optional', async () => {
  expect(await call({ text: 'a' }, 'find_later')).toEqual({ text: 'a' });
});

test('an optional field that is sent is validated, and required ones stay required', async () => {
  expect(await call({ text: 'a', author: 'x' })).toMatchObject({ status: 'invalid_arguments' });
  expect(await call({ text: 'a', days: 1.5 })).toMatchObject({ status: 'invalid_arguments' });
  expect(await call({ days: 1 })).toMatchObject({ status: 'invalid_arguments' });
});
