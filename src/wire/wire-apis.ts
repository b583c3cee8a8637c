import { anthropicMessages } from './anthropic-messages.ts';
import { chatCompletions } from './chat-completions.ts';
import { ollamaChat } from './ollama-chat.ts';
import { responses } from './responses.ts';
import type { WireApi } from './wire-api.ts';

/** The APIs whose requests and answers are read wherever they come from. */
export const wireApis: readonly WireApi[] = [
  anthropicMessages,
  responses,
  ollamaChat,
  chatCompletions,
];
