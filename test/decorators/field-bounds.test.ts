import { IsInt, Min, ValidateIf } from 'class-validator';
import {
  ArrayOf,
  Default,
  DefinitionError,
  Field,
  Nullable,
  Optional,
  Tool,
  ToolRegistry,
  contractOf,
  integer,
  unionOf,
} from 'toolmend';

@Tool({ name: 'search', description: 'Searches.' })
class Search {
  @Field({ type: integer, minimum: 1, maximum: 100 }) limit!: number;
  @Field({ type: Number, minimum: -1.5 }) factor!: number;
  @Field({ type: String, minLength: 2, maxLength: 5, pattern: '^[a-z]+$' }) word!: string;
  @Field({ minItems: 1, maxItems: 2 }) @ArrayOf(String) tags!: string[];
  @Optional() @Nullable() @Field({ type: integer, maximum: 9 }) digit?: number | null;

  execute(): string {
    return JSON.stringify(this);
  }
}

const valid = { limit: 100, factor: -1.5, word: 'abc', tags: ['a'] };

const interpreted = (changes: object) =>
  new ToolRegistry()
    .register(Search)
    .interpret({ id: 'c', name: 'search', arguments: JSON.stringify({ ...valid, ...changes }) });

test('the schema has the bounds as its keywords', () => {
  expect(contractOf(Search).inputSchema['properties']).toEqual({
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    factor: { type: 'number', minimum: -1.5 },
    word: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    digit: { type: ['integer', 'null'], maximum: 9 },
  });
});

test('values at the bounds, and null where it may be, are accepted unchanged', () => {
  for (const changes of [
    {},
    { limit: 1, factor: 1e9, word: 'ab', tags: ['a', 'b'], digit: 9 },
    { word: 'abcde', digit: null },
  ])
    expect(interpreted(changes)).toMatchObject({
      status: 'accepted',
      interpretation: { value: { ...valid, ...changes }, repairs: [] },
    });
});

test.each([
  [{ limit: 0 }, 'minimum', '/limit'],
  [{ limit: 101 }, 'maximum', '/limit'],
  [{ factor: -1.6 }, 'minimum', '/factor'],
  [{ word: 'a' }, 'minLength', '/word'],
  [{ word: 'abcdef' }, 'maxLength', '/word'],
  [{ word: 'ABC' }, 'pattern', '/word'],
  [{ tags: [] }, 'minItems', '/tags'],
  [{ tags: ['a', 'b', 'c'] }, 'maxItems', '/tags'],
  [{ digit: 10 }, 'maximum', '/digit'],
])('%j is refused by %s', (changes, keyword, path) => {
  expect(interpreted(changes)).toMatchObject({
    status: 'invalid_arguments',
    interpretation: { issues: [{ keyword, path }] },
  });
});

test('a number as text is repaired only within the bounds', () => {
  expect(interpreted({ limit: '7' }).status).toBe('accepted');
  expect(interpreted({ limit: '700' }).status).toBe('invalid_arguments');
});

test('a bound alone states the type, and those of class-validator stand beside it', () => {
  class Bounds {
    @Field({ maximum: 5 }) most!: number;
    @Field({ maxLength: 5 }) name!: string;
    @IsInt() @Min(2) @Field({ maximum: 5 }) both!: number;
  }
  @Tool({ description: 'Takes bounds.' })
  class TakesBounds extends Bounds {
    execute(): string {
      return '';
    }
  }
  expect(contractOf(TakesBounds).inputSchema['properties']).toEqual({
    most: { type: 'number', maximum: 5 },
    name: { type: 'string', maxLength: 5 },
    both: { type: 'integer', minimum: 2, maximum: 5 },
  });
});

test('a bound of a field with a condition holds if the condition does', async () => {
  @Tool({ name: 'book', description: 'Books.' })
  class Book {
    @Field({ type: Boolean }) isGroup!: boolean;
    @ValidateIf(({ isGroup }: Book) => isGroup)
    @Field({ type: integer, minimum: 3 })
    seats!: number;
    execute(): string {
      return 'booked';
    }
  }
  const tools = new ToolRegistry().register(Book);
  const statusOf = async (isGroup: boolean) =>
    (await tools.call({ id: 'c', name: 'book', arguments: JSON.stringify({ isGroup, seats: 2 }) }))
      .status;
  expect([await statusOf(false), await statusOf(true)]).toEqual(['completed', 'invalid_arguments']);
});

class Wrong {
  execute(): string {
    return '';
  }
}
class Crossed extends Wrong {
  @Field({ type: integer, minimum: 5, maximum: 4 }) n!: number;
}
class CrossedWithOther extends Wrong {
  @Field({ maximum: 4 }) @IsInt() @Min(5) n!: number;
}
class OnElements extends Wrong {
  @Field({ minimum: 4 }) @ArrayOf(integer) n!: number[];
}
class OnUnion extends Wrong {
  @Field({ type: unionOf(String, Boolean), maxLength: 4 }) n!: string | boolean;
}
class WrongDefault extends Wrong {
  @Default(5) @Field({ type: integer, maximum: 4 }) n!: number;
}
class WrongValues extends Wrong {
  @Field({ type: String, minLength: -1, maxLength: 1.5, pattern: '(' }) n!: string;
}

test.each([
  [Crossed, 'has @Field({ minimum: 5 }) and @Field({ maximum: 4 }), which no value satisfies'],
  [CrossedWithOther, 'has @Min(5) and @Field({ maximum: 4 }), which no value satisfies'],
  [OnElements, 'is integer[] by @ArrayOf and number by @Field({ minimum: 4 }): remove one of them'],
  [
    OnUnion,
    'is string | boolean by @Field and string by @Field({ maxLength: 4 }): remove one of them',
  ],
  [WrongDefault, '@Default'],
  [WrongValues, 'has -1 for minLength: write an integer, at least 0'],
  [WrongValues, 'has 1.5 for maxLength: write an integer, at least 0'],
  [WrongValues, 'has "(" for pattern: write the source of a regular expression as a string'],
])('%o is refused: %s', (Class, message) => {
  Tool({ name: 'wrong', description: 'Is wrong.' })(Class);
  const register = (): unknown => new ToolRegistry().register(Class);
  expect(register).toThrow(DefinitionError);
  expect(register).toThrow(message);
});
