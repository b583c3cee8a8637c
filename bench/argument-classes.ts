// Classes with the fields of the three contracts. Decorators are called as functions: Node doesn't
// run decorators.
import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { ArrayOf, contractOf, Field, Nested, Tool, type ToolContract } from 'toolmend';
import type { BenchContract } from './contracts.ts';

type Fields = Readonly<Record<string, readonly PropertyDecorator[]>>;

class Flat {
  execute(): string {
    return 'done';
  }
}
class Form {
  execute(): string {
    return 'done';
  }
}
class Order {
  execute(): string {
    return 'done';
  }
}
class Customer {
  declare name: string;
}
class Item {
  declare sku: string;
}
class Options {
  declare color: string;
}

decorate(Flat, { path: [IsString(), MinLength(1)], limit: [IsInt(), Min(1), Max(2000)] });
decorate(Form, {
  id: [IsString(), IsUUID()],
  email: [IsString(), IsEmail()],
  due: [IsString(), IsDateString()],
  status: [IsIn(['open', 'waiting', 'closed'])],
  priority: [IsIn([1, 2, 3])],
  tags: [ArrayOf(String), ArrayMaxSize(10), IsString({ each: true })],
  channels: [ArrayOf(String), IsIn(['mail', 'phone', 'chat'], { each: true })],
  summary: [IsOptional(), IsString(), MaxLength(500)],
});
decorate(Customer, { name: [IsString()], city: [IsString()] });
decorate(Options, { color: [IsIn(['red', 'blue'])], gift: [IsBoolean()] });
decorate(Item, {
  sku: [IsString(), MinLength(3)],
  quantity: [IsInt(), Min(1)],
  price: [IsNumber(), Min(0)],
  options: [Nested(() => Options), Type(() => Options), ValidateNested()],
});
decorate(Order, {
  customer: [Nested(() => Customer), Type(() => Customer), ValidateNested()],
  items: [ArrayOf(() => Item), ArrayMinSize(1), Type(() => Item), ValidateNested({ each: true })],
});
for (const Class of [Flat, Form, Order]) Tool({ description: 'A tool to measure.' })(Class);

/** The class with a contract's fields; the same one for class-transformer and for toolmend. */
export const classFor: Readonly<Record<BenchContract['name'], new () => object>> = {
  flat: Flat,
  form: Form,
  nested: Order,
};

/** The contract of that class. */
export const classContractFor = (name: BenchContract['name']): ToolContract =>
  contractOf(classFor[name]);

/** Applies decorators to fields, as a compiler would. */
export function decorate(Class: new () => object, fields: Fields): void {
  for (const [name, decorators] of Object.entries(fields)) {
    for (const decorator of [...decorators, Field()].toReversed()) {
      const apply: (target: object, key: string) => void = decorator;
      apply(Class.prototype, name);
    }
  }
}
