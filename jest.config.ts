// How are the tests run? TypeScript through swc, with decorators compiled the way the package is.
import type { Config } from 'jest';

const config: Config = {
  testEnvironment: 'node',
  // Jest leaves one core free, which on a machine of two is half of it.
  maxWorkers: '100%',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Some tests start compilers and package managers.
  testTimeout: 60_000,
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/fixtures/'],
  // Copies of the project that mutants are tried in.
  modulePathIgnorePatterns: ['<rootDir>/.mutation/copies/'],
  moduleNameMapper: {
    '^toolmend$': '<rootDir>/src/index.ts',
    '^toolmend/ai-sdk$': '<rootDir>/src/adapters/ai-sdk/index.ts',
    '^toolmend/interpreting-judge$': '<rootDir>/src/validate/interpreting-validator.ts',
    '^toolmend/nestjs$': '<rootDir>/src/adapters/nestjs/index.ts',
    '^toolmend/langchain$': '<rootDir>/src/adapters/langchain/index.ts',
    '^toolmend/openai$': '<rootDir>/src/adapters/openai/index.ts',
    '^toolmend/anthropic$': '<rootDir>/src/adapters/anthropic/index.ts',
    '^toolmend/testing$': '<rootDir>/src/testing/index.ts',
    '^toolmend/mcp$': '<rootDir>/src/adapters/mcp/index.ts',
    '^toolmend/opentelemetry$': '<rootDir>/src/telemetry/open-telemetry.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          // Kept equal to tsconfig.json, or tests and package have different instances.
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      },
    ],
  },
};

export default config;
