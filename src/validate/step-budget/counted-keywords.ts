// Which steps of code that Ajv makes are counted? Each reference, union, list and map that it comes to.
import { _, type Ajv2020 } from 'ajv/dist/2020.js';
import { replaceCode } from '../keyword-code.ts';
import type { StepBudget } from './step-budget.ts';

/** Keywords after which more work may follow than the schema around them shows. */
const counted = [
  '$ref',
  'anyOf',
  'oneOf',
  'items',
  'contains',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
] as const;

/** Makes the code of a compiler take a step of the budget at each of these keywords. */
export function countKeywords(ajv: Ajv2020, budget: StepBudget): void {
  for (const keyword of counted) {
    replaceCode(ajv, keyword, (context, original) => {
      const step = context.gen.scopeValue('func', { ref: budget.step });
      context.gen.code(_`${step}(${context.data})`);
      original(context);
    });
  }
}
