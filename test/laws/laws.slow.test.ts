import { testLaws } from './test-laws.ts';

testLaws(1000);
