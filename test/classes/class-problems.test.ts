import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  Equals,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Max,
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
  Describe,
  EnumOf,
  Example,
  Field,
  FromContext,
  Nested,
  OneOf,
  Optional,
  PairedDefault,
  Glob,
  PathField,
  RecordOf,
  Secret,
  Tool,
  ToolMethod,
  ToolRegistry,
  TupleOf,
  Url,
  Verbatim,
  arrayOf,
  contractOf,
  contractsOf,
  enumOf,
  nullable,
  recordOf,
  schemaOf,
  tupleOf,
  unionOf,
} from 'toolmend';
import type { Constructor } from '../../src/tool/tool-contract.ts';
import { thrower } from '../tools.ts';
import { description, problemsOf, toolWithField, untyped, toolWithFields } from './sample-tool.ts';

type Decorators = readonly PropertyDecorator[];

const problemsIn = (Class: Constructor): readonly string[] => problemsOf(() => contractOf(Class));
const problemsOfField = (decorators: Decorators): readonly string[] =>
  problemsIn(toolWithField(...decorators));

const strings = ArrayOf(String);
const both = (one: string, other: string): string =>
  `has both @${one} and @${other}: remove one of them`;
const sample = (problem: string): string => `Sample.field ${problem}.`;

class Child {
  @IsInt() x!: number;
}

class OtherChild {
  @Equals('a') kind!: string;
}

class SameChild extends OtherChild {}

@ValidatorConstraint()
class Odd {
  validate(value: unknown): boolean {
    return Number(value) % 2 !== 0;
  }
  defaultMessage(): string {
    return 'must be odd';
  }
}

@ValidatorConstraint()
class Later {
  async validate(): Promise<boolean> {
    return true;
  }
}

class Unregistered extends Later {}

const validator = { validate: () => Promise.resolve(true) };
const IsKnownLater: PropertyDecorator = ({ constructor: target }, name) =>
  registerDecorator({
    name: 'isKnown',
    target,
    propertyName: String(name),
    async: true,
    validator,
  });

test('all problems of a class come in one error, with where, what and instead', () => {
  class Broken {
    @Describe('Untyped.') first!: string;
    @IsArray() second!: string[];
    @untyped(Nested(() => Child)) @IsString() third!: string;
  }
  Reflect.apply(Tool({ description: ' ', name: 'no spaces', timeoutMs: 0 }), undefined, [Broken]);
  expect(problemsIn(Broken)).toEqual([
    'Broken.first has no type: write @Field({ type: String }) or @IsString().',
    'Broken.second has no element type: write @ArrayOf with the element type, for example @ArrayOf(String).',
    'Broken.third is Child by @Nested and string by @IsString: remove one of them.',
    'Broken has no method execute: write async execute(context) { … }.',
    expect.stringMatching(/^Broken has .*description/),
    expect.stringMatching(/^Broken has .*timeoutMs/),
    expect.stringMatching(/^Broken has .*no spaces/),
  ]);
});

test.each<[string, Decorators]>([
  ['a type alone', [IsString()]],
  ['always: true, which makes groups irrelevant', [IsString({ groups: ['update'], always: true })]],
  ['a union of a number and values', [Field({ type: unionOf(Number, enumOf(['a'])) })]],
  ['bounds that leave one number', [IsInt(), Min(5), Max(5)]],
  ['an excluded bound below the upper one', [IsNumber(), IsPositive(), Max(0.5)]],
  [
    'bounds of an array, and of its elements',
    [ArrayOf(Number), ArrayMinSize(5), Max(3, { each: true })],
  ],
  ['bounds that a condition may lift', [IsInt(), Min(5), ValidateIf(() => false), Max(3)]],
  ['one value', [IsIn(['a'])]],
])('a field without problems: %s', (_name, decorators) => {
  expect(problemsOfField(decorators)).toEqual([]);
});

