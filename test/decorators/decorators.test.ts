// Do decorators only declare? They write to nothing they are given, complain of where they stand, and refuse to be
// called the standard way.
import { IsOptional, IsString } from 'class-validator';
import {
  Alias,
  ArrayOf,
  Check,
  Contract,
  contractOf,
  contractsOf,
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
  Secret,
  Tool,
  ToolMethod,
  TupleOf,
  Verbatim,
} from 'toolmend';

const description = 'A tool for a test.';

class Child {
  @IsString()
  name!: string;
}

const frozen = <Value extends object>(value: Value): Value => {
  for (const member of Object.values(value))
    if (typeof member === 'object' && member !== null) frozen(member);
  return Object.freeze(value);
};

test('options are never written to, and may be shared', () => {
  const shared = frozen({ type: String, description: 'Shared.' });
  const values = frozen(['a', 'b']);
  const value = frozen({ name: 'x', tags: ['y'] });
  const tool = frozen({ description });
  @Tool(tool)
  class First {
    @Field(shared) a!: string;
    @Field(shared) b!: string;
    @EnumOf(values) c!: string;
    @Default(value) @Field({ type: Object }) d!: object;
    @Example(value) @Field({ type: Object }) e!: object;
    execute(): void {}
  }
  @Tool(tool)
  class Second {
    execute(): void {}
  }
  const { a, b } = contractOf(First).inputSchema.properties ?? {};
  expect(a).toEqual({ type: 'string', description: 'Shared.' });
  expect(b).toEqual(a);
  expect(contractOf(First).name).toBe('first');
  expect(contractOf(Second).name).toBe('second');
});

test('what options become later is not seen', () => {
  const options = { description, effects: 'read' as 'read' | 'write' };
  const aliases = ['file'];
  @Tool(options)
  class Kept {
    @IsString() @Alias(...aliases) path!: string;
    execute(): void {}
  }
  options.effects = 'write';
  aliases.push('other');
  expect(contractOf(Kept).effects).toBe('read');
  expect(contractOf(Kept).inputSchema.properties?.['path']).toMatchObject({
    'x-toolmend': { aliases: ['file'] },
  });
});

test('@Contract adds hints: of the tool, then of its fields, parents first', () => {
  class Base {
    @Contract('base field') @IsString() a!: string;
  }
  Contract('base')(Base);
  @Tool({ description })
  @Contract('one')
  @Contract('two')
  class Hinted extends Base {
    @IsString() @Contract('own field') b!: string;
    execute(): void {}
  }
  expect(contractOf(Hinted).hints).toEqual(['base', 'one', 'two', 'base field', 'own field']);

  class Provider {
    @Contract('first')
    @Contract('second')
    @ToolMethod(Child, { description })
    run(): void {}
  }
  expect(contractsOf(Provider)[0]?.hints).toEqual(['first', 'second']);
});

