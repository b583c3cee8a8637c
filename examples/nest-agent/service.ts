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
import { join } from 'node:path';
import { type Journal, openJournal } from 'toolmend/journal';
import { ToolmendModule } from 'toolmend/nestjs';
import type { LiveServer } from '../main-job/live-job.ts';
import { ChatModule } from './chat/chat.module.ts';
import { dataFolder } from './shop/database.ts';
import { ShopModule } from './shop/shop.module.ts';
import { ToolsModule } from './tools/tools.module.ts';

@Module({})
class DataModule {
  static in(folder: string | undefined): DynamicModule {
    const provider = { provide: dataFolder, useValue: folder };
    return { module: DataModule, global: true, providers: [provider], exports: [dataFolder] };
  }
}

interface ServiceParts {
  readonly server: LiveServer;
  readonly folder: string | undefined;
  readonly journal: Journal;
}

@Module({})
class ServiceModule {
  static with({ server, folder, journal }: ServiceParts): DynamicModule {
    return {
      module: ServiceModule,
      imports: [
        DataModule.in(folder),
        ToolmendModule.forRoot({
          journal, // closed with the application
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

/**
 * Not listening yet. Bodies of requests have at most 16 kB. `folder`: keeps the shop, the
 * conversations and the calls that wait over a restart. Default: they are in memory.
 */
export async function createService(
  server: LiveServer,
  logger: LoggerService | LogLevel[],
  folder?: string,
): Promise<NestExpressApplication> {
  const journal = await openJournal(
    folder === undefined ? {} : { folder: join(folder, 'journal') },
  );
  const module = ServiceModule.with({ server, folder, journal });
  const app = await NestFactory.create<NestExpressApplication>(module, {
    logger,
    abortOnError: false,
    forceCloseConnections: true,
  });
  app.useBodyParser('json', { limit: '16kb' });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  return app;
}
