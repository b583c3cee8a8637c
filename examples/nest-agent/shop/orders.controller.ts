// The shop's HTTP routes. They use the same services and DTOs as the tools.
import { Body, Controller, Get, Post, Req, UseGuards } from '@nestjs/common';
import { type AuthenticatedRequest, CustomerGuard } from '../customer.guard.ts';
import { addressLine, ChangeAddressDto } from './change-address.dto.ts';
import { type Order, OrdersService } from './orders.service.ts';

@Controller('orders')
@UseGuards(CustomerGuard)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  list(@Req() { customer }: AuthenticatedRequest): Promise<readonly Order[]> {
    return this.orders.list(customer.name);
  }

  @Post('address')
  changeAddress(
    @Req() { customer }: AuthenticatedRequest,
    @Body() { orderId, address }: ChangeAddressDto,
  ): Promise<Order> {
    return this.orders.changeAddress(customer.name, orderId, addressLine(address));
  }
}
