// The services of the shop.
import { Module } from '@nestjs/common';
import { AuditService } from './audit.service.ts';
import { Database } from './database.ts';
import { OrdersController } from './orders.controller.ts';
import { OrdersService } from './orders.service.ts';
import { StockService } from './stock.service.ts';

@Module({
  controllers: [OrdersController],
  providers: [Database, OrdersService, StockService, AuditService],
  exports: [Database, OrdersService, StockService, AuditService],
})
export class ShopModule {}
