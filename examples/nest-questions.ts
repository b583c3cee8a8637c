// A NestJS service whose tool asks a person. The service restarts before the answer comes.
import { deepStrictEqual, strictEqual } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// #region service
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsString } from 'class-validator';
import { type ToolContext, toolMessage, ToolMethod, ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { ToolmendModule } from 'toolmend/nestjs';

const orders: string[] = [];

class Shirt {
  @IsString()
  colour!: string;
}

@Injectable()
class Shop {
  @ToolMethod(Shirt, { description: 'Order a T-shirt.', effects: 'write' })
  async orderShirt({ colour }: Shirt, context: ToolContext): Promise<string> {
    const { size } = await context.ask({
      question: `Which size shall the ${colour} shirt have?`,
      schema: {
        type: 'object',
        properties: { size: { enum: ['S', 'M', 'L'] } },
        required: ['size'],
      },
    });
    orders.push(`${colour} ${size}`);
    return `Ordered: ${colour}, ${size}.`;
  }
}

async function start(folder: string) {
  const journal = await openJournal({ folder }); // or { connectionString } of PostgreSQL

  @Module({ imports: [ToolmendModule.forRoot({ journal })], providers: [Shop] })
  class ServiceModule {}

  const app = await NestFactory.createApplicationContext(ServiceModule, { logger: false });
  // The application closes the journal.
  return { tools: app.get(ToolRegistry), journal, stop: () => app.close() };
}
// #endregion

const folder = await mkdtemp(join(tmpdir(), 'shop-journal-'));
// #region restart
const conversation = 'c1';
const before = await start(folder);
const waiting = await before.tools.call(
  { id: 'call_1', name: 'order_shirt', arguments: '{"colour": "red"}' },
  { conversation },
);
await before.stop();

// After a restart, or in another replica: the page lists the questions, and a person answers.
const after = await start(folder);
const [open] = await after.journal.list({ state: 'waiting' });
const outcome = await after.tools.answerQuestion(
  open?.question?.id,
  { action: 'accept', content: { size: 'm' }, by: 'ada' },
  { conversation },
);
const [late] = await after.tools.background.takeResults({ conversation }); // for the next turn of the model
await after.stop();
// #endregion
await rm(folder, { recursive: true });
console.log(waiting.status, '-', open?.question?.question);
console.log(toolMessage(outcome).text);
console.log(late?.text);
strictEqual(waiting.status, 'input_required');
deepStrictEqual(orders, ['red M']);
