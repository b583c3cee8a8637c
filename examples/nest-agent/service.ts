// Builds the service: the shop, its tools, and a chat that uses them.
import {
  type DynamicModule,
  type LogLevel,
  type LoggerService,
  Module,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ToolmendModule } from 'toolmend/nestjs';
import type { LiveServer } from '../main-job/live-job.ts';
import { ChatModule } from './chat/chat.module.ts';
import { ShopModule } from './shop/shop.module.ts';
import { ToolsModule } from './tools/tools.module.ts';

@Module({})
class ServiceModule {
  static with(server: LiveServer): DynamicModule {
    return {
      module: ServiceModule,
      imports: [
        ToolmendModule.forRoot({
          timeoutMs: 10_000,
          approval: {
            needed: ({ contract, interpretation }) =>
              contract.effects === 'destructive' && Number(interpretation.value['amount']) > 50,
            scope: ({ customer }) => String(customer),
          },
        }),
        ShopModule,
        ToolsModule,
        ChatModule.forModel(server),
      ],
    };
  }
}

/** Not listening yet. Bodies of requests have at most 16 kB. */
export async function createService(
  server: LiveServer,
  logger: LoggerService | LogLevel[],
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(ServiceModule.with(server), {
    logger,
    abortOnError: false,
    forceCloseConnections: true,
  });
  app.useBodyParser('json', { limit: '16kb' });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  return app;
}