describe('a decorator where it can not stand', () => {
  const fieldDecorators: Readonly<Record<string, PropertyDecorator>> = {
    '@Alias': Alias('x'),
    '@ArrayOf': ArrayOf(String),
    '@Default': Default(1),
    '@Describe': Describe('x'),
    '@EnumOf': EnumOf(['x']),
    '@Field': Field(),
    '@FromContext': FromContext(),
    '@Nested': Nested(() => Child),
    '@Nullable': Nullable(),
    '@OneOf': OneOf('name', () => [Child]),
    '@PairedDefault': PairedDefault('x', 1),
    '@PathField': PathField(),
    '@RecordOf': RecordOf(String),
    '@Secret': Secret(),
    '@TupleOf': TupleOf(String),
    '@Verbatim': Verbatim(),
  };

  function complaintsOf(decorate: (Class: new () => object) => void): readonly string[] {
    class Sample {
      execute(): void {}
      get accessor(): number {
        return 1;
      }
      static shared(): void {}
    }
    decorate(Sample);
    Tool({ description })(Sample);
    try {
      contractOf(Sample);
    } catch (error) {
      if (error instanceof DefinitionError) return error.message.split('\n');
    }
    return [];
  }

  test.each(Object.entries(fieldDecorators))('%s on a method', (name, decorator) => {
    const on = (Class: new () => object) => {
      const descriptor = Object.getOwnPropertyDescriptor(Class.prototype, 'execute');
      Reflect.apply(decorator, undefined, [Class.prototype, 'execute', descriptor]);
    };
    expect(complaintsOf(on)).toEqual([
      expect.stringMatching(
        new RegExp(`^Sample\\.execute has ${name}, which stands on a method: put it on a field`),
      ),
    ]);
  });

  test('on what is no member of an instance', () => {
    const on = (...call: readonly unknown[]) => Reflect.apply(Describe('x'), undefined, call);
    const complaints = complaintsOf((Class) => {
      on(Class, 'shared', Object.getOwnPropertyDescriptor(Class, 'shared'));
      on(Class.prototype, 'accessor', Object.getOwnPropertyDescriptor(Class.prototype, 'accessor'));
      on(Class.prototype, Symbol('s'));
      on(Class.prototype, 'execute', 0);
      on(Class);
    });
    const instead = 'put it on a field that is an argument.';
    expect(complaints).toEqual([
      `Sample has @Describe, which stands on a static member: ${instead}`,
      `Sample has @Describe, which stands on the accessor accessor: ${instead}`,
      `Sample has @Describe, which stands on a member that is no name: ${instead}`,
      `Sample has @Describe, which stands on a parameter of execute: ${instead}`,
      `Sample has @Describe, which stands on a class: ${instead}`,
    ]);
  });

  test('others where they can not stand', () => {
    const complaints = complaintsOf((Class) => {
      const onField = (decorator: unknown) => {
        if (typeof decorator === 'function') Reflect.apply(decorator, undefined, [Class.prototype, 'field']);
      };
      onField(Tool({ description }));
      onField(ToolMethod(Child, { description }));
      onField(Check());
      Reflect.apply(FromContext(), undefined, [Class]);
      Reflect.apply(Contract('x'), undefined, [Class, 'shared']);
      Reflect.apply(Example(1), undefined, [Class, 'shared']);
    });
    expect(complaints).toEqual([
      'Sample.field has @Tool, which stands on a field: put @Tool on the class, or write @ToolMethod on the method.',
      'Sample.field has @ToolMethod, which stands on a field: put it on a method.',
      'Sample.field has @Check, which stands on a field: put it on a method that returns true or a sentence.',
      'Sample has @FromContext, which stands on a class: put it on a field.',
      'Sample has @Contract, which stands on a static member: put it on a class, a field or a tool method.',
      'Sample has @Example, which stands on a static member: put it on a class or on a field.',
    ]);
  });
});

describe('standard decorators', () => {
  const calls: readonly (readonly [string, unknown, readonly unknown[]])[] = [
    ['a field', Describe('x'), [undefined, { kind: 'field', name: 'paths' }]],
    ['a method', ToolMethod(Child, { description }), [() => undefined, { kind: 'method', name: 'paths' }]],
    ['a class', Tool({ description }), [class {}, { kind: 'class', name: 'paths' }]],
    ['a check', Check(), [() => true, { kind: 'method', name: 'paths' }]],
  ];

  test.each(calls)('%s says what to set', (_name, decorator, call) => {
    const apply = () =>
      typeof decorator === 'function' ? Reflect.apply(decorator, undefined, call) : undefined;
    expect(apply).toThrow(DefinitionError);
    expect(apply).toThrow(
      /^paths has @\w+ compiled as a standard decorator, which can't be read: set "experimentalDecorators": true in a tsconfig\.json whose "include" covers this very file .* oxc: \{ decorator: \{ legacy: true/,
    );
  });

  test("class-validator's come first where they stand nearer to the field", () => {
    expect(() => Reflect.apply(IsOptional(), undefined, [undefined, { kind: 'field', name: 'x' }])).toThrow(
      TypeError,
    );
  });
});
