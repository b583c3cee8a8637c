// Streams the answers of the agent as server-sent events.
import {
  Body,
  ConflictException,
  Controller,
  ForbiddenException,
  Logger,
  type MessageEvent,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Post,
  Req,
  RequestMethod,
  Sse,
  UseGuards,
} from '@nestjs/common';
import { APIError } from 'openai';
import { Observable } from 'rxjs';
import { type AuthenticatedRequest, CustomerGuard } from '../customer.guard.ts';
import { type AgentRun, ChatAgent } from './chat-agent.ts';
import { type Conversation, Conversations } from './conversations.ts';
import { AnswerDto, DecisionDto, MessageDto } from './message.dto.ts';

@Controller('chats')
@UseGuards(CustomerGuard)
export class ChatController {
  readonly #logger = new Logger(ChatController.name);

  constructor(
    private readonly conversations: Conversations,
    private readonly agent: ChatAgent,
  ) {}

  @Post()
  async open(@Req() { customer }: AuthenticatedRequest): Promise<{ readonly id: string }> {
    const { id } = await this.conversations.open(customer);
    return { id };
  }

  @Sse(':id/messages', { method: RequestMethod.POST })
  async send(
    @Req() { customer }: AuthenticatedRequest,
    @Param('id', ParseUUIDPipe) id: string,
    @Body() { text }: MessageDto,
  ): Promise<Observable<MessageEvent>> {
    const conversation = await this.conversations.find(id, customer);
    if (conversation.waiting !== undefined)
      throw new ConflictException('A call waits for a decision.');
    return this.#stream(conversation, (run) => this.agent.answer(text, run));
  }

  /** Customers can't approve their own calls. */
  @Sse(':id/approvals/:callId', { method: RequestMethod.POST })
  async decide(
    @Req() { customer }: AuthenticatedRequest,
    @Param('id', ParseUUIDPipe) id: string,
    @Param('callId') callId: string,
    @Body() { decision, message = 'The shop says no.', arguments: edited }: DecisionDto,
  ): Promise<Observable<MessageEvent>> {
    if (customer.role !== 'staff') throw new ForbiddenException();
    const conversation = await this.conversations.find(id, customer);
    const said =
      decision === 'deny'
        ? ({ decision, message } as const)
        : ({ decision, ...(edited === undefined ? {} : { arguments: edited }) } as const);
    return this.#stream(conversation, (run) => this.agent.decide(callId, said, run));
  }

  /** The customer answers a question of a tool, perhaps after a restart. */
  @Sse(':id/questions/:questionId', { method: RequestMethod.POST })
  async answer(
    @Req() { customer }: AuthenticatedRequest,
    @Param('id', ParseUUIDPipe) id: string,
    @Param('questionId', ParseUUIDPipe) questionId: string,
    @Body() { action, content = {} }: AnswerDto,
  ): Promise<Observable<MessageEvent>> {
    const conversation = await this.conversations.find(id, customer);
    if (!conversation.questions.includes(questionId)) throw new NotFoundException();
    const answer = action === 'accept' ? { action, content } : { action };
    return this.#stream(conversation, (run) => this.agent.answerQuestion(questionId, answer, run));
  }

  /**
   * Ends the run when the client disconnects: no further request to the model, and running tools
   * are cancelled.
   */
  #stream(
    conversation: Conversation,
    answer: (run: AgentRun) => Promise<void>,
  ): Observable<MessageEvent> {
    const end = this.conversations.begin(conversation);
    return new Observable((client) => {
      const gone = new AbortController();
      const tell: AgentRun['tell'] = (event) => client.next(event);
      answer({ conversation, signal: gone.signal, tell })
        .catch((error: unknown) => {
          if (gone.signal.aborted) return;
          this.#logger.error(`The model's server failed: ${failureOf(error)}`);
          tell({
            type: 'error',
            data: { message: 'There is no answer at the moment. Send the message again later.' },
          });
        })
        .then(() => this.conversations.save(conversation))
        .catch((error: unknown) => this.#logger.error(`Not saved: ${failureOf(error)}`))
        .finally(() => {
          end();
          tell({ type: 'end', data: {} });
          client.complete();
        });
      return () => gone.abort();
    });
  }
}

/** Logs only the kind of a failure, because a server's message may repeat the key. */
const failureOf = (error: unknown): string => {
  if (error instanceof APIError) return `${error.constructor.name} ${error.status ?? ''}`.trim();
  return error instanceof Error ? error.constructor.name : typeof error;
};
