// Keeps conversations in the database, and the latest thousand in memory. Each belongs to one customer
// and has one run at a time.
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { CallMemory } from 'toolmend';
import type { PlayedCall } from '../../main-job/chat-history.ts';
import type { Customer } from '../customer.guard.ts';
import { Database } from '../shop/database.ts';

export interface Conversation {
  readonly id: string;
  readonly customer: Customer;
  readonly messages: OpenAI.ChatCompletionMessageParam[];
  /** Tells a model that it repeats a failed call. */
  readonly memory: CallMemory;
  /** An answer of the model with a call that waits for a person. */
  waiting: { readonly text: string; readonly played: readonly PlayedCall[] } | undefined;
  /** The ids of the questions that the customer has not answered. */
  questions: readonly string[];
}

interface StoredConversation extends Pick<Conversation, 'customer' | 'messages' | 'questions'> {
  readonly [column: string]: unknown;
  readonly waiting: Conversation['waiting'] | null;
}

const mostConversations = 1000;
const instructions =
  'You help the customers of a small shop, with the tools that you have. You see only the orders of the customer you talk to.';

@Injectable()
export class Conversations {
  readonly #conversations = new Map<string, Conversation>();
  readonly #running = new Set<Conversation>();

  constructor(private readonly database: Database) {}

  async open(customer: Customer): Promise<Conversation> {
    const conversation: Conversation = {
      id: randomUUID(),
      customer,
      messages: [{ role: 'system', content: instructions }],
      memory: new CallMemory(),
      waiting: undefined,
      questions: [],
    };
    await this.save(conversation);
    return conversation;
  }

  /** Writes what a restart must not lose. */
  async save(conversation: Conversation): Promise<void> {
    const { id, customer, messages, waiting = null, questions } = conversation;
    this.#remember(conversation);
    await this.database.rows(
      `INSERT INTO conversations (id, customer, messages, waiting, questions)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (id) DO UPDATE SET messages = $3, waiting = $4, questions = $5`,
      [id, ...[customer, messages, waiting, questions].map((value) => JSON.stringify(value))],
    );
  }

  /** Throws for another customer's conversation, except for staff. */
  async find(id: string, { name, role }: Customer): Promise<Conversation> {
    const found = this.#conversations.get(id) ?? (await this.#load(id));
    if (found === undefined || (found.customer.name !== name && role !== 'staff'))
      throw new NotFoundException();
    return found;
  }

  async #load(id: string): Promise<Conversation | undefined> {
    const [row] = await this.database.rows<StoredConversation>(
      'SELECT customer, messages, waiting, questions FROM conversations WHERE id = $1',
      [id],
    );
    if (row === undefined) return undefined;
    const loaded = { ...row, id, memory: new CallMemory(), waiting: row.waiting ?? undefined };
    // Another request may have loaded it meanwhile.
    return this.#conversations.get(id) ?? this.#remember(loaded);
  }

  #remember(conversation: Conversation): Conversation {
    const [oldest] = this.#conversations.keys();
    if (oldest !== undefined && this.#conversations.size >= mostConversations)
      this.#conversations.delete(oldest);
    this.#conversations.set(conversation.id, conversation);
    return conversation;
  }

  /** Throws if the conversation has another run. The returned function ends this run. */
  begin(conversation: Conversation): () => void {
    if (this.#running.has(conversation))
      throw new ConflictException('An answer is still on its way.');
    this.#running.add(conversation);
    return () => this.#running.delete(conversation);
  }
}
