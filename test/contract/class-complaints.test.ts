// What is a definition told that leaves something open or contradicts itself? All of it at once, with class, member,
// and what to write instead.
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsDefined,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
  registerDecorator,
} from 'class-validator';
import {
  Alias,
  ArrayOf,
  Check,
  Default,
  DefinitionError,
  Describe,
  EnumOf,
  Example,
  Field,
  FromContext,
  Nested,
  Nullable,
  OneOf,
  PairedDefault,
  PathField,
  RecordOf,
  Tool,
  ToolMethod,
  TupleOf,
  Verbatim,
  arrayOf,
  contractOf,
  contractsOf,
  enumOf,
  nullable,
  recordOf,
  tupleOf,
  unionOf,
} from 'toolmend';
import { constructionProblems } from '../../src/classes/check-class.ts';
import type { Constructor } from '../../src/tool/tool-contract.ts';

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

/** What registration says of one field with these decorators. */
function complaintsOfField(...decorators: readonly PropertyDecorator[]): readonly string[] {
  class Sample {
    execute(): void {}
  }
  for (const decorate of decorators) decorate(Sample.prototype, 'field');
  Tool({ description })(Sample);
  return complaintsOf(() => contractOf(Sample));
}

class Child {
  @IsInt()
  x!: number;
}

test('a sound class has none', () => {
  expect(complaintsOfField(IsString())).toEqual([]);
});

test('all complaints of a class come in one error, with where, what and instead', () => {
  @Tool({ description: ' ', name: 'no spaces', timeoutMs: 0 })
  class Broken {
    @Describe('Untyped.') first!: string;
    @IsArray() second!: string[];
    @Nested(() => Child) @IsString() third!: string;
  }
  expect(complaintsOf(() => contractOf(Broken))).toEqual([
    'Broken.first has no type: write @IsString().',
    'Broken.second has no element type: write @ArrayOf(String), or whatever it holds.',
    'Broken.third is Child by @Nested, and text by @IsString: leave one of them out.',
    'Broken has no method execute: write async execute(context) { … }.',
    'Broken has the name "no spaces", which not every provider takes: write name: with letters, digits, _ and -, at ' +
      'most 64, starting with a letter or _.',
    "Broken has no description: write description: '…', which says to the model what the tool does.",
    'Broken has the timeoutMs 0: write milliseconds, more than 0 and at most 2147483647.',
  ]);
});

