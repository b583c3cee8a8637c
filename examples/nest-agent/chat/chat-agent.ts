// Answers a message: asks the model, runs its calls, and repeats until the model answers in words.
import { Injectable } from '@nestjs/common';
import {
  type ApprovalDecision,
  type CallOptions,
  type QuestionAnswer,
  ToolRegistry,
  ToolRun,
} from 'toolmend';
import { answerText, type PlayedCall, turnMessages } from '../../main-job/chat-history.ts';
import type { ChatEvent } from './chat-event.ts';
import type { Conversation } from './conversations.ts';
import { ModelClient } from './model-client.ts';

export interface AgentRun {
  readonly conversation: Conversation;
  /** Fires when the client is gone. */
  readonly signal: AbortSignal;
  readonly tell: (event: ChatEvent) => void;
}

/** Requests to the model for one message, at most. */
const mostTurns = 12;

@Injectable()
export class ChatAgent {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly model: ModelClient,
  ) {}

  /** Rejects if the model's server fails. A message without an answer or a call is then removed. */
  async answer(text: string, run: AgentRun): Promise<void> {
    const { messages } = run.conversation;
    messages.push({ role: 'user', content: text });
    const length = messages.length;
    try {
      await this.#converse(run);
    } catch (error) {
      if (messages.length === length) messages.pop();
      throw error;
    }
  }

  /** Continues the conversation when all waiting calls are decided. */
  async decide(callId: string, decision: ApprovalDecision, run: AgentRun): Promise<void> {
    const { conversation } = run;
    const { text, played } = conversation.waiting ?? { text: '', played: [] };
    const decided: PlayedCall[] = [];
    for (const one of played) decided.push(await this.#decideOne(one, callId, decision, run));
    this.#take(text, decided, run);
    if (conversation.waiting === undefined) await this.#converse(run);
  }

  /**
   * The call goes on with the answer. The model has read that it waits, so the result is a message
   * of its own.
   */
  async answerQuestion(questionId: string, answer: QuestionAnswer, run: AgentRun): Promise<void> {
    const { conversation, tell } = run;
    const outcome = await this.tools.answerQuestion(questionId, answer, optionsOf(run));
    conversation.questions = conversation.questions.filter((id) => id !== questionId);
    const played = { call: outcome.call, outcome };
    if (outcome.status === 'input_required') {
      this.#ask([played], run);
      return;
    }
    tell(shown(played));
    const result = `[The result of the call ${outcome.call.id}, which waited for an answer]`;
    conversation.messages.push({ role: 'user', content: `${result}\n${answerText(outcome)}` });
    await this.#converse(run);
  }

  async #decideOne(
    played: PlayedCall,
    callId: string,
    decision: ApprovalDecision,
    run: AgentRun,
  ): Promise<PlayedCall> {
    const { call, outcome } = played;
    if (outcome.status !== 'approval_required' || call.id !== callId) return played;
    const decided = {
      call,
      outcome: await this.tools.resolveApproval(outcome.approval, decision, optionsOf(run)),
    };
    run.tell(shown(decided));
    return decided;
  }

  async #converse(run: AgentRun): Promise<void> {
    const { conversation, signal, tell } = run;
    const options = optionsOf(run);
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const onText = (text: string): void => tell({ type: 'text', data: { text } });
      const schemas = this.tools.schemas('openai');
      const { text, calls } = await this.model.ask(conversation.messages, schemas, {
        signal,
        onText,
      });
      if (calls.length === 0) {
        conversation.messages.push({ role: 'assistant', content: text });
        return;
      }
      const outcomes = await this.tools.callAll(calls, options);
      const played = outcomes.map((outcome) => ({ call: outcome.call, outcome }));
      for (const one of played) tell(shown(one));
      this.#take(text, played, run);
      this.#ask(played, run);
      if (conversation.waiting !== undefined) return;
      signal.throwIfAborted();
    }
    tell({ type: 'error', data: { message: `There is no end after ${mostTurns} turns.` } });
  }

  /** Reports the questions of calls. The model goes on meanwhile. */
  #ask(played: readonly PlayedCall[], { conversation, tell }: AgentRun): void {
    for (const { outcome } of played) {
      if (outcome.status !== 'input_required') continue;
      const { question, problem, tool } = outcome;
      const { id, question: text, schema } = question;
      conversation.questions = [...conversation.questions, id];
      const data = {
        id,
        tool,
        question: text,
        schema,
        ...(problem === undefined ? {} : { problem }),
      };
      tell({ type: 'question', data });
    }
  }

  /** Keeps the results, even if the client has disconnected, and reports the waiting calls. */
  #take(text: string, played: readonly PlayedCall[], { conversation, tell }: AgentRun): void {
    const waiting = played.flatMap(({ outcome }) =>
      outcome.status === 'approval_required' ? [outcome] : [],
    );
    conversation.waiting = waiting.length === 0 ? undefined : { text, played };
    if (waiting.length === 0) conversation.messages.push(...turnMessages(this.tools, text, played));
    for (const { call, tool, interpretation } of waiting) {
      tell({ type: 'approval', data: { id: call.id, tool, arguments: interpretation.value } });
    }
  }
}

const optionsOf = ({ conversation, signal }: AgentRun): CallOptions => ({
  signal,
  tenant: conversation.id,
  memory: conversation.memory,
  run: new ToolRun({ callLimit: 30 }),
  context: { customer: conversation.customer.name, role: conversation.customer.role },
});

const shown = ({ call, outcome }: PlayedCall): ChatEvent => ({
  type: 'call',
  data: {
    id: call.id,
    tool: call.name,
    status: outcome.status,
    repairs:
      outcome.status === 'unknown_tool'
        ? []
        : outcome.interpretation.repairs.map(({ rule, path }) => `${rule} ${path}`),
    answer: answerText(outcome),
  },
});
