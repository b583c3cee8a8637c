import { createRequire } from 'node:module';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsDate,
  IsEnum,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import {
  type Constructor,
  contractOf,
  contractsOf,
  Describe,
  Example,
  Nested,
  Secret,
  Tool,
  ToolMethod,
  ToolRegistry,
} from 'toolmend';
import { closedOf, listOf, text, whole } from '../schemas.ts';
import { thrower } from '../tools.ts';
import { description, problemsOf, toolWithField, toolWithFields } from './sample-tool.ts';

const problemsIn = (Class: Constructor): readonly string[] => problemsOf(() => contractOf(Class));

/** A service with one tool, which returns the instance of its DTO. */
function serviceOf(
  Dto: Constructor,
  options: Partial<Parameters<typeof ToolMethod>[1]> = {},
): Constructor {
  class Service {
    run(dto: unknown): unknown {
      return dto;
    }
  }
  const onMethod = [
    Service.prototype,
    'run',
    Object.getOwnPropertyDescriptor(Service.prototype, 'run'),
  ];
  Reflect.apply(ToolMethod(Dto, { description, ...options }), undefined, onMethod);
  return Service;
}

const call = (Service: Constructor, value: unknown) =>
  new ToolRegistry().register(Service).call({ id: '1', name: 'run', arguments: value });

/** The instance of the DTO. */
async function sent(Service: Constructor, value: unknown): Promise<unknown> {
  const outcome = await call(Service, value);
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
  return outcome.result;
}

describe('an initializer of an optional field', () => {
  class Page {
    @IsOptional() @IsInt() @Min(1) limit = 20;
    @IsOptional() @IsString({ each: true }) tags: string[] = ['new'];
    @IsOptional() @IsString() note?: string;
  }
  const Pages = serviceOf(Page);

  test('is the default that models see', () => {
    const properties = { limit: { type: 'integer', default: 20 }, tags: { default: ['new'] } };
    expect(contractsOf(Pages)).toMatchObject([{ inputSchema: { properties } }]);
    expect(contractsOf(Pages)[0]?.inputSchema).not.toHaveProperty('required');
  });

  test('is the value of an absent field, and of a null that repair removes; each call gets a copy', async () => {
    expect(await sent(Pages, { limit: 5 })).toEqual({ limit: 5, tags: ['new'] });
    const first = await sent(Pages, { limit: null });
    Reflect.get(Object(first), 'tags').push('changed');
    expect(first).toBeInstanceOf(Page);
    expect(await sent(Pages, {})).toEqual({ limit: 20, tags: ['new'] });
  });

  test('is a default in a class with injected dependencies too', async () => {
    @Tool({ description })
    class Search {
      @IsOptional() @IsInt() limit = 20;
      constructor(private readonly store: ReadonlyMap<number, string>) {}
      execute(): unknown {
        return this.store.get(this.limit);
      }
    }
    expect(contractOf(Search).inputSchema.properties).toEqual({
      limit: { type: 'integer', default: 20 },
    });
    const create = (Class: Constructor): object =>
      Reflect.construct(Class, [new Map([[20, 'twenty']])]);
    const tools = new ToolRegistry({ create }).register(Search);
    expect(await tools.call({ id: '1', name: 'search', arguments: {} })).toMatchObject({
      result: 'twenty',
    });
  });

  test('that the field refuses is reported, and one that makes another value each time ends the call', async () => {
    let made = 0;
    class Numbered {
      @IsOptional() @IsInt() @Min(1) id = (made += 1);
    }
    const cause = { problems: [{ where: 'Numbered.id' }] };
    expect(await call(serviceOf(Numbered), {})).toMatchObject({ status: 'failed', cause });
    class Wrong {
      @IsOptional() @IsInt() @Min(1) limit = 0;
    }
    const refused = 'which its schema refuses: write an integer of at least 1.';
    const problems = problemsOf(() => contractsOf(serviceOf(Wrong)));
    expect(problems).toEqual([`Wrong.limit has an initializer with 0, ${refused}`]);
  });
});