describe('types', () => {
  const unreadable = (type: string): string =>
    `has a type that can't be read: ${type}: ` +
    "write String, Number, Boolean, Date, Object, () => Class, or one of toolmend's integer, dateOnly, anyJson, arrayOf, " +
    'recordOf, tupleOf, enumOf, oneOf, unionOf, nullable, schemaOf';
  const nested = ValidateNested();
  const copy =
    ' (if @Type is there, it is from a second copy of class-transformer, which toolmend does not see)';
  const unresolved = (why: string): string =>
    `names a class that can't be resolved (${why}): write a thunk, () => Class, and make sure that the class is ` +
    'exported and loaded before tools are registered';
  const late = thrower(new ReferenceError("Cannot access 'Late'"));

  const child = Nested(() => Child);
  const tuple = TupleOf(Number, () => Child);
  const nullables = ArrayOf(nullable(String));
  const ofArray = 'is string[] by @ArrayOf and';
  const ofChild = 'is Child by @Nested and';
  const remove = ': remove one of them';
  const notConstant = 'which is not a required constant in it';
  const sameKind = 'kind is "a" in both: give each class its own constant';
  const noSchema = 'has a schemaOf that is not a schema';
  const oneOf = (classes: readonly (new () => object)[]) => OneOf('kind', () => classes);
  const $ref = schemaOf({ $ref: '#/$defs/a' });
  const ofString = schemaOf({ type: 'string' });
  const aOrB = EnumOf(['a', 'b']);

  test.each<[string, Decorators]>([
    [
      'has no type: write @Field({ type: String }) or another type, @ArrayOf(...), @Nested(() => Class), or a decorator of class-validator, such as @IsString()',
      [Field()],
    ],
    [
      `has no type: write @Nested(() => Class), or @ArrayOf(() => Class) for an array${copy}`,
      [nested],
    ],
    [`has no element type: write @ArrayOf(() => Class)${copy}`, [ValidateNested({ each: true })]],
    [
      'is string[] by @ArrayOf and string by @MaxLength: write @MaxLength({ each: true }) for the elements, or remove one of them',
      [strings, MaxLength(3)],
    ],
    [
      'is unknown[] by @IsArray and string by @IsString: write @ArrayOf(String) instead of both, or beside it @IsString({ each: true }) for the elements',
      [IsString(), IsArray()],
    ],
    [
      `${ofArray} "a" | "b" by @EnumOf: write @ArrayOf(enumOf(...)) instead of both`,
      [strings, aOrB],
    ],
    [
      `${ofChild} unknown[] by @IsArray: write @ArrayOf(() => Child) instead of both`,
      [IsArray(), child],
    ],
    [
      `is (string | null)[] by @ArrayOf and [number, Child] by @TupleOf${remove}`,
      [nullables, tuple],
    ],
    [`is "a" | "b" by @EnumOf and "c" by @Equals${remove}`, [aOrB, Equals('c')]],
    ['has an empty enum: name at least one value', [EnumOf({})]],
    [
      'has @EnumOf with the string "celsius": write the values as an array, @EnumOf(["celsius", …])',
      [Reflect.apply(EnumOf, undefined, ['celsius', 'fahrenheit'])],
    ],
    [
      'has enumOf with the string "x": write the values as an array, enumOf(["x", …])',
      [ArrayOf(Reflect.apply(enumOf, undefined, ['x']))],
    ],
    [
      'has @EnumOf with 2 arguments: write all values as one array, @EnumOf([…])',
      [Reflect.apply(EnumOf, undefined, [['a'], 'b'])],
    ],
    [
      'has @EnumOf with undefined: write an enum, an object of constants, or an array; an imported enum is undefined if its imports form a cycle',
      [Reflect.apply(EnumOf, undefined, [])],
    ],
    [
      'has @EnumOf with a value that is no string, number or boolean: write only those; for null, add @Nullable() or write nullable(enumOf([…]))',
      [Reflect.apply(EnumOf, undefined, [['a', null]])],
    ],
    ['has an empty tuple: name the type of at least one element', [TupleOf()]],
    [unresolved('null'), [Nested(() => JSON.parse('null'))]],
    [unresolved("ReferenceError: Cannot access 'Late'"), [Nested(late)]],
    [unresolved('1'), [Field({ type: unionOf(String, () => JSON.parse('1')) })]],
    [
      "has @OneOf without an array of classes: write @OneOf('kind', () => [First, Second])",
      [oneOf([])],
    ],
    [
      `identifies Child by kind, ${notConstant}: write @Equals('…') kind in Child`,
      [oneOf([Child])],
    ],
    [`can't tell OtherChild and SameChild apart: ${sameKind}`, [oneOf([OtherChild, SameChild])]],
    [unreadable('[String]'), [Reflect.apply(RecordOf, undefined, [[String]])]],
    [unreadable('[object Object]'), [Field({ type: JSON.parse('{"type":"string"}') })]],
    [unreadable('Map'), [ArrayOf(Map)]],
    ['has a schemaOf with a $ref: write what it refers to in its place', [Field({ type: $ref })]],
    [
      `${noSchema}: write a JSON Schema, schemaOf({ type: 'string', … })`,
      [Field({ type: schemaOf([]) })],
    ],
    [
      `is a JSON Schema by @Field and string by @IsString${remove}`,
      [Field({ type: ofString }), IsString()],
    ],
  ])('%s', (problem, decorators) => {
    expect(problemsOfField(decorators)).toEqual([sample(problem)]);
  });

  test.each([
    ['strings', unionOf(String, Date)],
    ['one member', unionOf(String)],
    ['a type and values of it', unionOf(String, enumOf(['a']))],
    ['values of two types', unionOf(Boolean, enumOf(['a', 1]))],
    ['null', unionOf(Boolean, nullable(String))],
    ['objects', unionOf(() => Child, recordOf(String))],
    ['arrays', unionOf(arrayOf(String), tupleOf(Number))],
  ])('a union of %s has members that JSON does not tell apart', (_members, type) => {
    expect(problemsOfField([Field({ type })])).toEqual([
      sample(
        "has a unionOf whose members don't differ in JSON: name at most one type each of string, number, boolean, " +
          'array and object; for classes write oneOf(discriminator, () => [...])',
      ),
    ]);
  });

  test('the type that the compiler emits may contradict, and tells what to write', () => {
    @Tool({ description })
    class Emitted {
      @IsString() count!: number;
      @untyped(Nested(() => Child)) kids!: Child[];
      @untyped(RecordOf(String)) map!: Map<string, string>;
      @Field() a!: number;
      @Field() b!: boolean;
      @Field() c!: Date;
      @Field() d!: string[];
      @Field() e!: string | null;
      execute(): void {}
    }
    expect(problemsIn(Emitted)).toEqual([
      'Emitted.count is declared as string, but its TypeScript type is Number: make the two agree.',
      'Emitted.kids is declared as Child, but its TypeScript type is Array: write @ArrayOf with the element type.',
      'Emitted.map is declared as Record<string, string>, but its TypeScript type is Map: make the two agree.',
      'Emitted.a has no type: write @Field({ type: Number }), @Field({ type: integer }), @IsNumber() or @IsInt().',
      'Emitted.b has no type: write @Field({ type: Boolean }) or @IsBoolean().',
      'Emitted.c has no type: write @Field({ type: Date }) or @IsDate().',
      'Emitted.d has no type: write @ArrayOf with the element type, for example @ArrayOf(String).',
      expect.stringMatching(
        /^Emitted\.e has no type: write @Field\({ type: String }\) or another type, /,
      ),
    ]);
  });

  test('types that agree with the compiler are accepted, also for a parent of the class', () => {
    class Special extends OtherChild {
      @Equals('special') override kind!: string;
    }
    @Tool({ description })
    class Agreeing {
      @Nested(() => Special) a!: OtherChild;
      @OneOf('kind', () => [Special, SameChild]) b!: OtherChild;
      @EnumOf([1, 2]) c!: number;
      @RecordOf(String) d!: Record<string, string>;
      execute(): void {}
    }
    expect(problemsIn(Agreeing)).toEqual([]);
  });
});

