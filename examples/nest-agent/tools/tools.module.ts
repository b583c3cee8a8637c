// The tools are ordinary providers. ToolmendModule finds them.
import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ShopModule } from '../shop/shop.module.ts';
import { AuditInterceptor } from './audit.interceptor.ts';
import { ListOrders } from './list-orders.ts';
import { OrderTools } from './order-tools.ts';
import { StockTools } from './stock-tools.ts';

@Module({
  imports: [ShopModule],
  providers: [
    ListOrders,
    OrderTools,
    StockTools,
    { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
  ],
})
export class ToolsModule {}
