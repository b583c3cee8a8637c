// Are the records of a class read as they were written? Order, parents, names, and a storage that is read as little as
// can be.
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, MinLength, getMetadataStorage } from 'class-validator';
import { ArrayOf, Describe, Field } from 'toolmend';
import { type Constraint, constraintsOf, ownConstrainedMembers } from '../../src/classes/class-validator.ts';
import { ownDeclarations, readDeclaredClass } from '../../src/classes/declarations.ts';

const fieldNames = (Class: new () => object): readonly string[] =>
  readDeclaredClass(Class).fields.map(({ name }) => name);

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

test('members are read in the order of writing, parents first', () => {
  expect(fieldNames(Base)).toEqual(['one', 'two', 'three', 'four']);
  expect(fieldNames(Derived)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});

test('a parent knows nothing of its subclasses, and lists that were handed out stay as they are', () => {
  const before = ownDeclarations(Base);
  expect(before.map(({ member, decorator }) => [member, decorator])).toEqual([
    ['two', '@Describe'],
    ['three', '@Field'],
    ['three', '@Field'],
  ]);
  expect(Object.isFrozen(before)).toBe(true);
  Describe('late')(Base.prototype, 'four');
  expect(before).toHaveLength(3);
  expect(ownDeclarations(Base)).toHaveLength(4);
  expect(ownDeclarations(Derived).map(({ member }) => member)).toEqual(['six']);
});

test("constraints are inherited by class-validator's own rule", () => {
  const ofTwo = (Class: new () => object) =>
    constraintsOf(Class)
      .filter(({ member }) => member === 'two')
      .map(({ decorator }) => decorator);
  expect(ofTwo(Base)).toEqual(['@IsString']);
  expect(ofTwo(Derived)).toEqual(['@MaxLength']);
});

test('two classes of one name never mix', () => {
  const make = (decorate: PropertyDecorator) => {
    class Same {
      value!: unknown;
    }
    decorate(Same.prototype, 'value');
    return Same;
  };
  const [First, Second] = [make(IsString()), make(IsInt())];
  expect(constraintsOf(First).map(({ name }) => name)).toEqual(['isString']);
  expect(constraintsOf(Second).map(({ name }) => name)).toEqual(['isInt']);
});

test('a storage without its inner map is asked in the open way, with the same answer', () => {
  const storage = getMetadataStorage();
  const closed = Object.create(storage, { validationMetadatas: { value: undefined } });
  closed.getTargetValidationMetadatas = storage.getTargetValidationMetadatas.bind(storage);
  expect(ownConstrainedMembers(Derived, storage)).toEqual(['five', 'two']);
  expect(ownConstrainedMembers(Derived, closed)).toEqual(['five', 'two']);
  class Third extends Derived {
    @IsOptional() override two!: string;
    @MinLength(1) override one!: string;
  }
  const said = (constraints: readonly Constraint[]) =>
    constraints.map(({ member, decorator }) => `${member} ${decorator}`);
  expect(said(constraintsOf(Third, storage))).toEqual(said(constraintsOf(Third, closed)));
  expect(said(constraintsOf(Third))).toEqual([
    'two @IsOptional',
    'one @MinLength',
    'two @IsString',
    'four @IsString',
    'five @IsInt',
    'two @MaxLength',
  ]);
});

test('a constraint says all that its decorator was given', () => {
  class Said {
    @IsOptional()
    @MinLength(2, { each: true, groups: ['a'], message: 'short: $constraint1' })
    texts!: string[];
  }
  const [min, optional] = constraintsOf(Said);
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

test("class-transformer's @Type is handed on unread", () => {
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
  expect(field?.transformer.ignored).toEqual([]);
});

test('reading a class walks over no other class', () => {
  const storage = getMetadataStorage();
  const asked = storage.getTargetValidationMetadatas;
  storage.getTargetValidationMetadatas = () => {
    throw new Error('walked over all classes');
  };
  try {
    expect(readDeclaredClass(Derived).fields).toHaveLength(6);
  } finally {
    storage.getTargetValidationMetadatas = asked;
  }
});