describe('types', () => {
  test.each<[string, readonly PropertyDecorator[], string]>([
    [
      'nothing said',
      [Field()],
      'Sample.field has no type: write @IsString(), @IsInt(), @IsNumber(), @IsBoolean(), @ArrayOf(...), @Nested(() => Class), or @Field({ type }).',
    ],
    [
      'nested without a class',
      [ValidateNested()],
      'Sample.field has no type: write @Nested(() => Class), or @ArrayOf(() => Class) for a list.',
    ],
    [
      'nested list without a class',
      [ValidateNested({ each: true })],
      'Sample.field has no element type: write @ArrayOf(() => Class).',
    ],
    [
      'a list and a text',
      [ArrayOf(String), MaxLength(3)],
      'Sample.field is a list of text by @ArrayOf, and text by @MaxLength: write @MaxLength({ each: true }) for the elements, or leave one of them out.',
    ],
    [
      'a text and a list of whatever',
      [IsArray(), IsString()],
      'Sample.field is a list by @IsArray, and text by @IsString: write @ArrayOf(String) in place of both, or beside it @IsString({ each: true }) for the elements.',
    ],
    [
      'a list of text and an enum',
      [ArrayOf(String), EnumOf(['a', 'b'])],
      'Sample.field is a list of text by @ArrayOf, and one of "a", "b" by @EnumOf: write @ArrayOf(enumOf(...)) in place of both.',
    ],
    [
      'a class and a list of whatever',
      [IsArray(), Nested(() => Child)],
      'Sample.field is Child by @Nested, and a list by @IsArray: write @ArrayOf(() => Child) in place of both.',
    ],
    [
      'a number and a text',
      [IsString(), Min(1)],
      'Sample.field is text by @IsString, and a number by @Min: leave one of them out.',
    ],
    [
      'elements that contradict',
      [ArrayOf(String), IsInt({ each: true })],
      'Sample.field is a list of text by @ArrayOf, and a list of a whole number by @IsInt for each element: leave one of them out.',
    ],
    [
      'each on a map',
      [RecordOf(String), IsString({ each: true })],
      'Sample.field is a map of text by @RecordOf, and a list of text by @IsString for each element: leave one of them out.',
    ],
    [
      'an enum and a constant outside',
      [EnumOf(['a', 'b']), Equals('c')],
      `Sample.field is one of "a", "b" by @EnumOf, and the constant "c" by @Equals: leave one of them out.`,
    ],
    ['an empty enum', [EnumOf({})], 'Sample.field has an enum with nothing in it: name at least one.'],
    ['an empty tuple', [TupleOf()], 'Sample.field has tupleOf with nothing in it: name at least one.'],
    [
      'a thunk of nothing',
      [Nested(() => JSON.parse('null'))],
      "Sample.field names a class that isn't there (null): write a thunk, () => Class, and see that the class is exported and loaded before tools are registered.",
    ],
    [
      'a thunk that throws',
      [
        Nested(() => {
          throw new ReferenceError("Cannot access 'Late'");
        }),
      ],
      "Sample.field names a class that isn't there (ReferenceError: Cannot access 'Late'): write a thunk, () => Class, and see that the class is exported and loaded before tools are registered.",
    ],
    [
      'one of nothing',
      [OneOf('kind', () => [])],
      "Sample.field has @OneOf without a list of classes: write @OneOf('kind', () => [First, Second]).",
    ],
    [
      'one of without a constant',
      [OneOf('x', () => [Child])],
      "Sample.field tells Child apart by x, which is no required constant there: write @Equals('…') x in Child.",
    ],
    [
      'a union JSON can’t tell apart',
      [Field({ type: unionOf(String, Date) })],
      'Sample.field has a unionOf whose members JSON can’t tell apart: name one type each of text, number, boolean, list and object; for classes write oneOf(discriminator, () => [...]).',
    ],
  ])('%s', (_name, decorators, complaint) => {
    expect(complaintsOfField(...decorators)).toEqual([complaint]);
  });

  test('a list of a type is named', () => {
    const decorator: PropertyDecorator = Reflect.apply(RecordOf, undefined, [[String]]);
    expect(complaintsOfField(decorator)).toEqual([
      "Sample.field has a type that can't be read: [String]: write String, Number, Boolean, Date, Object, () => Class, or one of arrayOf, recordOf, tupleOf, enumOf, oneOf, unionOf, nullable.",
    ]);
  });

  test('decorators that say nothing', () => {
    expect(complaintsOfField(IsString(), Alias(), Describe(' '))).toEqual([
      "Sample.field has @Alias without a name: write @Alias('name') with what models send instead.",
      'Sample.field has @Describe with an empty description: write what the argument is for, or leave it out.',
    ]);
  });

  test('a type that is none of the words is shown', () => {
    const [complaint = ''] = complaintsOfField(Field({ type: JSON.parse('{"type":"string"}') }));
    expect(complaint).toContain(
      "Sample.field has a type that can't be read: [object Object]: write String, Number,",
    );
    expect(complaintsOfField(ArrayOf(Map))[0]).toContain("Sample.field has a type that can't be read");
  });

  test('the type that the compiler saw only contradicts', () => {
    @Tool({ description })
    class Seen {
      @IsString() count!: number;
      @Nested(() => Child) kids!: Child[];
      @IsNumber() fine!: number;
      @RecordOf(String) map!: Map<string, string>;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Seen))).toEqual([
      'Seen.count is declared as text, but its TypeScript type is Number: make the two agree.',
      'Seen.kids is declared as Child, but its TypeScript type is Array: write @ArrayOf with the element type.',
      'Seen.map is declared as a map of text, but its TypeScript type is Map: make the two agree.',
    ]);
  });

  test('what the compiler saw helps to say what to write', () => {
    @Tool({ description })
    class Untyped {
      @Field() a!: number;
      @Field() b!: boolean;
      @Field() c!: Date;
      @Field() d!: string[];
      @Field() e!: string | null;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Untyped)).map((line) => line.split(': ')[1])).toEqual([
      'write @IsInt() or @IsNumber().',
      'write @IsBoolean().',
      'write @IsDate().',
      'write @ArrayOf(String), or whatever it holds.',
      'write @IsString(), @IsInt(), @IsNumber(), @IsBoolean(), @ArrayOf(...), @Nested(() => Class), or @Field({ type }).',
    ]);
  });

  test('what agrees with the compiler is accepted, a parent of the class too', () => {
    class Parent {}
    class Special extends Parent {
      @Equals('special') kind!: string;
    }
    class Other extends Parent {
      @Equals(7) kind!: number;
    }
    @Tool({ description })
    class Agreeing {
      @Nested(() => Special) a!: Parent;
      @OneOf('kind', () => [Special, Other]) b!: Parent;
      @EnumOf([1, 2]) c!: number;
      @Equals(true) d!: boolean;
      @TupleOf(String, Number) e!: [string, number];
      @RecordOf(String) f!: Record<string, string>;
      @Field({ type: Date }) g!: Date;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Agreeing))).toEqual([]);
  });

  test('unions of values and of what can not be told apart', () => {
    expect(complaintsOfField(Field({ type: unionOf(Number, enumOf(['a'])) }))).toEqual([]);
    const complaint = expect.stringMatching(
      /^Sample\.field has a unionOf whose members JSON can’t tell apart/,
    );
    for (const type of [
      unionOf(String),
      unionOf(String, enumOf(['a'])),
      unionOf(Boolean, enumOf(['a', 1])),
      unionOf(Boolean, nullable(String)),
      unionOf(() => Child, recordOf(String)),
      unionOf(arrayOf(String), tupleOf(Number)),
    ]) {
      expect(complaintsOfField(Field({ type }))).toEqual([complaint]);
    }
    expect(complaintsOfField(Field({ type: unionOf(String, () => JSON.parse('1')) }))).toEqual([
      expect.stringMatching(/^Sample\.field names a class that isn't there \(1\)/),
    ]);
  });

  test('two classes with one constant', () => {
    class A {
      @Equals('a') kind!: string;
    }
    class B {
      @Equals('a') kind!: string;
    }
    expect(complaintsOfField(OneOf('kind', () => [A, B]))).toEqual([
      'Sample.field can\'t tell A and B apart: kind is "a" in both: give each class a constant of its own.',
    ]);
  });
});

