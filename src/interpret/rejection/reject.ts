// How is a call rejected so that the model gets it right the next time? With the issues, the shape there, and an example.
import { failingPlace } from '../../hints/failing-place.ts';
import type { Issue } from '../../issues/issue.ts';
import { type Rejection, rejectionAdvice, rejectionMessage } from '../../issues/rejection-message.ts';
import type { Repetition } from '../../issues/repetition.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';
import type { MetaValues, Rejected } from '../interpretation.ts';
import { exampleAt, shapeAt } from './shown-arguments.ts';
import { callToConfirm } from './call-to-confirm.ts';
import { wholeSchema } from './whole-schema.ts';

/** `wouldBe`: the call that repair would have made, for the model to confirm. */
export function reject(
  judge: Judge,
  meta: MetaValues,
  issues: readonly Issue[],
  wouldBe?: JsonObject,
): Rejected {
  const rejected = { outcome: 'rejected', meta, repairs: [], notes: [], issues } as const;
  const confirm = wouldBe === undefined ? {} : { wouldBe };
  return { ...rejected, ...confirm, message: messageOf(judge, { ...rejected, ...confirm }) };
}

/** The same rejection with the message of a call that has failed in the same way before. */
export const escalated = (judge: Judge, rejected: Rejected, repetition: Repetition): Rejected => ({
  ...rejected,
  message: messageOf(judge, rejected, repetition),
});

/** What the message says below its issues: how the arguments should look, and what to send. */
export const adviceOf = (judge: Judge, rejected: Rejected): string =>
  rejectionAdvice(rejectionOf(judge, rejected));

function messageOf(judge: Judge, rejected: Omit<Rejected, 'message'>, repetition?: Repetition): string {
  const rejection = rejectionOf(judge, rejected);
  return repetition === undefined
    ? rejectionMessage(rejection)
    : rejectionMessage(rejection, {
        ...repetition,
        schemaWithin: (longest) => wholeSchema(judge.contract, longest),
      });
}

function rejectionOf(judge: Judge, { issues, meta, wouldBe }: Omit<Rejected, 'message'>): Rejection {
  const place = failingPlace(judge.views, issues[0]?.path ?? '');
  const example = exampleAt(judge, place);
  const confirm = wouldBe === undefined ? undefined : callToConfirm(judge, meta, wouldBe);
  return {
    tool: judge.contract.name,
    issues,
    ...(place.path === '' ? {} : { place: place.path }),
    shape: shapeAt(judge, place, issues),
    ...(example === undefined ? {} : { example }),
    ...(confirm === undefined ? {} : { wouldBe: confirm }),
  };
}
