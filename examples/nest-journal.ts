// A Nest application whose calls and approvals outlive it: a person approves a refund after a
// restart.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString, Min } from 'class-validator';
import {
  type ApprovalDecision,
  type PendingApproval,
  type ToolOutcome,
  toolMessage,
  ToolMethod,
  ToolRegistry,
} from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import { ToolmendModule } from 'toolmend/nestjs';

const folder = await mkdtemp(join(tmpdir(), 'toolmend-')); // or connectionString, for several replicas

class Refund {
  @IsString()
  payment!: string;

  @IsInt()
  @Min(1)
  amount!: number;
}

// #region app
@Injectable()
class Payments {
  @ToolMethod(Refund, { description: 'Refund a payment.', effects: 'destructive' })
  refund({ payment, amount }: Refund): string {
    return `Refunded ${amount} of ${payment}.`;
  }
}

const JOURNAL = Symbol('journal');

@Module({
  providers: [{ provide: JOURNAL, useFactory: () => openJournal({ folder }) }],
  exports: [JOURNAL],
})
class JournalModule {}

/** What a page for approvers needs. */
@Injectable()
class Approvals {
  constructor(
    @Inject(JOURNAL) private readonly journal: Journal,
    private readonly tools: ToolRegistry,
  ) {}

  async open(tenant: string): Promise<readonly PendingApproval[]> {
    const waiting = await this.journal.list({ state: 'waiting', tenant });
    return waiting.flatMap(({ approval }) => approval ?? []);
  }

  decide(id: string, decision: ApprovalDecision, tenant: string): Promise<ToolOutcome> {
    return this.tools.resolveApproval(id, decision, { tenant });
  }
}

@Module({
  imports: [
    JournalModule,
    ToolmendModule.forRootAsync({
      imports: [JournalModule],
      inject: [JOURNAL],
      useFactory: (journal: Journal) => ({ journal, approval: {} }), // closed with the application
    }),
  ],
  providers: [Payments, Approvals],
})
class AppModule {}
// #endregion

const start = () => NestFactory.createApplicationContext(AppModule, { logger: ['error'] });

const before = await start();
const call = { id: 'call_1', name: 'refund', arguments: '{"payment": "p1", "amount": "250"}' };
const asked = await before.get(ToolRegistry).call(call, { tenant: 'acme', conversation: 'c1' });
console.log(asked.status, '-', toolMessage(asked).text);
await before.close();

const after = await start();
const approvals = after.get(Approvals);
const [approval] = await approvals.open('acme');
assert(approval !== undefined);
console.log(approval.call.tool, approval.call.arguments);
const outcome = await approvals.decide(approval.id, { decision: 'approve' }, 'acme');
console.log(outcome.status, '-', toolMessage(outcome).text);
assert.deepEqual(await approvals.open('acme'), []);
await after.close();
