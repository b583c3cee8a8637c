// Keeps the latest thousand conversations in memory. Each belongs to one customer and has one run
// at a time.
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { CallMemory } from 'toolmend';
import type { PlayedCall } from '../../main-job/chat-history.ts';
import type { Customer } from '../customer.guard.ts';

export interface Conversation {
  readonly id: string;
  readonly customer: Customer;
  readonly messages: OpenAI.ChatCompletionMessageParam[];
  /** Tells a model that it repeats a failed call. */
  readonly memory: CallMemory;
  /** An answer of the model with a call that waits for a person. */
  waiting: { readonly text: string; readonly played: readonly PlayedCall[] } | undefined;
}

const mostConversations = 1000;
const instructions =
  'You help the customers of a small shop, with the tools that you have. You see only the orders of the customer you talk to.';

@Injectable()
export class Conversations {
  readonly #conversations = new Map<string, Conversation>();
  readonly #running = new Set<Conversation>();

  open(customer: Customer): Conversation {
    const [oldest] = this.#conversations.keys();
    if (oldest !== undefined && this.#conversations.size >= mostConversations)
      this.#conversations.delete(oldest);
    const conversation: Conversation = {
      id: randomUUID(),
      customer,
      messages: [{ role: 'system', content: instructions }],
      memory: new CallMemory(),
      waiting: undefined,
    };
    this.#conversations.set(conversation.id, conversation);
    return conversation;
  }

  /** Undefined for another customer's conversation, except for staff. */
  find(id: string, { name, role }: Customer): Conversation {
    const found = this.#conversations.get(id);
    if (found === undefined || (found.customer.name !== name && role !== 'staff'))
      throw new NotFoundException();
    return found;
  }

  /** Throws if the conversation has another run. The returned function ends this run. */
  begin(conversation: Conversation): () => void {
    if (this.#running.has(conversation))
      throw new ConflictException('An answer is still on its way.');
    this.#running.add(conversation);
    return () => this.#running.delete(conversation);
  }
}
