// Asks the model, runs its calls, returns their results, and repeats until the model answers in
// words.
import type OpenAI from 'openai';
import { CallMemory, type ToolRegistry } from 'toolmend';
import { type PlayedCall, turnMessages } from './chat-history.ts';
import { readAnswer } from './model-answer.ts';

export interface Agent {
  readonly client: OpenAI;
  readonly model: string;
  readonly tools: ToolRegistry;
  /** Requests to the model, at most. */
  readonly mostTurns: number;
  readonly signal: AbortSignal;
  /** Called with each call when it has ended. */
  readonly onCall: (played: PlayedCall) => void;
}

const instructions =
  'You work on the files of a workspace, with the tools that you have. Paths are relative to the workspace.';

/** The model's final text; undefined if its turns ended before. Rejects if the server fails. */
export async function runAgent(agent: Agent, task: string): Promise<string | undefined> {
  const { client, model, tools, signal } = agent;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: task },
  ];
  const memory = new CallMemory(); // tells the model when it repeats a failed call
  for (let turn = 0; turn < agent.mostTurns; turn += 1) {
    const request = { model, messages, tools: [...tools.schemas('openai')] };
    const answer = readAnswer(await client.chat.completions.create(request, { signal }), model);
    if (answer.kind === 'text') return answer.text;

    const played: PlayedCall[] = [];
    for (const call of answer.calls) {
      const outcome = await tools.call(call, { signal, memory });
      played.push({ call, outcome });
      agent.onCall({ call, outcome });
    }
    messages.push(...turnMessages(tools, answer.text, played));
  }
  return undefined;
}
