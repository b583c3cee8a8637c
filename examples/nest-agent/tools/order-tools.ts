// Tools that change orders by calling the service. Its exceptions become messages for the model.
import { Injectable, UseFilters } from '@nestjs/common';
import { IsInt, IsNumber, IsPositive, IsString, MaxLength, Min } from 'class-validator';
import { type ToolContext, ToolMethod } from 'toolmend';
import { addressLine, ChangeAddressDto } from '../shop/change-address.dto.ts';
import { type Order, OrdersService } from '../shop/orders.service.ts';
import { ShopExceptions } from './shop-exceptions.filter.ts';

export class RefundArguments {
  @IsInt()
  @Min(1)
  orderId!: number;

  @IsNumber({ maxDecimalPlaces: 2 })
  @IsPositive()
  amount!: number;

  @IsString()
  @MaxLength(200)
  reason!: string;
}

export class GiftArguments {
  @IsInt()
  @Min(1)
  orderId!: number;
}

@Injectable()
@UseFilters(ShopExceptions)
export class OrderTools {
  constructor(private readonly orders: OrdersService) {}

  @ToolMethod(ChangeAddressDto, {
    name: 'change_shipping_address',
    description: 'Send an order to another address. Only before it is shipped.',
    effects: 'write',
  })
  changeAddress({ orderId, address }: ChangeAddressDto, { values }: ToolContext): Promise<Order> {
    return this.orders.changeAddress(String(values['customer']), orderId, addressLine(address));
  }

  /** Runs again from its start when the customer has answered. */
  @ToolMethod(GiftArguments, {
    description: 'Wrap an order as a gift. Asks the customer which card goes with it.',
    effects: 'write',
  })
  async wrapAsGift({ orderId }: GiftArguments, context: ToolContext): Promise<Order> {
    const { card } = await context.ask({
      question: `Which card goes with order ${orderId}?`,
      schema: {
        type: 'object',
        properties: { card: { enum: ['birthday', 'thanks', 'blank'] } },
        required: ['card'],
      },
    });
    return this.orders.wrapAsGift(String(context.values['customer']), orderId, card);
  }

  @ToolMethod(RefundArguments, {
    name: 'refund_order',
    description: 'Pay money of an order back to the customer.',
    effects: 'destructive',
  })
  refund({ orderId, amount }: RefundArguments, { values }: ToolContext): Promise<Order> {
    return this.orders.refund(String(values['customer']), orderId, amount);
  }
}
