// Configures `npm test`. A test file's name says when it runs:
//   *.test.ts            in `npm test`
//   *.slow.test.ts       in `npm run test:slow`
//   *.property.test.ts   in both; its properties are tried on more values in `npm run test:slow`
//
// The npm scripts start Node with --no-compilation-cache: V8's cache would keep the modules of each
// finished test file in memory, until a worker holds more than a gigabyte and takes so long to end
// that jest kills it. --max-semi-space-size lets the modules of a test file fit into the young
// generation, which saves a tenth of the processor time.
import type { Config } from 'jest';

const config: Config = {
  testEnvironment: 'node',
  // By default jest leaves one core idle, which is half of a two-core machine.
  maxWorkers: '100%',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Only a test that never ends takes so long, however busy the machine is.
  testTimeout: 300_000,
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/fixtures/', '\\.slow\\.test\\.ts$'],
  // Copies of the project that the mutation run makes.
  modulePathIgnorePatterns: ['<rootDir>/.mutation/copies/'],
  moduleNameMapper: {
    '^toolmend$': '<rootDir>/src/index.ts',
    '^toolmend/ai-sdk$': '<rootDir>/src/adapters/ai-sdk/index.ts',
    '^toolmend/ajv$': '<rootDir>/src/validate/ajv-validator.ts',
    '^toolmend/nestjs$': '<rootDir>/src/adapters/nestjs/index.ts',
    '^toolmend/journal$': '<rootDir>/src/journal/index.ts',
    '^toolmend/langchain$': '<rootDir>/src/adapters/langchain/index.ts',
    '^toolmend/bedrock$': '<rootDir>/src/adapters/bedrock/index.ts',
    '^toolmend/google$': '<rootDir>/src/adapters/google/index.ts',
    '^toolmend/ollama$': '<rootDir>/src/adapters/ollama/index.ts',
    '^toolmend/openai-agents$': '<rootDir>/src/adapters/openai-agents/index.ts',
    '^toolmend/openai$': '<rootDir>/src/adapters/openai/index.ts',
    '^toolmend/anthropic$': '<rootDir>/src/adapters/anthropic/index.ts',
    '^toolmend/repair$': '<rootDir>/src/interpret/index.ts',
    '^toolmend/testing$': '<rootDir>/src/testing/index.ts',
    '^toolmend/mcp-client$': '<rootDir>/src/mcp-proxy/transport.ts',
    '^toolmend/mcp$': '<rootDir>/src/adapters/mcp/index.ts',
    '^toolmend/opentelemetry$': '<rootDir>/src/telemetry/open-telemetry.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        // Beside the code: in it they would be parsed with it, in each test file.
        sourceMaps: true,
        module: { type: 'es6' },
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          // The same as in tsconfig.json: other options would initialise class fields differently
          // from the package.
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: false,
          },
        },
      },
    ],
  },
};

export default config;
