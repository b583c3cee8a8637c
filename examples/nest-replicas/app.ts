// One process of the service: a replica that talks to models, or a worker.
import { setTimeout as delay } from 'node:timers/promises';
import {
  Body,
  Controller,
  Get,
  type INestApplication,
  Injectable,
  Module,
  Post,
  Query,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString, Min } from 'class-validator';
import { Pool } from 'pg';
import {
  type PendingApproval,
  Tool,
  type ToolCall,
  type ToolContext,
  toolMessage,
  ToolMethod,
  ToolRegistry,
} from 'toolmend';
import { openJournal, openQueue } from 'toolmend/journal';
import { ToolmendHealth, ToolmendModule } from 'toolmend/nestjs';

const url = process.env['DATABASE_URL'] ?? '';
/** Milliseconds that an export takes. */
const exportTime = Number(process.env['EXPORT_TIME'] ?? '100');
const database = new Pool({ connectionString: url, allowExitOnIdle: true });

class Refund {
  @IsString()
  payment!: string;

  @IsInt()
  @Min(1)
  amount!: number;
}

@Injectable()
class Payments {
  @ToolMethod(Refund, { description: 'Refund a payment.', effects: 'destructive' })
  async refund({ payment, amount }: Refund): Promise<string> {
    await database.query('insert into refunds (payment, amount) values ($1, $2)', [
      payment,
      amount,
    ]);
    return `Refunded ${amount} of ${payment}.`;
  }
}

@Tool({ description: 'Export all orders of a year.', effects: 'read', background: 'always' })
class ExportOrders {
  @IsInt()
  year!: number;

  async execute({ signal }: ToolContext): Promise<string> {
    await database.query('insert into exports (pid) values ($1)', [process.pid]);
    await delay(exportTime, undefined, { signal });
    return `12 orders of ${this.year}.`;
  }
}

interface Sent {
  readonly conversation: string;
  readonly call: ToolCall;
}

@Controller()
class Calls {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly health: ToolmendHealth,
  ) {}

  @Post('calls')
  async call(@Body() { call, conversation }: Sent) {
    const outcome = await this.tools.call(call, { conversation });
    const { text, notes } = toolMessage(outcome);
    const approval = outcome.status === 'approval_required' ? outcome.approval : undefined;
    return { status: outcome.status, text, notes, approval };
  }

  @Post('approvals')
  async approve(@Body() { approval }: { readonly approval: PendingApproval }) {
    const { status } = await this.tools.resolveApproval(approval, { decision: 'approve' });
    return { status };
  }

  /** What the next message to the model has to say. */
  @Get('late')
  async late(@Query('conversation') conversation: string) {
    return (await this.tools.background.takeResults({ conversation })).map(({ text }) => text);
  }

  @Get('health')
  check() {
    return this.health.check();
  }
}

/** `worker`: the process runs queued calls. Without it, it only serves. */
export async function createApp(worker?: object): Promise<INestApplication> {
  @Module({
    imports: [
      ToolmendModule.forRootAsync({
        useFactory: async () => {
          const journal = await openJournal({ connectionString: url, leaseMs: 2000 });
          const queue = await openQueue(journal, { pollMs: 500 });
          // Workers alone take over the calls of processes that have died.
          const work =
            worker === undefined
              ? ({ resume: 'off' } as const)
              : { worker: { resumeMs: 1000, ...worker } };
          return { journal, background: { queue }, approval: {}, ...work };
        },
      }),
    ],
    controllers: [Calls],
    providers: [Payments, ExportOrders],
  })
  class AppModule {}

  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  app.enableShutdownHooks();
  return app;
}
