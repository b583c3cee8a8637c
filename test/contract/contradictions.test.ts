// Is a class refused whose constraints leave no value, whose names can't be told apart, or which shows a secret?
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import {
  Alias,
  ArrayOf,
  Check,
  Default,
  DefinitionError,
  EnumOf,
  Example,
  FromContext,
  Nested,
  PairedDefault,
  type SchemaObject,
  Secret,
  Tool,
  contractOf,
  interpretArguments,
} from 'toolmend';
import { constructionProblems } from '../../src/classes/check-class.ts';

const description = 'A tool for a test.';

function complaintsOf(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (error) {
    if (error instanceof DefinitionError) return error.message.split('\n');
    throw error;
  }
  return [];
}

function complaintsOfField(...decorators: readonly PropertyDecorator[]): readonly string[] {
  class Sample {
    execute(): void {}
  }
  for (const decorate of decorators) decorate(Sample.prototype, 'field');
  Tool({ description })(Sample);
  return complaintsOf(() => contractOf(Sample));
}

describe('constraints that leave a value', () => {
  test.each<[string, readonly PropertyDecorator[]]>([
    ['one number', [IsInt(), Min(5), Max(5)]],
    ['one length', [IsString(), MinLength(3), MaxLength(3), Length(1, 5)]],
    ['one size', [ArrayOf(String), ArrayMinSize(2), ArrayMaxSize(2), ArrayNotEmpty()]],
    ['more than 0', [IsNumber(), IsPositive(), Max(0.5)]],
    ['bounds of the list, and of its elements', [ArrayOf(Number), ArrayMinSize(5), Max(3, { each: true })]],
    ['bounds that a condition may lift', [IsInt(), Min(5), ValidateIf(() => false), Max(3)]],
    ['one member', [IsIn(['a'])]],
  ])('%s', (_title, decorators) => {
    expect(complaintsOfField(...decorators)).toEqual([]);
  });
});

describe('constraints that leave none', () => {
  const bound = 'write a lower bound that is not above the upper one.';

  test.each<[string, readonly PropertyDecorator[], readonly string[]]>([
    ['numbers', [IsInt(), Min(5), Max(3)], [`has @Min(5) and @Max(3), which no value meets: ${bound}`]],
    [
      'a bound that is excluded',
      [IsNumber(), IsPositive(), Max(0)],
      [`has @IsPositive() and @Max(0), which no value meets: ${bound}`],
    ],
    [
      'lengths',
      [IsString(), MinLength(5), MaxLength(3)],
      [`has @MinLength(5) and @MaxLength(3), which no value meets: ${bound}`],
    ],
    [
      'one decorator alone',
      [IsString(), Length(5, 3)],
      [`has @Length(5, 3), which no value meets: ${bound}`],
    ],
    [
      'sizes',
      [ArrayOf(String), ArrayMinSize(5), ArrayMaxSize(3)],
      [`has @ArrayMinSize(5) and @ArrayMaxSize(3), which no value meets: ${bound}`],
    ],
    [
      'a list that is not empty',
      [ArrayOf(String), ArrayNotEmpty(), ArrayMaxSize(0)],
      [`has @ArrayNotEmpty() and @ArrayMaxSize(0), which no value meets: ${bound}`],
    ],
    [
      'the elements of a list',
      [ArrayOf(Number), Min(5, { each: true }), Max(3, { each: true })],
      [`has @Min(5) and @Max(3), which no value meets: ${bound}`],
    ],
    [
      'two at once',
      [IsInt(), Min(5), Max(3), Max(4)],
      [
        `has @Min(5) and @Max(3), which no value meets: ${bound}`,
        `has @Min(5) and @Max(4), which no value meets: ${bound}`,
      ],
    ],
  ])('%s', (_title, decorators, expected) => {
    expect(complaintsOfField(...decorators).toSorted()).toEqual(expected.map((one) => `Sample.field ${one}`));
  });

  test('no members at all', () => {
    expect(complaintsOfField(IsIn([]))).toHaveLength(1);
    expect(complaintsOfField(EnumOf([]))).toHaveLength(1);
  });

  test('a schema from elsewhere is taken as it is', () => {
    const schema: SchemaObject = {
      type: 'object',
      properties: {
        field: { type: 'integer', minimum: 5, maximum: 3 },
        file_path: { type: 'string' },
        filePath: { type: 'string' },
      },
    };
    expect(interpretArguments(schema, { value: { filePath: 'a' } })).toMatchObject({ status: 'unchanged' });
    expect(interpretArguments(schema, { value: { field: 4 } })).toMatchObject({ status: 'rejected' });
  });
});

