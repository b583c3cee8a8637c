import { testLaws } from './test-laws.ts';

testLaws(Number(process.env['LAW_RUNS'] ?? 1000));
