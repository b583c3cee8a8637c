import type { CreateValidator } from '../tool/tool-contract.ts';
import { SchemaInterpreter } from './schema-interpreter.ts';
import { StepBudget, mayTakeLong } from './step-budget.ts';

/**
 * Validates without generating code, for places that forbid it (Workers, `--disallow-code-generation-from-strings`): give
 * it as the option `validator`. Slower than Ajv for a valid call.
 */
export const interpretingValidator: CreateValidator = (root) => {
  const budget = mayTakeLong(root) ? new StepBudget() : undefined;
  const interpreter = new SchemaInterpreter(root, budget);
  return {
    accepts: (value, part = root) => interpreter.accepts(value, part),
    failures: (value, part = root) => interpreter.failures(value, part),
    ...(budget === undefined ? {} : { stepsTaken: () => budget.taken }),
  };
};
