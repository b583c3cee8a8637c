import {
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  getMetadataStorage,
} from 'class-validator';
import { ArrayOf, contractOf, Describe, Field, type SchemaObject, Tool } from 'toolmend';
import type { Constructor } from '../../src/tool/tool-contract.ts';
import { thrower } from '../tools.ts';
import { description } from './sample-tool.ts';

class Base {
  @IsString() one!: string;
  @Describe('two') @MinLength(2) two!: string;
  @Field({ type: String }) three!: string;
  @IsString() four!: string;
  execute(): void {}
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

for (const Class of [Base, Derived, Third]) Tool({ description })(Class);

const propertiesOf = (Class: Constructor): NonNullable<SchemaObject['properties']> =>
  contractOf(Class).inputSchema.properties ?? {};

test("constraints are inherited by class-validator's own rule", () => {
  const two = { type: 'string', description: 'two' };
  expect(propertiesOf(Base)['two']).toEqual({ ...two, minLength: 2 });
  expect(propertiesOf(Derived)['two']).toEqual({ ...two, maxLength: 3 });
  const one = { type: 'string', minLength: 1 };
  const [twoOfThird, five] = [{ ...two, minLength: 2, maxLength: 3 }, { type: 'integer' }];
  expect(propertiesOf(Third)).toMatchObject({ one, two: twoOfThird, five });
  expect(contractOf(Third).inputSchema.required).not.toContain('two');
});

test('reading a class walks over no other class, unless the storage has no inner map', () => {
  const storage = getMetadataStorage();
  const walk = storage.getTargetValidationMetadatas.bind(storage);
  const keysOfNewClass = (): readonly string[] => {
    class New extends Derived {}
    Tool({ description })(New);
    return Object.keys(propertiesOf(New));
  };
  const keys = Object.keys(propertiesOf(Derived));
  const closed = Object.create(storage, { validationMetadatas: { value: undefined } });
  closed.getTargetValidationMetadatas = walk;
  try {
    storage.getTargetValidationMetadatas = thrower(new Error('walked over all classes'));
    expect(keysOfNewClass()).toEqual(keys);
    Object.assign(globalThis, { classValidatorMetadataStorage: closed });
    expect(keysOfNewClass().toSorted()).toEqual(keys.toSorted());
  } finally {
    storage.getTargetValidationMetadatas = walk;
    Object.assign(globalThis, { classValidatorMetadataStorage: storage });
  }
});
