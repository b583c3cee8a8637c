import { memberOf } from '../../collections/objects.ts';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { readCalls } from '../../interpret/read-calls.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { textIn } from '../tool-turn.ts';

/**
 * The text of a call that the server couldn't read: of Groq's error `tool_use_failed`, or of the
 * SDK's error around it.
 */
export function failedGeneration(error: unknown): string | undefined {
  const body = memberOf(error, 'error') ?? error;
  const details = memberOf(body, 'error') ?? body;
  const generation = memberOf(details, 'failed_generation');
  const isFailure =
    memberOf(details, 'code') === 'tool_use_failed' || typeof generation === 'string';
  return isFailure ? textIn(generation) : undefined;
}

/**
 * The completion that the server should have sent; undefined if the calls in the text can't be
 * read.
 */
export function completionFrom(
  generation: string,
  tools: ToolSet,
): Pick<ChatCompletion, 'choices' | 'model'> | undefined {
  // The server says that it is a call, so that a fence around it doesn't make it an example.
  const { calls, text } = readCalls(fencePattern.exec(generation)?.[1] ?? generation, tools);
  if (calls.length === 0) return undefined;
  const tool_calls = calls.map(({ id, name, arguments: argumentText }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: argumentText },
  }));
  const content = text.trim() === '' ? null : text;
  const message = { role: 'assistant' as const, content, refusal: null, tool_calls };
  return { model: '', choices: [{ index: 0, finish_reason: 'stop', logprobs: null, message }] };
}

const fencePattern = /^\s*`{3}[\w-]*\s*\n([^]*)`{3}\s*$/;