describe('one field', () => {
  const discriminator = { property: 'k', subTypes: [] };
  const unsupported =
    "which doesn't run on arguments: remove it, or give the tool its own argument class";
  const asynchronous =
    'which is asynchronous, but arguments are validated synchronously: check it in execute() and throw a ToolRetry';
  const noJson = [IsString(), Default(JSON.parse('[]', () => new Date()))];
  const pairedWith = (field: string) => [IsInt(), Optional(), PairedDefault(field, 0)];
  const each = { each: true };
  const notEmpty = [strings, ArrayNotEmpty()];
  const unsatisfiable = 'which no value satisfies: write bounds that leave a value between them';

  test.each<[string, Decorators]>([
    [both('IsOptional', 'IsDefined'), [IsString(), IsOptional(), IsDefined()]],
    [
      'is set by the application (@FromContext), so @Optional would have no effect: remove all but @FromContext',
      [FromContext(), Optional()],
    ],
    [both('Default', 'IsDefined'), [IsString(), Default('a'), IsDefined()]],
    [both('Describe', 'Field'), [IsString(), Describe('a'), Field({ description: 'b' })]],
    [
      "has @IsString for the validation groups update, but the tool has no groups: write groups: ['update'] in the options of the tool, or remove the groups",
      [IsString({ groups: ['update'] })],
    ],
    [`has @Validate(Later), ${asynchronous}`, [IsString(), Validate(Later)]],
    [`has @IsKnown, ${asynchronous}`, [IsString(), IsKnownLater]],
    [
      'has @Validate(Unregistered), which has no check to run: put @ValidatorConstraint() on the validator class',
      [IsString(), Validate(Unregistered)],
    ],
    [
      "has @Transform, which doesn't run on arguments unless the tool says so: write transform: true in the options of the tool, or remove it",
      [IsString(), Transform(({ value }) => value)],
    ],
    [`has @Expose({ name }), ${unsupported}`, [IsString(), Expose({ name: 'other' })]],
    [`has @Exclude, ${unsupported}`, [IsString(), Exclude()]],
    [
      `has @Type({ discriminator }), ${unsupported}`,
      [Type(() => Child, { discriminator }), IsObject()],
    ],
    [
      'has @Default with a value that is not JSON: write the value as a model would send it',
      noJson,
    ],
    ['is paired with itself: name another field of the class', pairedWith('field')],
    [
      'is paired with offset, which is not a field: name a field of the class',
      pairedWith('offset'),
    ],
    ['has the alias field, which is a field: remove the alias', [IsInt(), Alias('field')]],
    [
      'is set by the application (@FromContext), so @Default, @Alias, @Example, @IsString would have no effect: remove all but @FromContext',
      [IsString(), FromContext(), Default('a'), Alias('b'), Example('c')],
    ],
    [`has @Min(5) and @Max(3), ${unsatisfiable}`, [IsInt(), Min(5), Max(3)]],
    [`has @IsPositive() and @Max(0), ${unsatisfiable}`, [IsNumber(), IsPositive(), Max(0)]],
    [`has @Length(5, 3), ${unsatisfiable}`, [IsString(), Length(5, 3)]],
    [`has @ArrayNotEmpty() and @ArrayMaxSize(0), ${unsatisfiable}`, [...notEmpty, ArrayMaxSize(0)]],
    [`has @Min(5) and @Max(3), ${unsatisfiable}`, [ArrayOf(Number), Min(5, each), Max(3, each)]],
  ])('%s', (problem, decorators) => {
    expect(problemsOfField(decorators)).toEqual([sample(problem)]);
  });

  test('several problems are reported together', () => {
    expect(problemsOfField([IsInt(), Alias(), Describe(' '), PathField(), Verbatim()])).toEqual([
      sample('has @Describe with an empty description: say what the argument is for, or remove it'),
      sample("has @Alias without a name: write @Alias('name') with a name that models send"),
      sample('has @PathField, but no strings: put @PathField() on a field of strings'),
      sample('has @Verbatim, but no strings: put @Verbatim() on a field of strings'),
    ]);
    expect(problemsOfField([IsInt(), Url(), Glob()])).toEqual([
      sample('has both @Url and @Glob: remove one of them'),
      sample('has @Url, but no strings: put @Url() on a field of strings'),
      sample('has @Glob, but no strings: put @Glob() on a field of strings'),
    ]);
    const reported = [4, 3].map((max) => sample(`has @Min(5) and @Max(${max}), ${unsatisfiable}`));
    expect(problemsOfField([IsInt(), Min(5), Max(3), Max(4)])).toEqual(reported);
    expect(problemsOfField([IsIn([])])).toHaveLength(1);
  });

  test('a default or an example that the schema refuses comes with what to write', () => {
    const many = 'has @Default with "many", which its schema refuses: write an integer';
    expect(problemsOfField([IsInt(), Default('many')])).toEqual([sample(many)]);
    const two = 'has @Example with 2, which its schema refuses: write an integer of at least 3';
    expect(problemsOfField([IsInt(), Min(3), Example(4), Example(2)])).toEqual([sample(two)]);
  });
});