describe('names', () => {
  test('fields, aliases and context values that are spelled alike', () => {
    @Tool({ description })
    class Alike {
      @IsString() filePath!: string;
      @IsString() file_path!: string;
      @IsString() @Alias('FILE-PATH', 'old_name') other!: string;
      @IsString() @Alias('oldName', 'user_id') last!: string;
      @FromContext('id') userId!: string;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Alike))).toEqual([
      'Alike.other has the alias FILE-PATH, which is spelled like the field filePath: leave that alias out.',
      'Alike.other has the alias old_name, which is spelled like the alias oldName of another field: keep it at one of them.',
      'Alike.last has the alias oldName, which is spelled like the alias old_name of another field: keep it at one of them.',
      'Alike.last has the alias user_id, which is spelled like the field userId: leave that alias out.',
      'Alike.file_path is spelled like the field filePath: call one of them something else.',
    ]);
  });

  test('aliases of one field may be spelled alike, and like the field', () => {
    @Tool({ description })
    class Aliased {
      @IsString() @Alias('file_name', 'fileName', 'FilePath') filePath!: string;
      @IsString() path!: string;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Aliased))).toEqual([]);
  });
});

describe('secrets', () => {
  test('defaults and examples of a secret are shown, so there may be none', () => {
    @Tool({ description })
    @Example({ user: 'ada', pin: '0000' })
    class Login {
      @IsString() user!: string;
      @IsString() @Secret() @Default('1234') pin!: string;
      @IsOptional() @IsString() @Secret() @Example('abcd') token?: string;
      @IsOptional() @IsString() @PairedDefault('token', 'abcd') realm?: string;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Login))).toEqual([
      'Login.pin has both @Secret and @Default, which models are shown: set the value in execute().',
      'Login.token has both @Secret and @Example, which models are shown: leave the example out.',
      'Login.realm gives a value for token, which is a @Secret that the note would show: set it in execute().',
      'Login.pin is a @Secret that the class’s @Example shows to models: leave it out of the example, or the example out of the class.',
    ]);
  });

  test('an example that leaves a secret out is validated as if it were there', () => {
    class Login {
      @IsString() user!: string;
      @IsString() @Secret() pin!: string;
      @Check()
      differ(): true | string {
        return this.user.length < this.pin.length || 'The pin is too short.';
      }
    }
    @Tool({ description })
    @Example({ login: { user: 'ada' } })
    class SignIn {
      @Nested(() => Login) login!: Login;
      @IsOptional() @IsString() @Secret() token?: string;
      execute(): void {}
    }
    @Tool({ description })
    @Example({ login: { user: 5 } })
    class Wrong {
      @Nested(() => Login) login!: Login;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(SignIn))).toEqual([]);
    expect(contractOf(SignIn).inputSchema.required).toEqual(['login']);
    expect(complaintsOf(() => contractOf(Wrong))).toEqual([
      'Wrong has @Example with {"login":{"user":5}}, which it refuses (value/login/user must be string): write a value that passes.',
    ]);
  });
});

describe('constructors', () => {
  class Parent {
    constructor(readonly store: string) {}
  }
  class Silent extends Parent {}
  class Grandchild extends Silent {
    note = 'x';
  }
  class Fixed extends Parent {
    constructor() {
      super('fixed');
    }
  }

  test.each([
    [Parent, 1],
    [Silent, 1],
    [Grandchild, 1],
    [Fixed, 0],
    [class Plain {}, 0],
  ])('%p has the parameters of the constructor that runs', (Class, parameters) => {
    expect(constructionProblems(Class, 'application')).toEqual([]);
    expect(constructionProblems(Class, 'default').map(({ what }) => what)).toEqual(
      parameters === 0 ? [] : ['has a constructor with 1 parameter, which would be undefined'],
    );
  });
});
