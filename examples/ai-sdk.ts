// Uses a registry's tools in the AI SDK: repairs a call that is not JSON, and asks the user to
// approve another.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { IsInt, IsString } from 'class-validator';
import { FromContext, Tool, ToolRegistry } from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';
import { ReadFiles } from './read-files.ts';
import { startScriptedServer } from './scripted-server.ts';

@Tool({ description: 'Refund a payment.', effects: 'destructive' })
class Refund {
  @IsString()
  payment!: string;

  @IsInt()
  amount!: number;

  @FromContext()
  user!: string;

  execute(): string {
    return `refunded ${this.amount} of ${this.payment} for ${this.user}`;
  }
}

const registry = new ToolRegistry({ approval: {} }).register(ReadFiles, Refund);

const server = await startScriptedServer(
  { call: 'ReadFiles', arguments: "{'file': ['package.json'], limit: 2" },
  { call: 'refund', arguments: '{"payment": "p1", "amount": "250"}' },
  { text: 'Refunded.' },
);
const provider = createOpenAICompatible({ name: 'scripted', baseURL: server.baseURL });

// One for each request: the context is this user's.
const settings = toAiSdk(registry, {
  context: { user: 'ada' },
  onOutcome: ({ status, call }) => console.log(status, call.name),
});
const chat = { model: provider('scripted'), stopWhen: isStepCount(5), ...settings };

const messages: ModelMessage[] = [{ role: 'user', content: 'Refund what package.json says.' }];
const first = await generateText({ ...chat, messages });
messages.push(...first.responseMessages);

const asked = first.content.find((part) => part.type === 'tool-approval-request');
console.log('asked', asked?.toolCall.input);
if (asked !== undefined) {
  messages.push({
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId: asked.approvalId, approved: true }],
  });
}
const second = await generateText({ ...chat, messages });
console.log(second.text);
server.close();
