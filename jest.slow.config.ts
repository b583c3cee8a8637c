// Configures `npm run test:slow`: `*.slow.test.ts`, which start compilers, package managers and other programs, or take seconds.
import type { Config } from 'jest';
import fast from './jest.config.ts';

const config: Config = {
  ...fast,
  testMatch: ['<rootDir>/test/**/*.slow.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/fixtures/'],
  testTimeout: 300_000,
};

export default config;
