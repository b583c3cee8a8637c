import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, MinLength, getMetadataStorage } from 'class-validator';
import { ArrayOf, Describe, Field } from 'toolmend';
import { ownConstrainedMembers } from '../../src/classes/class-validator.ts';
import { ownDeclarations, readDeclaredClass } from '../../src/classes/declarations.ts';

class Base {
  @IsString() one!: string;
  @Describe('two') @IsString() two!: string;
  @Field({ type: String }) three!: string;
  @IsString() four!: string;
}

class Derived extends Base {
  @IsInt() five!: number;
  @MaxLength(3) override two!: string;
  @ArrayOf(String) six!: string[];
}

class Third extends Derived {
  @IsOptional() override two!: string;
  @MinLength(1) override one!: string;
}

/** Each field with the decorators of class-validator that hold for it. */
const constrained = (Class: new () => object): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    readDeclaredClass(Class).fields.map(({ name, constraints }) => [
      name,
      constraints.map(({ decorator }) => decorator),
    ]),
  );

test('fields are read in the order of writing, parents first, whichever decorators they have', () => {
  expect(Object.keys(constrained(Base))).toEqual(['one', 'two', 'three', 'four']);
  expect(Object.keys(constrained(Derived))).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});

test("constraints are inherited by class-validator's own rule", () => {
  expect(constrained(Base)['two']).toEqual(['@IsString']);
  expect(constrained(Derived)['two']).toEqual(['@MaxLength']);
  expect(constrained(Third)).toMatchObject({
    one: ['@MinLength'],
    two: ['@IsOptional', '@IsString', '@MaxLength'],
    four: ['@IsString'],
    five: ['@IsInt'],
  });
});

test('a parent knows nothing of its subclasses, and a list that was handed out stays as it is', () => {
  const before = ownDeclarations(Base);
  expect(before.map(({ member, decorator }) => [member, decorator])).toEqual([
    ['two', '@Describe'],
    ['three', '@Field'],
  ]);
  expect(Object.isFrozen(before)).toBe(true);
  Describe('late')(Base.prototype, 'four');
  expect(before).toHaveLength(2);
  expect(ownDeclarations(Base)).toHaveLength(3);
  expect(ownDeclarations(Derived).map(({ member }) => member)).toEqual(['six']);
});

test('two classes of one name never mix', () => {
  const make = (decorate: PropertyDecorator) => {
    class Same {
      value!: unknown;
    }
    decorate(Same.prototype, 'value');
    return Same;
  };
  expect(constrained(make(IsString()))).toEqual({ value: ['@IsString'] });
  expect(constrained(make(IsInt()))).toEqual({ value: ['@IsInt'] });
});

test('reading a class walks over no other class, unless the storage has no inner map', () => {
  const storage = getMetadataStorage();
  const walk = storage.getTargetValidationMetadatas.bind(storage);
  storage.getTargetValidationMetadatas = () => {
    throw new Error('walked over all classes');
  };
  try {
    expect(readDeclaredClass(Derived).fields).toHaveLength(6);
  } finally {
    storage.getTargetValidationMetadatas = walk;
  }
  const closed = Object.create(storage, { validationMetadatas: { value: undefined } });
  closed.getTargetValidationMetadatas = walk;
  expect(ownConstrainedMembers(Derived)).toEqual(['five', 'two']);
  Object.assign(globalThis, { classValidatorMetadataStorage: closed });
  try {
    expect(ownConstrainedMembers(Derived)).toEqual(['five', 'two']);
  } finally {
    Object.assign(globalThis, { classValidatorMetadataStorage: storage });
  }
});

test('a constraint has everything that its decorator was given', () => {
  class Given {
    @IsOptional()
    @MinLength(2, { each: true, groups: ['a'], message: 'short: $constraint1' })
    texts!: string[];
  }
  const [field] = readDeclaredClass(Given).fields;
  const [min, optional] = field?.constraints ?? [];
  expect(min).toMatchObject({
    member: 'texts',
    decorator: '@MinLength',
    role: 'check',
    name: 'minLength',
    parameters: [2],
    reach: 'items',
    groups: ['a'],
  });
  expect(min?.check?.timing()).toBe('sync');
  expect(min?.check?.passes('a', {})).toBe(false);
  expect(min?.check?.message('a', {})).toBe('short: 2');
  expect(optional).toMatchObject({ decorator: '@IsOptional', role: 'optional', reach: 'value' });
});

test("the thunk of class-transformer's @Type is not called", () => {
  let calls = 0;
  class Typed {
    @Type(() => {
      calls += 1;
      return Base;
    })
    @Field()
    base!: Base;
  }
  const [field] = readDeclaredClass(Typed).fields;
  expect(calls).toBe(0);
  expect(field?.transformer.typeOf?.()).toBe(Base);
  expect(field?.transformer.unsupported).toEqual([]);
});
