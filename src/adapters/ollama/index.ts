export { ChatCollector, type OllamaTools, type OllamaTurn, ollamaChat } from './chat.ts';
