// Which programs `npm run matrix` runs with the versions of each peer.

export interface MatrixRow {
  /** Programs of test/adapters/contract/run-drivers.ts. */
  readonly drivers: readonly string[];
  /** Packages that must have the same version. */
  readonly alike?: readonly string[];
  /** Packages that fit a major version, separated by spaces. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** By peer. `test/adapters/contract` compares the rows with the adapters. */
export const matrixRows: Readonly<Record<string, MatrixRow>> = {
  openai: { drivers: ['openai, chat', 'openai, responses'] },
  '@anthropic-ai/sdk': { drivers: ['anthropic'] },
  '@google/genai': { drivers: ['google'] },
  '@aws-sdk/client-bedrock-runtime': { drivers: ['bedrock'] },
  ollama: { drivers: ['ollama'] },
  ai: {
    drivers: ['AI SDK'],
    beside: {
      5: '@ai-sdk/openai-compatible@1',
      6: '@ai-sdk/openai-compatible@2',
      7: '@ai-sdk/openai-compatible@3',
    },
  },
  '@langchain/core': {
    drivers: ['LangChain'],
    beside: { 0: '@langchain/openai@0.6', 1: '@langchain/openai@1.0' },
  },
  '@nestjs/core': {
    drivers: ['Nest'],
    alike: ['@nestjs/common'],
    beside: {
      10: '@nestjs/testing@10 @nestjs/platform-express@10',
      11: '@nestjs/testing@11 @nestjs/platform-express@11',
      12: '@nestjs/testing@12 @nestjs/platform-express@12',
    },
  },
  '@openai/agents': { drivers: ['OpenAI Agents'] },
  '@modelcontextprotocol/sdk': { drivers: ['mcp 1, served', 'mcp 1, remote'] },
  '@modelcontextprotocol/server': {
    drivers: ['mcp, served', 'mcp, remote'],
    alike: ['@modelcontextprotocol/client'],
  },
};

/** For peers of no adapter, which only have to be loaded. */
export const registryRow: MatrixRow = { drivers: ['registry'] };
