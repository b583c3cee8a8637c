// Makes a tool of a service's method and the DTO that it has already, written for HTTP.

// #region dto
import assert from 'node:assert/strict';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsEmail,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { toolMessage, ToolMethod, ToolRegistry } from 'toolmend';

enum Priority {
  Low = 'low',
  High = 'high',
}

class ItemDto {
  @IsString()
  sku!: string;

  @IsInt()
  @Min(1)
  quantity!: number;
}

class CreateOrderDto {
  @IsEmail()
  @Transform(({ value }: { readonly value: string }) => value.toLowerCase())
  email!: string;

  @ValidateNested({ each: true })
  @Type(() => ItemDto)
  @ArrayMaxSize(10)
  items!: ItemDto[];

  @IsOptional()
  @IsEnum(Priority)
  priority: Priority = Priority.Low; // the default, which models see
}

class Orders {
  // transform: @Transform runs, after what was sent was validated
  @ToolMethod(CreateOrderDto, {
    description: 'Create an order.',
    effects: 'write',
    transform: true,
  })
  create({ email, items, priority }: CreateOrderDto): string {
    return `${email}: ${items.map(({ sku, quantity }) => `${quantity} ${sku}`).join()}, ${priority}`;
  }
}
// #endregion

const tools = new ToolRegistry().register(Orders);
const sent =
  '{"email": "ADA@example.com", "items": "[{\\"sku\\": \\"A-1\\", \\"quantity\\": \\"2\\"}]"}';
const outcome = await tools.call({ id: 'call_1', name: 'create', arguments: sent });
assert.equal(toolMessage(outcome).text, 'ada@example.com: 2 A-1, low');
