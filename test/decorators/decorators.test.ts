import { IsString } from 'class-validator';
import {
  Alias,
  ArrayOf,
  Check,
  Contract,
  Default,
  Describe,
  EnumOf,
  Example,
  Field,
  FromContext,
  IdempotencyKey,
  OneOf,
  PairedDefault,
  Tool,
  ToolMethod,
  TupleOf,
  contractOf,
  contractsOf,
} from 'toolmend';
import { freezeDeep } from '../../src/collections/objects.ts';
import { description, problemsOf } from '../classes/sample-tool.ts';

class Child {
  @IsString() name!: string;
}

test('options are never written to, and may be shared', () => {
  const sharedOptions = freezeDeep({ type: String, description: 'Shared.' });
  const values = freezeDeep(['a', 'b']);
  const value = freezeDeep({ name: 'x', tags: ['y'] });
  const tool = freezeDeep({ description });
  @Tool(tool)
  class First {
    @Field(sharedOptions) a!: string;
    @Field(sharedOptions) b!: string;
    @EnumOf(values) c!: string;
    @Default(value) @Field({ type: Object }) d!: object;
    @Example(value) @Field({ type: Object }) e!: object;
    execute(): void {}
  }
  @Tool(tool)
  class Second extends First {}
  const { a, b } = contractOf(First).inputSchema.properties ?? {};
  expect(a).toEqual({ type: 'string', description: 'Shared.' });
  expect(b).toEqual(a);
  expect([contractOf(First).name, contractOf(Second).name]).toEqual(['first', 'second']);
});

test('options that change later have no effect', () => {
  const options = { description, effects: 'read' as 'read' | 'write' };
  const aliases = ['file'];
  @Tool(options)
  class Kept {
    @IsString() @Alias(...aliases) path!: string;
    execute(): void {}
  }
  options.effects = 'write';
  aliases.push('other');
  const properties = { path: { 'x-toolmend': { aliases: ['file'] } } };
  expect(contractOf(Kept)).toMatchObject({ effects: 'read', inputSchema: { properties } });
});

test('@Contract adds hints of the tool, then of its fields, parents first', () => {
  @Contract('base')
  class Base {
    @Contract('base field') @IsString() a!: string;
  }
  @Tool({ description })
  @Contract('one')
  @Contract('two')
  class Hinted extends Base {
    @IsString() @Contract('own field') b!: string;
    execute(): void {}
  }
  class Provider {
    @Contract('first') @Contract('second') @ToolMethod(Child, { description }) run(): void {}
  }
  expect(contractOf(Hinted).hints).toEqual(['base', 'one', 'two', 'base field', 'own field']);
  expect(contractsOf(Provider)[0]?.hints).toEqual(['first', 'second']);
});

describe('a decorator in a wrong place is a problem of the class', () => {
  function problemsAfter(decorate: (Class: new () => object) => void): readonly string[] {
    class Sample {
      execute(): void {}
      get accessor(): number {
        return 1;
      }
      static shared(): void {}
    }
    decorate(Sample);
    Tool({ description })(Sample);
    return problemsOf(() => contractOf(Sample));
  }
  const apply = (decorator: unknown, ...call: readonly unknown[]): void =>
    Reflect.apply(Object(decorator), undefined, call);
  const methodOf = ({ prototype }: new () => object) =>
    Object.getOwnPropertyDescriptor(prototype, 'execute');
  const onArgument = 'put it on a field that is an argument';

  test.each<[string, PropertyDecorator, string]>([
    ['@ArrayOf', ArrayOf(String), onArgument],
    ['@Field', Field(), onArgument],
    ['@FromContext', FromContext(), 'put it on a field'],
    ['@OneOf', OneOf('name', () => [Child]), onArgument],
    ['@PairedDefault', PairedDefault('x', 1), onArgument],
    ['@TupleOf', TupleOf(String), onArgument],
    ['@IdempotencyKey', IdempotencyKey(), onArgument],
  ])('%s on a method', (name, decorator, instead) => {
    const problems = problemsAfter((Class) =>
      apply(decorator, Class.prototype, 'execute', methodOf(Class)),
    );
    expect(problems).toEqual([`Sample.execute has ${name} on a method: ${instead}.`]);
  });

  test('anything that is not a member of instances', () => {
    const problems = problemsAfter((Class) => {
      const { prototype } = Class;
      apply(Describe('x'), Class, 'shared', Object.getOwnPropertyDescriptor(Class, 'shared'));
      apply(
        Describe('x'),
        prototype,
        'accessor',
        Object.getOwnPropertyDescriptor(prototype, 'accessor'),
      );
      apply(Describe('x'), prototype, Symbol('s'));
      apply(Describe('x'), prototype, 'execute', 0);
      apply(Describe('x'), Class);
      apply(FromContext(), Class);
      apply(Contract('x'), Class, 'shared');
      apply(Example(1), Class, 'shared');
      apply(Tool({ description }), prototype, 'field');
      apply(ToolMethod(Child, { description }), prototype, 'field');
      apply(Check(), prototype, 'field');
    });
    expect(problems).toEqual([
      `Sample has @Describe on a static member: ${onArgument}.`,
      `Sample has @Describe on the accessor accessor: ${onArgument}.`,
      `Sample has @Describe on a member whose name is not a string: ${onArgument}.`,
      `Sample has @Describe on a parameter of execute: ${onArgument}.`,
      `Sample has @Describe on a class: ${onArgument}.`,
      'Sample has @FromContext on a class: put it on a field.',
      'Sample has @Contract on a static member: put it on a class, a field or a tool method.',
      'Sample has @Example on a static member: put it on a class or on a field.',
      'Sample.field has @Tool on a field: put @Tool on the class, or write @ToolMethod on the method.',
      'Sample.field has @ToolMethod on a field: put it on a method.',
      'Sample.field has @Check on a field: put it on a method that returns true or a sentence.',
    ]);
  });
});
