// A local OpenAI-compatible server that plays scripts, streamed or not. It refuses what a real
// server would refuse.
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

/** Reads the request of a model; throws if it is wrong. */
export type DecideStep = (request: CompletionRequest) => NextStep;

/** A server with a model for each script. */
export const startScriptedModelServer = (
  scripts: readonly ModelScript[],
): Promise<ScriptedModelServer> => startModelServer((request) => scriptedStep(scripts, request));

/** Listens on a free port of 127.0.0.1. */
export async function startModelServer(decide: DecideStep): Promise<ScriptedModelServer> {
  const server = createServer((request, response) => void answer(decide, request, response));
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

export interface CompletionRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly ConversationMessage[];
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
}

async function answer(
  decide: DecideStep,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body: CompletionRequest = JSON.parse(await text(request));
    const step = decide(body);
    if (body.stream === true) sendStream(response, body, step);
    else
      send(response, 200, {
        ...headOf(body),
        object: 'chat.completion',
        choices: [choiceOf(step)],
      });
  } catch (error) {
    send(response, 400, {
      error: { message: error instanceof Error ? error.message : 'unknown error' },
    });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Throws if the request is wrong. */
function scriptedStep(scripts: readonly ModelScript[], request: CompletionRequest): NextStep {
  const { model, messages = [], tools = [] } = request;
  const script = scripts.find((candidate) => candidate.model === model);
  if (script === undefined) throw new Error(`there is no model ${model}`);
  const step = nextStep(script, messages);
  if (step.kind === 'call' && !tools.some((tool) => tool.function?.name === step.call.tool)) {
    throw new Error(`the request offers no tool ${step.call.tool}`);
  }
  return step;
}

const headOf = ({ model, messages = [] }: CompletionRequest): object => ({
  id: `completion-${messages.length}`,
  created: 0,
  model,
});

function choiceOf(step: NextStep): object {
  if (step.kind === 'text') {
    return { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: step.text } };
  }
  const { id, name, sent, finishReason } = partsOf(step);
  const call = { id, type: 'function', function: { name, arguments: sent } };
  return {
    index: 0,
    finish_reason: finishReason,
    message: { role: 'assistant', content: null, tool_calls: [call] },
  };
}

const partsOf = ({ call, index }: Extract<NextStep, { readonly kind: 'call' }>) => ({
  id: `call_${index}`,
  name: call.tool,
  sent: typeof call.sends === 'string' ? call.sends : JSON.stringify(call.sends),
  finishReason: call.finishReason ?? 'tool_calls',
});

/**
 * Server-sent events, with the text and the arguments in pieces
 * (https://platform.openai.com/docs/api-reference/chat-streaming).
 */
function sendStream(response: ServerResponse, request: CompletionRequest, step: NextStep): void {
  const event = (delta: object, finishReason: string | null = null): string => {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    return `data: ${JSON.stringify({ ...headOf(request), object: 'chat.completion.chunk', choices })}\n\n`;
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltasOf(step)) response.write(event(delta));
  const finishReason = step.kind === 'text' ? 'stop' : partsOf(step).finishReason;
  response.end(`${event({}, finishReason)}data: [DONE]\n\n`);
}

function deltasOf(step: NextStep): readonly object[] {
  if (step.kind === 'text')
    return piecesOf(step.text).map((content) => ({ role: 'assistant', content }));
  const { id, name, sent } = partsOf(step);
  return [
    {
      role: 'assistant',
      tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }],
    },
    ...piecesOf(sent).map((piece) => ({
      tool_calls: [{ index: 0, function: { arguments: piece } }],
    })),
  ];
}

const piecesOf = (whole: string): readonly string[] => whole.match(/[^]{1,12}/g) ?? [];