@ValidatorConstraint()
class Later {
  async validate(): Promise<boolean> {
    return true;
  }
}

class Unregistered {
  validate(): boolean {
    return true;
  }
}

const asyncDecorator: PropertyDecorator = (target, propertyName) =>
  registerDecorator({
    name: 'isKnown',
    target: target.constructor,
    propertyName: String(propertyName),
    async: true,
    validator: { validate: () => Promise.resolve(true) },
  });

describe('fields', () => {
  test.each<[string, readonly PropertyDecorator[], string]>([
    [
      'optional and defined',
      [IsString(), IsOptional(), IsDefined()],
      'Sample.field has both @IsOptional and @IsDefined: leave one of them out.',
    ],
    [
      'nullable and defined',
      [IsString(), Nullable(), IsDefined()],
      'Sample.field has both @Nullable and @IsDefined: leave one of them out.',
    ],
    [
      'default and defined',
      [IsString(), Default('a'), IsDefined()],
      'Sample.field has both @Default and @IsDefined: leave one of them out.',
    ],
    [
      'default and condition',
      [IsString(), Default('a'), ValidateIf(() => true)],
      'Sample.field has both @Default and @ValidateIf: leave one of them out.',
    ],
    [
      'two descriptions',
      [IsString(), Describe('a'), Field({ description: 'b' })],
      'Sample.field has both @Field and @Describe: leave one of them out.',
    ],
    [
      'two types of ours',
      [ArrayOf(String), RecordOf(String)],
      'Sample.field is a list of text by @ArrayOf, and a map of text by @RecordOf: leave one of them out.',
    ],
    [
      'a path that is no text',
      [IsInt(), PathField()],
      'Sample.field is marked as path but holds no text: put @PathField() on a field of text.',
    ],
    [
      'verbatim that is no text',
      [ArrayOf(Number), Verbatim()],
      'Sample.field is marked as verbatim but holds no text: put @Verbatim() on a field of text.',
    ],
    [
      'groups',
      [IsString({ groups: ['update'] })],
      'Sample.field has @IsString for the validation groups update, and a tool call has no groups: leave the groups out, or give the tool a class of its own.',
    ],
    [
      'an asynchronous validator',
      [IsString(), Validate(Later)],
      'Sample.field has @Validate(Later), which must be waited for, and arguments are validated at once: check it in execute() and throw a ToolRetry.',
    ],
    [
      'a decorator that says it is asynchronous',
      [IsString(), asyncDecorator],
      'Sample.field has @IsKnown, which must be waited for, and arguments are validated at once: check it in execute() and throw a ToolRetry.',
    ],
    [
      'a validator that never registered',
      [IsString(), Validate(Unregistered)],
      'Sample.field has @Validate(Unregistered) without anything to run: put @ValidatorConstraint() on the validator class.',
    ],
    [
      '@Transform',
      [IsString(), Transform(({ value }) => value)],
      "Sample.field has @Transform, which isn't run on arguments: leave it out, or give the tool a class of its own.",
    ],
    [
      '@Expose',
      [IsString(), Expose({ name: 'other' })],
      "Sample.field has @Expose({ name }), which isn't run on arguments: leave it out, or give the tool a class of its own.",
    ],
    [
      '@Exclude',
      [IsString(), Exclude()],
      "Sample.field has @Exclude, which isn't run on arguments: leave it out, or give the tool a class of its own.",
    ],
    [
      'a discriminator of @Type',
      [Type(() => Child, { discriminator: { property: 'k', subTypes: [] } }), ValidateNested()],
      "Sample.field has @Type({ discriminator }), which isn't run on arguments: leave it out, or give the tool a class of its own.",
    ],
    [
      'a default that is no JSON',
      [IsString(), Default(JSON.parse('[]', () => new Date()))],
      'Sample.field has @Default with a value that is no JSON: write the value as the model would send it.',
    ],
    [
      'a default that the field refuses',
      [IsInt(), Default('many')],
      'Sample.field has @Default with "many", which it refuses (value must be integer): write a value that passes.',
    ],
    [
      'an example that the field refuses',
      [IsInt(), Min(3), Example(4), Example(2)],
      'Sample.field has @Example with 2, which it refuses (value must be >= 3): write a value that passes.',
    ],
    [
      'paired with itself',
      [IsOptional(), IsInt(), PairedDefault('field', 0)],
      'Sample.field is paired with itself: name the field that goes with it.',
    ],
    [
      'paired with nothing',
      [IsOptional(), IsInt(), PairedDefault('offset', 0)],
      'Sample.field is paired with offset, which is no field: name a field of the class.',
    ],
    [
      'an alias of its own name',
      [IsInt(), Alias('field')],
      'Sample.field has the alias field, which is a field: leave that alias out.',
    ],
    [
      'a context field with a constraint',
      [IsString(), FromContext(), Default('a'), Alias('b'), Example('c')],
      'Sample.field is set by the application (@FromContext), so @Default, @Alias, @Example, @IsString would do nothing: leave out all but @FromContext.',
    ],
  ])('%s', (_name, decorators, complaint) => {
    expect(complaintsOfField(...decorators)).toEqual([complaint]);
  });

  test('always: true is no group', () => {
    expect(complaintsOfField(IsString({ groups: ['update'], always: true }))).toEqual([]);
  });

  test('between fields', () => {
    @Tool({ description })
    class Fields {
      @IsInt() @Alias('n', 'b') a!: number;
      @IsInt() @Alias('n') b!: number;
      @IsOptional() @IsInt() @PairedDefault('b', 0) c?: number;
      @IsOptional() @IsInt() d?: number;
      @IsOptional() @IsInt() @PairedDefault('d', 'x') e?: number;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Fields))).toEqual([
      'Fields.a shares the alias n with another field: keep it at one of them.',
      'Fields.a has the alias b, which is a field: leave that alias out.',
      'Fields.b shares the alias n with another field: keep it at one of them.',
      'Fields.c is paired with b, which is never absent: put @IsOptional() on b.',
    ]);
  });

  test('a paired default that its field refuses', () => {
    @Tool({ description })
    class Paired {
      @IsOptional() @IsInt() offset?: number;
      @IsOptional() @IsInt() @PairedDefault('offset', 'start') limit?: number;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Paired))).toEqual([
      'Paired.offset has @PairedDefault with "start", which it refuses (value must be integer): write a value that passes.',
    ]);
  });

  test('samples are validated by own checks too, and in nested classes', () => {
    class Inner {
      @Validate(Odd) @IsInt() @Default(2) n!: number;
    }
    @Tool({ description })
    @Example({ inner: { n: 3 } })
    @Example({ inner: { n: 4 } })
    @Example({})
    class Outer {
      @Nested(() => Inner) inner!: Inner;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Outer))).toEqual([
      'Outer has @Example with {"inner":{"n":4}}, which it refuses (must be odd): write a value that passes.',
      "Outer has @Example with {}, which it refuses (value must have required property 'inner'): write a value that passes.",
      'Inner.n has @Default with 2, which it refuses (must be odd): write a value that passes.',
    ]);
  });
});