describe('validation groups', () => {
  const update = { groups: ['update'] };

  class Task {
    @IsString({ groups: ['create'] }) title!: string;
    @IsOptional(update) @IsString(update) @IsIn(['never'], { groups: ['other'] }) state?: string;
    @IsInt(update) @Min(10, { groups: ['create'] }) @Describe('Its number.') id!: number;
    @IsOptional() @IsString() note?: string;
    @IsInt({ always: true }) always!: number;
  }

  test('of the tool decide which decorators apply, and may differ between the tools of one DTO', () => {
    const schemaFor = (...groups: string[]) =>
      contractsOf(serviceOf(Task, { groups }))[0]?.inputSchema;
    const id = { ...whole, description: 'Its number.' };
    const fields = { state: text, id, note: text, always: whole };
    expect(schemaFor('update')).toEqual(closedOf(fields, ['id', 'always']));
    const names = Object.keys(schemaFor('create', 'update')?.properties ?? {});
    expect(names).toEqual(['title', ...Object.keys(fields)]);
  });
});

describe('@Transform', () => {
  class Place {
    @IsString() @Transform(({ value }: { value: string }) => value.toUpperCase()) name!: string;
  }
  class Visit {
    @IsString() @Transform(({ value }: { value: string }) => value.trim()) guest!: string;
    @IsInt()
    @Transform(({ value, obj, key }) => new Date(value + obj.offset + key.length))
    at!: Date;
    @IsOptional() @IsInt() offset = 0;
    @IsOptional() @IsString() @Transform(() => 'never') absent?: string;
    @Nested(() => Place) @Transform(({ value }) => ({ name: `${value.name}!` })) place!: Place;
    @ValidateNested() @Type(() => Place) other!: Place;
    @IsOptional() @IsDate() @Transform(({ value }) => value) day?: Date;
  }
  const Visits = serviceOf(Visit, { transform: true });
  const day = '2026-01-02T03:04:05Z';
  const value = {
    guest: ' Ada ',
    at: 1,
    offset: 2,
    place: { name: 'x' },
    other: { name: 'y' },
    day,
  };

  test('makes the values of the instance, after what was sent was validated', async () => {
    const [place, other] = ['X!', 'Y'].map((name) => Object.assign(new Place(), { name }));
    const made = { guest: 'Ada', at: new Date(5), offset: 2, place, other, day: new Date(day) };
    expect(await sent(Visits, value)).toStrictEqual(Object.assign(new Visit(), made));
  });

  test('doesn’t change the schema or the arguments of the call', async () => {
    const interpretation = { status: 'unchanged', value };
    expect(await call(Visits, value)).toMatchObject({ status: 'completed', interpretation });
    expect(contractsOf(Visits)[0]?.inputSchema.properties).toMatchObject({
      at: { type: 'integer' },
    });
  });

  test('that throws ends the call as failed', async () => {
    const Broken = toolWithField(IsString(), Transform(thrower(new Error('secret'))));
    const outcome = await call(serviceOf(Broken, { transform: true }), { field: 'a' });
    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception' });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });
});

/** Loads the package anew, beside the one that this file imports. */
function secondClassValidator(): { IsInt: typeof IsInt; IsOptional: typeof IsOptional } {
  const require = createRequire(import.meta.url);
  const first = Object.entries(require.cache).filter(([path]) => path.includes('class-validator'));
  for (const [path] of first) delete require.cache[path];
  try {
    return require('class-validator');
  } finally {
    for (const [path, module] of first) require.cache[path] = module;
  }
}

test('decorators of a second copy of class-validator count', () => {
  const { IsInt: IsIntOfCopy, IsOptional: IsOptionalOfCopy } = secondClassValidator();
  expect(IsIntOfCopy).not.toBe(IsInt);
  const Count = toolWithFields('Count', {
    count: [IsIntOfCopy()],
    note: [IsOptionalOfCopy(), IsString()],
  });
  expect(contractOf(Count).inputSchema).toEqual(closedOf({ count: whole, note: text }, ['count']));
});

enum Size {
  Small = 's',
  Large = 'l',
}
const sizes = { ...text, enum: ['s', 'l'] };

describe('@ApiProperty of @nestjs/swagger', () => {
  /** Stores what the decorator stores in version 11. */
  const ApiProperty =
    (options: object): PropertyDecorator =>
    (prototype, name) => {
      const names: unknown = Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype);
      const list = [...(Array.isArray(names) ? names : []), `:${String(name)}`];
      Reflect.defineMetadata('swagger/apiModelPropertiesArray', list, prototype);
      Reflect.defineMetadata(
        'swagger/apiModelProperties',
        { required: true, ...options },
        prototype,
        name,
      );
    };
  test('gives description, enum and examples', () => {
    const Order = toolWithFields('Order', {
      article: [ApiProperty({ description: 'The article.', example: 'ink' }), IsString()],
      size: [ApiProperty({ enum: ['s', 'l'], type: 'string' }), IsString()],
      sizes: [
        ApiProperty({ type: 'array', items: sizes, examples: { one: { value: ['s'] } } }),
        IsArray(),
      ],
      others: [ApiProperty({ enum: () => Size }), IsEnum(Size, { each: true })],
      day: [ApiProperty({ example: new Date(0) }), IsDate()],
    });
    expect(contractOf(Order).inputSchema.properties).toEqual({
      article: { ...text, description: 'The article.', examples: ['ink'] },
      size: sizes,
      sizes: listOf(sizes, { examples: [['s']] }),
      others: listOf(sizes),
      day: { ...text, format: 'date-time', examples: ['1970-01-01T00:00:00.000Z'] },
    });
  });

  test('counts less than toolmend’s own decorators, and shows no secret', () => {
    const b = [Example('b'), IsString()];
    const Login = toolWithFields('Login', {
      user: [
        ApiProperty({ description: 'For people.', example: 'a' }),
        Describe('For models.'),
        ...b,
      ],
      password: [
        ApiProperty({ description: 'Its password.', example: 'hunter2' }),
        Secret(),
        IsString(),
      ],
    });
    const { properties } = contractOf(Login).inputSchema;
    const user = { ...text, description: 'For models.', examples: ['b'] };
    expect(properties).toMatchObject({ user, password: { description: 'Its password.' } });
    expect(JSON.stringify(properties)).not.toContain('hunter2');
  });

  test('alone on a field, also a parent’s, is reported', () => {
    class Base {
      @ApiProperty({}) created!: string;
    }
    @Tool({ description })
    class Order extends Base {
      @ApiProperty({ enum: ['a'] }) kind!: string;
      @ApiProperty({}) @IsIn(['a']) fine!: string;
      execute(): void {}
    }
    const problem = (field: string): string =>
      `Order.${field} has only @ApiProperty, which validates nothing, so models don't see it: write @IsString(), @IsInt() or another decorator that states its type.`;
    expect(problemsIn(Order)).toEqual([problem('created'), problem('kind')]);
  });

  test('with an example that the field refuses is reported', () => {
    const refused =
      'Sample.field has @ApiProperty with "one", which its schema refuses: write an integer.';
    expect(problemsIn(toolWithField(ApiProperty({ example: 'one' }), IsInt()))).toEqual([refused]);
  });
});

describe('the compiler plugin of @nestjs/swagger', () => {
  /** As the plugin writes it, with the comments of the source. */
  class Parent {
    @IsString() article!: string;
    @IsOptional() @IsString() note?: string;
    static _OPENAPI_METADATA_FACTORY() {
      return {
        article: {
          required: true,
          type: () => String,
          description: 'The article.',
          example: 'ink',
        },
        note: { required: false, type: () => String, description: 'Of the parent.' },
      };
    }
  }

  @Tool({ description })
  class Order extends Parent {
    @IsEnum(Size) size!: Size;
    @IsEnum(Size, { each: true }) sizes!: Size[];
    @IsOptional() @IsString() declare note?: string;
    @Describe('How many.') @IsInt() count!: number;
    static override _OPENAPI_METADATA_FACTORY() {
      return {
        size: { required: true, description: 'Its size.', enum: Size },
        sizes: { required: true, enum: Size, isArray: true, examples: [['s']] },
        note: { required: false, type: () => String, description: 'Of the child.' },
        count: { required: true, type: () => Number, description: 'For people.', minimum: 1 },
      } as never;
    }
    execute(): void {}
  }

  test('gives description, enum and examples, and counts less than decorators', () => {
    expect(contractOf(Order).inputSchema.properties).toEqual({
      article: { type: 'string', description: 'The article.', examples: ['ink'] },
      note: { type: 'string', description: 'Of the child.' },
      size: { ...sizes, description: 'Its size.' },
      sizes: listOf(sizes, { examples: [['s']] }),
      count: { type: 'integer', description: 'How many.' },
    });
  });

  test('alone on a field is reported', () => {
    const Bare = toolWithFields('Bare', {});
    const _OPENAPI_METADATA_FACTORY = () => ({ kind: { required: true, type: () => String } });
    Object.assign(Bare, { _OPENAPI_METADATA_FACTORY });
    const ignored =
      "which validates nothing, so models don't see it: write @IsString(), @IsInt() or another";
    const instead = `${ignored} decorator that states its type, or @ApiHideProperty() if it is not an argument`;
    const problem = `Bare.kind is known only by the compiler plugin of @nestjs/swagger, ${instead}.`;
    expect(problemsIn(Bare)).toEqual([problem]);
  });
});
