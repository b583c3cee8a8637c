// A tool class: its fields are the arguments, and Nest injects its constructor.
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ArrayOf, Describe, enumOf, FromContext, Tool } from 'toolmend';
import { type Order, OrdersService, type OrderStatus } from '../shop/orders.service.ts';

@Tool({ description: 'List the orders of the customer you are talking to.', effects: 'read' })
export class ListOrders {
  @IsOptional()
  @ArrayOf(enumOf(['paid', 'shipped', 'delivered']))
  @Describe('Only orders in one of these states.')
  statuses?: OrderStatus[];

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(50)
  limit?: number;

  @FromContext()
  customer!: string; // no model sees it, and none can set it

  constructor(private readonly orders: OrdersService) {}

  execute(): Promise<readonly Order[]> {
    return this.orders.list(this.customer, this.statuses, this.limit);
  }
}
