// What the gateway makes of an answer, without a server.
import { AnswerRepair, type CheckCall } from '../../src/gateway/answer-repair.ts';
import { anthropicMessages } from '../../src/gateway/anthropic-messages.ts';
import { chatCompletions } from '../../src/gateway/chat-completions.ts';
import { FrameReader } from '../../src/gateway/frames.ts';
import { ContractCache } from '../../src/gateway/contract-cache.ts';
import { RequestTools } from '../../src/gateway/offered-tools.ts';
import { ollamaChat } from '../../src/gateway/ollama-chat.ts';
import { responses } from '../../src/gateway/responses.ts';
import type { Api, GatewayCase } from './exchanges.ts';

const contracts = new ContractCache();
const protocols = [chatCompletions, responses, anthropicMessages, ollamaChat];

/** The bytes that a client gets: what the gateway makes of an answer that comes in these chunks. */
export function passed(api: Api, recorded: GatewayCase, chunks: readonly Buffer[]): string {
  const protocol = protocols.find(({ matches }) => matches(api.path));
  if (protocol === undefined) throw new Error(`no protocol reads ${api.path}`);
  const request = JSON.parse(JSON.stringify(api.request(recorded)));
  const tools = new RequestTools(protocol.tools(request), contracts, {
    effects: {},
    dispatches: {},
    hints: false,
    toolHints: {},
    schemasFor: undefined,
    strict: false,
  });
  const check: CheckCall = (call, isMisshaped) => tools.check(call, isMisshaped);
  if (!api.type.includes('stream') && !api.type.includes('ndjson')) {
    const repair = new AnswerRepair({
      read: (event, text) => protocol.readAnswer(event, text),
      check,
    });
    const bytes = Buffer.concat(chunks);
    const frame = { bytes, data: bytes.toString(), withData: (data: string) => Buffer.from(data) };
    const added = repair.add(frame);
    repair.end();
    return Buffer.concat([...added, ...repair.rest()]).toString();
  }
  const repair = new AnswerRepair({ read: protocol.eventReader(), check });
  const frames = new FrameReader(protocol.framing);
  const sent = chunks.flatMap((chunk) => frames.add(chunk).flatMap((frame) => repair.add(frame)));
  repair.end();
  return Buffer.concat([...sent, ...repair.rest()]).toString();
}

export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
