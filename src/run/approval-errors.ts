// Errors about approvals and questions that an application gives back.
import { RecordError, ToolmendError } from '../errors/errors.ts';
import type { ApprovalSettings } from './approval-settings.ts';

type Pending = 'approval' | 'question';

const calls = {
  approval: 'resolveApproval(approval, decision',
  question: 'answerQuestion(question, answer',
} as const;

export const unknownApproval = ({ ifUnknown }: ApprovalSettings): RecordError =>
  new RecordError('id', `There is no approval with this id: ${ifUnknown}.`);

/** `ifUnknown`: what an application can do about it. */
export const unknownQuestion = (ifUnknown: string): RecordError =>
  new RecordError('id', `There is no question with this id: ${ifUnknown}.`);

/** `given`: what the id is that of. */
export const otherKind = (pending: Pending): RecordError =>
  new RecordError(
    'id',
    pending === 'question'
      ? 'This is the id of a question: pass it to answerQuestion.'
      : 'This is the id of an approval: pass it to resolveApproval.',
  );

export const otherTenant = (pending: Pending): RecordError =>
  new RecordError(
    '',
    `The ${pending} is of a call of another tenant: ` +
      `pass the tenant of that call, ${calls[pending]}, { tenant }).`,
  );

export const otherScope = (pending: Pending): RecordError =>
  new RecordError(
    'scope',
    `The ${pending} is of a call of another scope: ` +
      `pass the context of that call, ${calls[pending]}, { context }).`,
  );

/** `presentPart`: whether the application has passed all of it. */
export const withoutArguments = (pending: Pending, presentPart: 'whole' | 'id'): RecordError =>
  new RecordError(
    '',
    presentPart === 'id'
      ? `The journal does not keep the arguments of this ${pending}, which hold secrets: ` +
          `pass the whole ${pending} of the outcome.`
      : `The ${pending} differs from the one that was made, and the journal does not keep its ` +
          `arguments, which hold secrets: pass the ${pending} of the outcome as it was.`,
  );

export const closedBefore = (pending: Pending): ToolmendError =>
  new ToolmendError(
    'registry-closed',
    `The registry was closed, and the ${pending} is still open: ` +
      `${pending === 'approval' ? 'resolve' : 'answer'} it in another process.`,
  );
