import type { Rejected } from '../interpret/interpretation.ts';
import { answerMessage } from '../messages/rejection-message.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { answerContract } from './questions.ts';

/** What is wrong with an answer, for who has given it. */
export const answerProblem = (
  tool: ToolContract,
  schema: SchemaObject,
  { issues, wouldBe }: Pick<Rejected, 'issues' | 'wouldBe'>,
): string =>
  answerMessage(
    validatorOf(answerContract(tool, schema)),
    { issues, meta: {}, ...(wouldBe === undefined ? {} : { wouldBe }) },
    { mapping: undefined, repetition: undefined },
  );