describe('between fields', () => {
  test('aliases, names and pairs', () => {
    const Fields = toolWithFields('Fields', {
      a: [IsInt(), Alias('n', 'b')],
      b: [IsInt(), Alias('n')],
      c: [IsOptional(), IsInt(), PairedDefault('b', 0)],
      filePath: [IsString()],
      file_path: [IsString()],
      other: [IsString(), Alias('FILE-PATH', 'old_name')],
      last: [IsString(), Alias('oldName', 'user_id')],
      userId: [FromContext('id')],
    });
    expect(problemsIn(Fields)).toEqual([
      'Fields.a shares the alias n with another field: keep it on one of them.',
      'Fields.a has the alias b, which is a field: remove the alias.',
      'Fields.b shares the alias n with another field: keep it on one of them.',
      'Fields.c is paired with b, which is required: put @Optional() on b.',
      'Fields.other has the alias FILE-PATH, which is spelled like the field filePath: remove the alias.',
      'Fields.other has the alias old_name, which is spelled like the alias oldName of another field: keep it on one of them.',
      'Fields.last has the alias oldName, which is spelled like the alias old_name of another field: keep it on one of them.',
      'Fields.last has the alias user_id, which is spelled like the field userId: remove the alias.',
      'Fields.file_path is spelled like the field filePath: rename one of them.',
    ]);
  });

  test('aliases of one field may be spelled alike, and like the field', () => {
    expect(problemsOfField([IsString(), Alias('the_field', 'theField', 'FIELD')])).toEqual([]);
  });

  test('defaults and examples in pairs, nested classes and whole objects are checked', () => {
    class Inner {
      @Validate(Odd) @IsInt() @Default(2) n!: number;
    }
    const Outer = toolWithFields('Outer', {
      inner: [Nested(() => Inner)],
      offset: [IsOptional(), IsInt()],
      limit: [IsOptional(), IsInt(), PairedDefault('offset', 'start')],
    });
    for (const example of [{}, { inner: { n: 4 } }, { inner: { n: 3 } }]) Example(example)(Outer);
    const schemaRefuses = 'which its schema refuses: write ';
    expect(problemsIn(Outer)).toEqual([
      'Outer has @Example with {"inner":{"n":4}}, which it refuses (must be odd): write a value that passes.',
      expect.stringContaining(`Outer has @Example with {}, ${schemaRefuses}{ inner: `),
      expect.stringContaining(`Outer.offset has @PairedDefault with "start", ${schemaRefuses}`),
      'Inner.n has @Default with 2, which it refuses (must be odd): write a value that passes.',
    ]);
  });
});

