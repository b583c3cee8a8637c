import type { CreateValidator } from 'toolmend';
import { schemaValidator } from '../../src/validate/schema-validator.ts';

export interface CountingValidator {
  readonly validator: CreateValidator;
  /** Questions so far. */
  asked(): number;
}

/** Validates as the default validator does. `stepsPerQuestion`: those that it says a question took. */
export function countingValidator(stepsPerQuestion = 0): CountingValidator {
  let asked = 0;
  const validator: CreateValidator = (root) => {
    const { accepts, failures } = schemaValidator(root);
    return {
      accepts(value, part) {
        asked += 1;
        return accepts(value, part);
      },
      failures,
      stepsTaken: () => asked * stepsPerQuestion,
    };
  };
  return { validator, asked: () => asked };
}
