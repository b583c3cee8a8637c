// A program with tools that ask, and the pages of its people.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { Secret, Tool, type ToolContext, ToolRegistry } from 'toolmend';
import type { Journal } from 'toolmend/journal';
import type { DecisionCase, DecisionResult, OpenDecision } from '../../src/page/decision-data.ts';
import { answerPage } from '../../src/page/page-handler.ts';
import { JournalCalls } from '../../src/page/journal-calls.ts';
import type { PageFiles } from '../../src/page/page-files.ts';
import { type DecisionsOptions, RegistryDecisions } from '../../src/page/registry-decisions.ts';

export const refunds: string[] = [];

/** What refunds wait for. */
export const refundGate: { opened: Promise<void> | undefined } = { opened: undefined };

@Tool({ description: 'Refund a payment.', effects: 'destructive' })
class Refund {
  @IsString()
  payment!: string;

  @IsInt()
  @Min(1)
  amount!: number;

  @IsOptional()
  @IsString()
  api_key?: string;

  async execute({ progress: _progress }: ToolContext): Promise<string> {
    await refundGate.opened;
    refunds.push(`${this.payment} ${this.amount} ${this.api_key ?? ''}`.trim());
    return `Refunded ${this.amount}.`;
  }
}

@Tool({ description: 'Open a door.', effects: 'destructive' })
class OpenDoor {
  @IsString()
  @Secret()
  code!: string;

  execute(): string {
    return 'Opened.';
  }
}

export const bookings: string[] = [];

/** How long a question of `BookRoom` stays open, in milliseconds. */
const questionTime = { usual: 60_000, short: 20 };

@Tool({ description: 'Book a room.', effects: 'write' })
class BookRoom {
  @IsString()
  day!: string;

  async execute(context: ToolContext): Promise<string> {
    const { room, seats } = await context.ask({
      question: `Which room on ${this.day}?`,
      expiresAfter: this.day === 'yesterday' ? questionTime.short : questionTime.usual,
      schema: {
        type: 'object',
        properties: {
          room: { enum: ['Attic', 'Library'], description: 'The Attic is small.' },
          seats: { type: 'integer', minimum: 1 },
        },
        required: ['room'],
      },
    });
    bookings.push(`${this.day} ${room} ${seats ?? ''}`.trim());
    return `Booked ${room}.`;
  }
}

/** A program with tools, whose page its people use. */
export interface Program {
  readonly tools: ToolRegistry;
  /** Asks for a refund. Returns the id of the call in the journal. */
  ask(args: string, tenant?: string, tool?: string): Promise<string>;
  /** Books a room, which asks which one. Returns the id of the call in the journal. */
  askWhichRoom(day: string): Promise<string>;
  /** Asks, and leaves the call as a process that ends while the tool is running. */
  leaveInDoubt(args: string): Promise<string>;
  /** A page of the program for a person. */
  page(person: Omit<DecisionsOptions, 'journal'>): Promise<PageOfPerson>;
  close(): Promise<void>;
}

export interface PageOfPerson {
  readonly url: URL;
  list(): Promise<readonly OpenDecision[]>;
  find(id: string): Promise<DecisionCase>;
  decide(id: string, decision: object): Promise<DecisionResult>;
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

interface ProgramOptions {
  readonly files?: PageFiles;
}

let calls = 0;

export function startProgram(
  journal: Journal,
  { files = new Map() }: ProgramOptions = {},
): Program {
  const tools = new ToolRegistry({ journal, approval: {} }).register(Refund, OpenDoor, BookRoom);
  const closers: (() => Promise<void>)[] = [];
  const ask: Program['ask'] = async (args, tenant = 'acme', tool = 'refund') => {
    calls += 1;
    const call = { id: `call_${calls}`, name: tool, arguments: args, model: 'm1' };
    const outcome = await tools.call(call, { tenant });
    expect(outcome.status).toBe('approval_required');
    const [entry] = await journal.list({ tenant, limit: 1 });
    return entry?.id ?? '';
  };
  return {
    tools,
    ask,
    async askWhichRoom(day) {
      calls += 1;
      const call = { id: `call_${calls}`, name: 'book_room', arguments: JSON.stringify({ day }) };
      const outcome = await tools.call(call, { tenant: 'acme' });
      expect(outcome.status).toBe('input_required');
      const [entry] = await journal.list({ tenant: 'acme', limit: 1 });
      return entry?.id ?? '';
    },
    async leaveInDoubt(args) {
      const id = await ask(args);
      const approval = (await journal.entry(id))?.approval;
      if (approval === undefined) throw new Error('no approval');
      const use = { kind: 'run', call: approval.call, approved: approval.digest } as const;
      await journal.useApproval(approval.id, 'acme', use);
      await journal.doubt(id);
      return id;
    },
    async page(person) {
      const options = { journal, tools, toolWaitMs: 600_000, ...person };
      const server = createServer((request, response) => {
        // For each request, as an application that knows who asks.
        const data = new JournalCalls(journal, { source: 'journal', tenant: person.tenant });
        const decisions = new RegistryDecisions(options);
        void answerPage(request, response, request.url ?? '/', { data, files, decisions });
      });
      // After a pause of the process for Node's 5 seconds, a request would be sent on a connection that
      // the server closes.
      server.keepAliveTimeout = 600_000;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      closers.push(async () => {
        const closing = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closing;
      });
      const { port } = server.address() as AddressInfo;
      return pageAt(new URL(`http://127.0.0.1:${port}/`));
    },
    async close() {
      for (const close of closers.splice(0)) await close();
      await tools.close();
    },
  };
}

function pageAt(url: URL): PageOfPerson {
  const post: PageOfPerson['post'] = (path, body, headers = {}) =>
    fetch(new URL(path, url), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-toolmend-page': '1', ...headers },
    });
  return {
    url,
    post,
    async list() {
      const response = await fetch(new URL('api/decisions', url));
      const { decisions } = (await response.json()) as { decisions: readonly OpenDecision[] };
      return decisions;
    },
    async find(id) {
      const response = await fetch(new URL(`api/decisions/${id}`, url));
      return (await response.json()) as DecisionCase;
    },
    async decide(id, decision) {
      return (await (await post(`api/decisions/${id}`, decision)).json()) as DecisionResult;
    },
  };
}
