// A conversation that goes on while a call waits for a person. The result follows when it is there.
import assert from 'node:assert/strict';
// #region imports
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString, Min } from 'class-validator';
import OpenAI from 'openai';
import {
  type ApprovalDecision,
  type PendingApproval,
  toolMessage,
  ToolMethod,
  ToolRegistry,
} from 'toolmend';
import { ToolmendModule } from 'toolmend/nestjs';
import { chatCompletions } from 'toolmend/openai';
// #endregion
import { startScriptedServer } from './scripted-server.ts';

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
  refund({ payment, amount }: Refund): string {
    return `Refunded ${amount} of ${payment}.`;
  }
}

const server = await startScriptedServer(
  { call: 'refund', arguments: '{"payment": "p1", "amount": 250}' },
  { text: 'I have asked for your refund.' },
  { text: 'We open at nine.' },
  { text: 'Your refund of 200 is on its way.' },
);

// #region chat
@Injectable()
class Chat {
  readonly messages: OpenAI.ChatCompletionMessageParam[] = [];
  readonly waiting = new Map<string, PendingApproval>(); // after a restart, a journal has them
  readonly #client = new OpenAI({ apiKey: 'none', baseURL: server.baseURL });

  constructor(private readonly tools: ToolRegistry) {}

  /** The model reads that a call waits, and goes on without its result. */
  async send(text: string): Promise<void> {
    this.messages.push({ role: 'user', content: text });
    const chat = chatCompletions(this.tools);
    for (;;) {
      const { messages } = this;
      const completion = await this.#client.chat.completions.create({
        model: 'scripted',
        messages,
        tools: chat.tools,
      });
      const turn = await chat.answer(completion);
      messages.push(...turn.messages);
      for (const outcome of turn.outcomes)
        if (outcome.status === 'approval_required')
          this.waiting.set(outcome.call.id, outcome.approval);
      if (turn.outcomes.length === 0) return;
    }
  }

  /**
   * The call has been answered already, and providers take one answer for each call: the result is
   * a message of its own.
   */
  async decide(callId: string, decision: ApprovalDecision): Promise<void> {
    const approval = this.waiting.get(callId);
    if (approval === undefined) return;
    const outcome = await this.tools.resolveApproval(approval, decision);
    if (outcome.status === 'approval_required') {
      this.waiting.set(callId, outcome.approval); // expired, or changed: to be asked again
      return;
    }
    this.waiting.delete(callId);
    const { text, notes } = toolMessage(outcome);
    const result = [
      `[The result of the call ${callId}, which waited for approval]`,
      text,
      ...notes,
    ];
    await this.send(result.join('\n'));
  }
}
// #endregion

@Module({ imports: [ToolmendModule.forRoot({ approval: {} })], providers: [Payments, Chat] })
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const chat = app.get(Chat);
await chat.send('I want my money back.');
await chat.send('When do you open?');
const [callId = ''] = chat.waiting.keys();
await chat.decide(callId, { decision: 'approve', arguments: { payment: 'p1', amount: 200 } });

for (const { role, content } of chat.messages) console.log(`${role}: ${JSON.stringify(content)}`);
assert.equal(chat.waiting.size, 0);
assert.equal(chat.messages.at(-1)?.content, 'Your refund of 200 is on its way.');
await app.close();
server.close();
