import { schemasIn } from '../schema/json-schema.ts';
import type { CreateValidator } from '../tool/tool-contract.ts';
import { SchemaChecks } from './schema-check.ts';
import { ListingChecks } from './schema-failures.ts';
import { StepBudget, mayTakeLong } from './step-budget.ts';

/**
 * The default validator. Generates no code, so that it runs where that is forbidden (Workers, a
 * content security policy, `--disallow-code-generation-from-strings`), and reads a part of the
 * schema when a value first reaches it.
 */
export const schemaValidator: CreateValidator = (root) => {
  if (mayTakeLong(root)) return countingValidator(root);
  const listing = new ListingChecks(root);
  const checks = schemasIn(root).some(dependsOnCoverage) ? listing : new SchemaChecks(root);
  return {
    accepts: (value, part = root) => checks.accepts(value, part),
    failures: (value, part = root) => listing.failures(value, part),
  };
};

const coverageKeywords = ['unevaluatedItems', 'unevaluatedProperties'];

/** These keywords apply to what the other keywords have not covered. */
const dependsOnCoverage = (schema: object): boolean =>
  coverageKeywords.some((keyword) => Object.hasOwn(schema, keyword));

/** Counts its steps, and refuses a value that would take too many. */
const countingValidator: CreateValidator = (root) => {
  const budget = new StepBudget();
  const listing = new ListingChecks(root, budget);
  return {
    accepts: (value, part = root) =>
      budget.runWithin(value, () => listing.accepts(value, part), false),
    failures: (value, part = root) =>
      budget.runWithin(value, () => listing.failures(value, part), [
        { keyword: 'budget_exceeded', path: '', schema: part },
      ]),
    stepsTaken: () => budget.stepCount,
  };
};