describe('secrets', () => {
  test('may have no defaults and examples, which models see', () => {
    const Login = toolWithFields('Login', {
      user: [IsString()],
      pin: [IsString(), Secret(), Default('1234')],
      token: [IsOptional(), IsString(), Secret(), Example('abcd')],
      realm: [IsOptional(), IsString(), PairedDefault('token', 'abcd')],
    });
    Example({ user: 'ada', pin: '0000' })(Login);
    expect(problemsIn(Login)).toEqual([
      'Login.pin has both @Secret and @Default, and models see defaults: set the value in execute().',
      'Login.token has both @Secret and @Example, and models see examples: remove the example.',
      'Login.realm sets a default for token, a @Secret, which the note to the model would show: set it in execute().',
      "Login.pin is a @Secret, but the class's @Example shows it to models: remove it from the example.",
    ]);
  });

  test('an example that leaves a secret out is validated as if the secret were there', () => {
    class Login {
      @IsString() user!: string;
      @IsString() @Secret() pin!: string;
      @Check()
      differ(): true | string {
        return this.user.length < this.pin.length || 'The pin is too short.';
      }
    }
    const signInWith = (user: string | number): Constructor => {
      const token = [IsOptional(), IsString(), Secret()];
      const SignIn = toolWithFields('SignIn', { login: [Nested(() => Login)], token });
      Example({ login: { user } })(SignIn);
      return SignIn;
    };
    expect(problemsIn(signInWith('ada'))).toEqual([]);
    expect(contractOf(signInWith('ada')).inputSchema.required).toEqual(['login']);
    const refused =
      'SignIn has @Example with {"login":{"user":5}}, which its schema refuses: write ';
    expect(problemsIn(signInWith(5))).toEqual([expect.stringContaining(refused)]);
  });
});

