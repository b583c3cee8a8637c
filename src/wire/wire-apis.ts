import { anthropicMessages } from './anthropic-messages.ts';
import { chatCompletions } from './chat-completions.ts';
import { ollamaChat } from './ollama-chat.ts';
import { responses } from './responses.ts';
import type { WireApi } from './wire-api.ts';

/**
 * The APIs in which `toolmend cases` reads records. A call is read in the first form that it
 * has. The last API ends with a form that any object has, so it stays last.
 */
export const recordedApis: readonly WireApi[] = [
  anthropicMessages,
  responses,
  ollamaChat,
  chatCompletions,
];
