import { testLaws } from './test-laws.ts';

// The slow tier runs the same laws 1,000 times.
testLaws(50);
