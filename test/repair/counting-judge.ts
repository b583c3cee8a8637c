// How often is a judge asked, and what if its questions take many steps?
import type { SchemaJudge } from 'toolmend';
import { ajvJudge } from '../../src/validate/ajv-validator.ts';

export interface CountingJudge {
  readonly judge: SchemaJudge;
  /** Questions so far. */
  asked(): number;
}

/** Judges as Ajv does. `stepsPerQuestion`: those that it says a question took. */
export function countingJudge(stepsPerQuestion = 0): CountingJudge {
  let asked = 0;
  const judge: SchemaJudge = (root) => {
    const { compile, failures } = ajvJudge(root);
    return {
      compile(part) {
        const accepts = compile(part);
        return (value) => {
          asked += 1;
          return accepts(value);
        };
      },
      failures,
      stepsTaken: () => asked * stepsPerQuestion,
    };
  };
  return { judge, asked: () => asked };
}
