// Configures `npm run test:slow`: tests that start compilers, package managers and other programs,
// or take seconds, and property tests with 1,000 values each.
import type { Config } from 'jest';
import fast from './jest.config.ts';

process.env['PROPERTY_RUNS'] ??= '1000';

const config: Config = {
  ...fast,
  testMatch: ['<rootDir>/test/**/*.{slow,property}.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/fixtures/'],
  testTimeout: 900_000,
};

export default config;
