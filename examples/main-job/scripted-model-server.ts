// Where does the model come from when there is none? An OpenAI-compatible server on loopback that replays scripts.
// It answers chat completions, nothing else, and refuses a conversation that a real server would refuse.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ModelScript } from './recorded-calls.ts';
import { type ConversationMessage, type NextStep, nextStep } from './scripted-model.ts';

export interface ScriptedModelServer {
  /** For the OpenAI client. */
  readonly baseURL: string;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. */
export async function startScriptedModelServer(
  scripts: readonly ModelScript[],
): Promise<ScriptedModelServer> {
  const server = createServer((request, response) => void answer(scripts, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface CompletionRequest {
  readonly model?: string;
  readonly messages?: readonly ConversationMessage[];
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
}

async function answer(
  scripts: readonly ModelScript[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body: CompletionRequest = JSON.parse(await text(request));
    send(response, 200, completionFor(scripts, body));
  } catch (error) {
    send(response, 400, { error: { message: error instanceof Error ? error.message : 'unknown error' } });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Throws what is wrong with the request. */
function completionFor(scripts: readonly ModelScript[], request: CompletionRequest): object {
  const { model, messages = [], tools = [] } = request;
  const script = scripts.find((candidate) => candidate.model === model);
  if (script === undefined) throw new Error(`there is no model ${model}`);
  const step = nextStep(script, messages);
  if (step.kind === 'call' && !tools.some((tool) => tool.function?.name === step.call.tool)) {
    throw new Error(`the request offers no tool ${step.call.tool}`);
  }
  return {
    id: `completion-${messages.length}`,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [choiceOf(step)],
  };
}

function choiceOf(step: NextStep): object {
  if (step.kind === 'text') {
    return { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: step.text } };
  }
  const { tool: name, sends, finishReason = 'tool_calls' } = step.call;
  const sent = typeof sends === 'string' ? sends : JSON.stringify(sends);
  const call = { id: `call_${step.index}`, type: 'function', function: { name, arguments: sent } };
  return {
    index: 0,
    finish_reason: finishReason,
    message: { role: 'assistant', content: null, tool_calls: [call] },
  };
}
