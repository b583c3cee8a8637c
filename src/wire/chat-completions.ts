// OpenAI's Chat Completions, and the servers that are compatible with it:
// https://platform.openai.com/docs/api-reference/chat
import { ownValue } from '../collections/objects.ts';
import type { JsonPath } from '../json/json-edits.ts';
import { objectAt, textAt } from '../json/members.ts';
import type { JsonObject } from '../json/value.ts';
import {
  type CallForm,
  type CallPlace,
  type TextPlaces,
  type ToolPlace,
  type WireApi,
  each,
} from './wire-api.ts';

/** Custom tools have no schema. */
export const isCustomCall = (call: JsonObject): boolean =>
  textAt(call, 'type') === 'custom' || objectAt(call, 'custom') !== undefined;

export const functionCall: CallForm = {
  isCall: (call) => !isCustomCall(call),
  isCallOrCustom: () => true,
  id: ['id'],
  takesNewIds: true,
  name: ['function', 'name'],
  arguments: ['function', 'arguments'],
  argumentsAs: 'text',
  fixedMembers: { type: 'function' },
};

/** The calls of custom tools, whose arguments are a text without JSON. */
export const customCall: CallForm = {
  isCall: isCustomCall,
  isCallOrCustom: () => true,
  id: ['id'],
  takesNewIds: true,
  name: ['custom', 'name'],
  arguments: ['custom', 'input'],
  argumentsAs: 'text',
  fixedMembers: { type: 'custom' },
};

/** The one call of a message to one of the `functions`, which `tools` replaced. */
export const legacyCall: CallForm = {
  isCall: () => true,
  isCallOrCustom: () => true,
  id: undefined,
  takesNewIds: false,
  name: ['name'],
  arguments: ['arguments'],
  argumentsAs: 'text',
  fixedMembers: {},
};

/** Servers that give a single choice may leave out its `index`. */
export const isFirstChoice = (choice: JsonObject): boolean =>
  (ownValue(choice, 'index') ?? 0) === 0;

const callsIn = (message: JsonPath): readonly CallPlace[] => [
  { at: [...message, 'tool_calls', each], form: functionCall },
  { at: [...message, 'function_call'], form: legacyCall },
];

const placesIn = (message: 'message' | 'delta'): TextPlaces => ({
  model: ['model'],
  choices: ['choices', each],
  finishReason: ['finish_reason'],
  calls: callsIn([message]),
  text: [message, 'content'],
  // DeepSeek, llama.cpp and SGLang write `reasoning_content`; OpenRouter, Ollama and vLLM `reasoning`.
  reasoning: [
    [message, 'reasoning_content'],
    [message, 'reasoning'],
  ],
});

/** A tool of OpenAI's APIs. */
export const functionTool: Omit<ToolPlace, 'at'> = {
  schema: 'parameters',
  withoutSchema: 'no_arguments',
  takesStrict: true,
};

export const chatCompletions: WireApi<TextPlaces> = {
  answer: placesIn('message'),
  event: placesIn('delta'),
  history: callsIn(['messages', each]),
  tools: [
    { ...functionTool, at: ['tools', each, 'function'] },
    { ...functionTool, at: ['functions', each], takesStrict: false },
  ],
};