@ValidatorConstraint()
class Odd {
  validate(value: unknown): boolean {
    return typeof value === 'number' && value % 2 !== 0;
  }
  defaultMessage(): string {
    return 'must be odd';
  }
}

describe('classes', () => {
  test('no tool at all', () => {
    expect(complaintsOf(() => contractOf(Child))).toEqual([
      'Child is no tool: write @Tool({ description }) on the class, or @ToolMethod on a method.',
    ]);
  });

  test('both kinds at once', () => {
    @Tool({ description })
    class Both {
      execute(): void {}
      @ToolMethod(Child, { description })
      other(): void {}
    }
    expect(complaintsOf(() => contractsOf(Both))).toEqual([
      'Both is a @Tool and has a @ToolMethod: make two classes of it.',
    ]);
  });

  test('a provider has contracts, not a contract', () => {
    class Provider {
      @ToolMethod(Child, { description })
      run(): void {}
    }
    expect(contractsOf(Provider)).toHaveLength(1);
    expect(complaintsOf(() => contractOf(Provider))).toEqual([
      'Provider has its tools on methods: read them with contractsOf(Class).',
    ]);
  });

  test('T26: a class of arguments whose metadata got lost fails at registration', () => {
    class Lost {
      value!: string;
    }
    @Tool({ description })
    class Outer {
      @Nested(() => Lost) lost!: Lost;
      execute(): void {}
    }
    class Provider {
      @ToolMethod(Lost, { description })
      run(): void {}
    }
    const complaint = 'Lost declares no field that can be read: decorate its fields, as with @IsString().';
    expect(complaintsOf(() => contractOf(Outer))).toEqual([complaint]);
    expect(complaintsOf(() => contractsOf(Provider))).toEqual([complaint]);
  });

  test('arguments that a constructor would leave undefined', () => {
    class Needy {
      @IsString() value!: string;
      readonly length: number;
      constructor(readonly prefix: string) {
        this.length = prefix.length;
      }
    }
    @Tool({ description })
    class Outer {
      @Nested(() => Needy) needy!: Needy;
      execute(): void {}
    }
    expect(complaintsOf(() => contractOf(Outer))).toEqual([
      'Needy has a constructor with 1 parameter, and arguments are made without any: give it a constructor without parameters.',
    ]);
  });

  test('a tool whose constructor would get undefined, unless the application makes it', () => {
    @Tool({ description })
    class Injected {
      constructor(readonly files: Map<string, string>) {}
      execute(): number {
        return this.files.size;
      }
    }
    const Class: Constructor = Injected;
    expect(contractOf(Class).name).toBe('injected');
    expect(constructionProblems(Class, 'application')).toEqual([]);
    expect(constructionProblems(Class, 'default')).toEqual([
      {
        where: 'Injected',
        what: 'has a constructor with 1 parameter, which would be undefined',
        instead: 'give the registry create: (Class, call) => ..., as with a container',
      },
    ]);
  });

  test('initialisers beside @Default, or instead of it', () => {
    @Tool({ description })
    class Initial {
      @IsInt() fine!: number;
      @IsInt() required = 3;
      @IsInt() @Default(1) both = 2;
      @IsInt() @IsOptional() hidden? = 4;
      @IsInt() @IsOptional() nothing?: number = undefined;
      readonly #cache = new Map<string, string>();
      execute(): number {
        return this.#cache.size;
      }
    }
    expect(complaintsOf(() => contractOf(Initial))).toEqual([
      'Initial.required has an initialiser, which no model can see: write `!` and no value, or @Default(value) if it may be left out.',
      'Initial.both has both @Default and an initialiser: leave the initialiser out.',
      'Initial.hidden has an initialiser, which no model can see: write @Default(value) instead.',
    ]);
  });

  test('a constructor that throws is left to the first call', () => {
    @Tool({ description })
    class Throws {
      @IsInt() @Default(1) count!: number;
      constructor() {
        throw new Error('no');
      }
      execute(): void {}
    }
    expect(contractOf(Throws).name).toBe('throws');
  });

  test('a @Check that must be waited for', () => {
    class Waits {
      execute(): void {}
      async inOrder(): Promise<true> {
        return true;
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(Waits.prototype, 'inOrder') ?? {};
    Check()(
      Waits.prototype,
      'inOrder',
      JSON.parse('{}', () => descriptor),
    );
    Tool({ description })(Waits);
    expect(complaintsOf(() => contractOf(Waits))).toEqual([
      'Waits.inOrder is a @Check that must be waited for, and arguments are validated at once: return true or the sentence ' +
        'itself; what must be waited for belongs into execute() with a ToolRetry.',
    ]);
  });

  test('words that no type checker saw', () => {
    class Loose {
      execute(): void {}
    }
    Tool(JSON.parse('{"description":"a","effects":"none","unknownArguments":"keep","repair":"some"}'))(Loose);
    expect(complaintsOf(() => contractOf(Loose))).toEqual([
      'Loose has effects: "none": write one of read, write, destructive.',
      'Loose has unknownArguments: "keep": write one of reject, strip.',
      'Loose has repair: "some": write one of all, lossless.',
    ]);
  });

  test('what is wrong is told again, and what was mended is accepted', () => {
    class Mended {
      execute(): void {}
    }
    Describe('Later.')(Mended.prototype, 'field');
    Tool({ description })(Mended);
    expect(complaintsOf(() => contractOf(Mended))).toHaveLength(1);
    IsString()(Mended.prototype, 'field');
    expect(contractOf(Mended).inputSchema.required).toEqual(['field']);
  });
});