describe('classes', () => {
  const providerOf = (Arguments: Constructor): Constructor => {
    class Provider {
      execute(): void {}
    }
    const onMethod = [Provider.prototype, 'execute', { value: Provider.prototype.execute }];
    Reflect.apply(ToolMethod(Arguments, { description }), undefined, onMethod);
    return Provider;
  };

  test('that are no tool, two, or a provider, which has contracts instead of a contract', () => {
    const Twice = toolWithFields('Twice', {});
    const Both = providerOf(Child);
    for (const Class of [Twice, Both]) Reflect.apply(Tool({ description }), undefined, [Class]);
    const noTool =
      'Child is not a tool: write @Tool({ description }) on the class, or @ToolMethod on a method.';
    const onMethods = 'Provider has its tools on methods: read them with contractsOf(Class).';
    expect(problemsIn(Child)).toEqual([noTool]);
    const split = ['Provider is a @Tool and has a @ToolMethod: split it into two classes.'];
    expect(problemsOf(() => contractsOf(Both))).toEqual(split);
    expect(problemsIn(Twice)).toEqual(['Twice has @Tool twice: remove one of them.']);
    expect(problemsIn(providerOf(Child))).toEqual([onMethods]);
    expect(contractsOf(providerOf(Child))).toHaveLength(1);
  });

  test('a class of arguments has decorated fields, and a constructor without parameters', () => {
    class Lost {
      value!: string;
    }
    class Needy {
      @IsString() value!: string;
      constructor(readonly prefix: string) {}
    }
    const problem =
      'Lost has no decorated field: decorate its fields, for example with @IsString().';
    expect(problemsOfField([Nested(() => Lost)])).toEqual([problem]);
    expect(problemsOf(() => contractsOf(providerOf(Lost)))).toEqual([problem]);
    expect(problemsOfField([Nested(() => JSON.parse('0', () => Needy))])).toEqual([
      'Needy has a constructor with 1 parameter, but is constructed without arguments: give it a constructor without parameters.',
    ]);
  });

  describe('a tool whose constructor has parameters is made by the application', () => {
    class Parent {
      constructor(readonly store: string) {}
      execute(): void {}
    }
    class Heir extends Parent {
      note = 'x';
    }
    class Fixed extends Parent {
      constructor() {
        super('fixed');
      }
    }
    const problem =
      'has a constructor with 1 parameter, which would be undefined: ' +
      'give the registry create: (Class, call) => …, for example with your container.';

    test.each<[Constructor, readonly string[]]>([
      [Parent, [`Parent ${problem}`]],
      [Heir, [`Heir ${problem}`]],
      [Fixed, []],
    ])('%p', (Class, problems) => {
      Reflect.apply(Tool({ description }), undefined, [Class]);
      const create = (Made: Constructor): object => Reflect.construct(Made, ['store']);
      expect(problemsOf(() => new ToolRegistry({ create }).register(Class))).toEqual([]);
      expect(problemsOf(() => new ToolRegistry().register(Class))).toEqual(problems);
    });
  });

  test('initializers are only on optional fields', () => {
    @Tool({ description })
    class Initial {
      @IsInt() fine!: number;
      @IsInt() required = 3;
      @IsInt() @Default(1) both = 2;
      @IsOptional() @IsString() @Secret() secret? = 'a';
      @IsOptional() @IsInt() date? = new Date(0);
      @IsOptional() @IsInt() wrong? = 'a';
      @IsInt() @IsOptional() nothing?: number = undefined;
      execute(): void {}
    }
    expect(problemsIn(Initial)).toEqual([
      'Initial.required has an initializer, but is not optional, so it has no default: write @Optional() too, or `!` without a value.',
      'Initial.both has both @Default and an initializer: remove the initializer.',
      'Initial.secret has both @Secret and an initializer, and models see defaults: set the value in execute().',
      'Initial.date has an initializer with a value that is not JSON: write the value as a model would send it.',
    ]);
  });

  test('fields without a decorator are told if the class has no argument', () => {
    @Tool({ description })
    class Plain {
      cities: string[] = [];
      // As compilers write a field without an initializer if they follow the standard.
      note?: string = undefined;
      execute(): void {}
    }
    const problem = (name: string): string =>
      `Plain.${name} has no decorator, so models don't see it: write @ArrayOf(String), @IsString() or another decorator, or #${name} if it is not an argument.`;
    expect(problemsIn(Plain)).toEqual([problem('cities'), problem('note')]);
  });

  test('a tool without arguments may have state, and fields that a container sets', () => {
    class Stateful {
      readonly url = 'https://example.com';
      readonly send = (): void => {};
      execute(): void {}
    }
    class Injected {
      @Reflect.metadata('inject', 'api') api?: object = undefined;
      execute(): void {}
    }
    @Reflect.metadata('injectable', true)
    class Injectable {
      api?: object = undefined;
      execute(): void {}
    }
    class Beside {
      @IsInt() count!: number;
      last?: string = undefined;
      execute(): void {}
    }
    for (const Class of [Stateful, Injected, Injectable, Beside]) {
      Tool({ description })(Class);
      expect(problemsIn(Class)).toEqual([]);
    }
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

  describe('a tool without a name in @Tool', () => {
    const nameOf = (className: string): string =>
      contractOf(toolWithFields(className, { city: [IsString()] })).name;
    const problemOf = (className: string): readonly string[] =>
      problemsIn(toolWithFields(className, { city: [IsString()] }));

    test.each([
      ['GetWeather', 'get_weather'],
      ['Add', 'add'],
      ['SQL', 'sql'],
      ['Ping', 'ping'],
      ['GoTo', 'go_to'],
      ['RunQA', 'run_qa'],
    ])('has that of its class: %s', (className, name) => {
      expect(nameOf(className)).toBe(name);
    });

    // As Turbopack, webpack, esbuild and terser write them.
    test.each(['e', 'A', 'wA', 'w_', 'r2', '_a', '$', '$t', 'aB3', 'tKe', 'Xe1', 'abc'])(
      'is refused if a minifier may have written its class: %s',
      (className) => {
        expect(problemOf(className)).toEqual([
          `${className}, described as "A tool for a test.", has no name in @Tool, and a class name this short may be ` +
            "a minifier's, so the model may get another tool than in development: write @Tool({ name: 'get_weather', … }).",
        ]);
      },
    );

    test.each(['', 'default', 'default_1', '_default'])(
      'is refused if its class has no name: %j',
      (className) => {
        expect(problemOf(className)).toEqual([
          'A class without a name, described as "A tool for a test.", has no name in @Tool either: ' +
            "write @Tool({ name: 'get_weather', … }).",
        ]);
      },
    );

    test('is not asked for its name if it has one', () => {
      class r {
        @IsString() city!: string;
        execute(): void {}
      }
      Tool({ name: 'ls', description })(r);
      expect(contractOf(r).name).toBe('ls');
    });

    test('may be a short method: minifiers keep the names of members', () => {
      class Arguments {
        @IsString() city!: string;
      }
      class Shell {
        @ToolMethod(Arguments, { description })
        ls(): void {}
      }
      expect(contractsOf(Shell).map(({ name }) => name)).toEqual(['ls']);
    });
  });

  test('a @Check is synchronous and takes no parameter', () => {
    class Checked {
      execute(): void {}
      async inOrder(): Promise<true> {
        return true;
      }
      given(value: unknown): true | string {
        return value === undefined || 'a value';
      }
    }
    for (const [name, descriptor] of Object.entries(
      Object.getOwnPropertyDescriptors(Checked.prototype),
    ))
      if (name === 'inOrder' || name === 'given')
        Reflect.apply(Check(), undefined, [Checked.prototype, name, descriptor]);
    Tool({ description })(Checked);
    expect(problemsIn(Checked)).toEqual([
      'Checked.inOrder is an asynchronous @Check, but arguments are validated synchronously: return true or the sentence, ' +
        'and do slow checks in execute(), which can throw a ToolRetry.',
      'Checked.given is a @Check with a parameter, but is called without arguments: read the fields from this.',
    ]);
  });

  test('a key that reaches into prototypes is refused at registration', () => {
    const Proto = toolWithFields('Proto', { ['__proto__']: [IsString()] });
    const problem = 'Proto.__proto__ has a name that validators ignore: rename the field.';
    expect(problemsIn(Proto)).toEqual([problem]);
  });

  test('a class is read again after its problems are repaired', () => {
    const Repaired = toolWithField(Describe('Later.'));
    expect(problemsIn(Repaired)).toHaveLength(1);
    IsString()(Repaired.prototype, 'field');
    expect(contractOf(Repaired).inputSchema.required).toEqual(['field']);
  });
});
