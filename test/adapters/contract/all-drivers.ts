// Which adapters go through the contract test? One row each; the bare registry is the first.
import type { AdapterDriver } from './adapter-driver.ts';
import { aiSdk } from './drivers/ai-sdk.ts';
import { anthropic } from './drivers/anthropic.ts';
import { bareRegistry } from './drivers/bare-registry.ts';
import { langChain } from './drivers/lang-chain.ts';
import { mcpRemote } from './drivers/mcp-remote.ts';
import { mcpServer } from './drivers/mcp-server.ts';
import { openAiChat } from './drivers/openai-chat.ts';
import { openAiResponses } from './drivers/openai-responses.ts';
import { nestjs } from './drivers/nestjs.ts';

export const allDrivers: readonly AdapterDriver[] = [
  bareRegistry,
  openAiChat,
  openAiResponses,
  anthropic,
  nestjs,
  aiSdk,
  langChain,
  mcpServer,
  mcpRemote,
];
