// How is a call rejected so that the model gets it right the next time? With the issues, the shape there, and an example.
import type { LoweredSchema } from '../../dialects/lowering/lower-schema.ts';
import { type Rejection, rejectionAdvice, rejectionMessage } from '../../issues/rejection-message.ts';
import type { Repetition } from '../../issues/repetition.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';
import type { MetaValues, Rejected } from '../interpretation.ts';
import { callToConfirm } from './call-to-confirm.ts';

import { wholeSchema } from './whole-schema.ts';
import { withoutSecretKeys } from './without-secret-keys.ts';
import { rejectionWords } from './words-as-shown.ts';

const asItIs: Wording = Object.freeze({});

/** `wouldBe`: the call that repair would have made, for the model to confirm. */
export function reject(
  judge: Judge,
  meta: MetaValues,
  issues: Rejected['issues'],
  wouldBe?: JsonObject,
): Rejected {
  const told = issues.map((issue) => withoutSecretKeys(judge, issue));
  const rejected = { outcome: 'rejected', meta, repairs: [], notes: [], issues: told } as const;
  const confirm = wouldBe === undefined ? {} : { wouldBe };
  return { ...rejected, ...confirm, message: messageOf(judge, { ...rejected, ...confirm }, asItIs) };
}

/** What decides how a rejection is said. */
export interface Wording {
  /** The call has failed in the same way before. */
  readonly repetition?: Repetition | undefined;
  /** The form in which the model knows the arguments; absent: as they are. */
  readonly shown?: LoweredSchema | undefined;
  /** The name by which it knows the tool. Default: the tool's own. */
  readonly shownName?: string | undefined;
}

/** The parts of a rejection's message: its issues, and what is said below them of how to send it right. */
export function saidOf(
  judge: Judge,
  rejected: Rejected,
  wording: Wording,
): { readonly issues: Rejected['issues']; readonly advice: string } {
  const rejection = rejectionOf(judge, rejected, wording);
  return { issues: rejection.issues, advice: rejectionAdvice(rejection) };
}

/** The same rejection in other words. */
export function reworded(judge: Judge, rejected: Rejected, wording: Wording): Rejected {
  const { causes } = rejected;
  const said = { ...rejected, message: messageOf(judge, rejected, wording) };
  return causes === undefined
    ? said
    : Object.defineProperty(said, 'causes', { value: causes, enumerable: false });
}

function messageOf(judge: Judge, rejected: Omit<Rejected, 'message'>, wording: Wording): string {
  const { repetition, shown } = wording;
  const rejection = rejectionOf(judge, rejected, wording);
  return repetition === undefined
    ? rejectionMessage(rejection)
    : rejectionMessage(rejection, {
        ...repetition,
        schemaWithin: (longest) => wholeSchema(judge.contract, shown, longest),
      });
}

function rejectionOf(
  judge: Judge,
  rejected: Omit<Rejected, 'message'>,
  { shown, shownName = judge.contract.name }: Wording,
): Rejection {
  const { meta, wouldBe } = rejected;
  const { issues, place, shape, example } = rejectionWords(judge, rejected.issues, shown);
  const confirm = wouldBe === undefined ? undefined : callToConfirm(judge, { meta, wouldBe, shown });
  return {
    tool: shownName,
    issues,
    ...(place === '' ? {} : { place }),
    shape,
    ...(example === undefined ? {} : { example }),
    ...(confirm === undefined ? {} : { wouldBe: confirm }),
  };
}
