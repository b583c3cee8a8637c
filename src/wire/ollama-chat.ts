// Ollama's /api/chat: https://docs.ollama.com/api/chat
import { objectAt } from '../json/members.ts';
import { chatCompletions } from './chat-completions.ts';
import { type CallForm, type TextPlaces, type WireApi, each } from './wire-api.ts';

export const ollamaCall: CallForm = {
  isCall: (call) => objectAt(call, 'function') !== undefined,
  isCallOrCustom: () => true,
  id: ['id'],
  // Older servers send none.
  takesNewIds: false,
  name: ['function', 'name'],
  arguments: ['function', 'arguments'],
  argumentsAs: 'value',
  fixedMembers: {},
};

const places: TextPlaces = {
  model: ['model'],
  choices: [],
  finishReason: ['done_reason'],
  endFlag: ['done'],
  calls: [{ at: ['message', 'tool_calls', each], form: ollamaCall }],
  text: ['message', 'content'],
  reasoning: [['message', 'thinking']],
};

export const ollamaChat: WireApi<TextPlaces> = {
  answer: places,
  event: places,
  history: [{ at: ['messages', each, 'tool_calls', each], form: ollamaCall }],
  tools: chatCompletions.tools.map((place) => ({ ...place, takesStrict: false })),
};
