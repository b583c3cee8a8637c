import { RecordError } from '../errors/errors.ts';
import type { ApprovalSettings } from './approval-settings.ts';

export const unknownApproval = ({ ifUnknown }: ApprovalSettings): RecordError =>
  new RecordError('id', `There is no approval with this id: ${ifUnknown}.`);

export const otherTenant = (): RecordError =>
  new RecordError(
    '',
    'The approval is of a call of another tenant: ' +
      'pass the tenant of that call, resolveApproval(approval, decision, { tenant }).',
  );

export const otherScope = (): RecordError =>
  new RecordError(
    'scope',
    'The approval is of a call of another scope: ' +
      'pass the context of that call, resolveApproval(approval, decision, { context }).',
  );

/** `presentPart`: whether the application has passed the whole approval. */
export const withoutArguments = (presentPart: 'whole' | 'id'): RecordError =>
  new RecordError(
    '',
    presentPart === 'id'
      ? 'The journal does not keep the arguments of this approval, which hold secrets: ' +
          'pass the whole approval of the outcome.'
      : 'The approval differs from the one that was made, and the journal does not keep its ' +
          'arguments, which hold secrets: pass the approval of the outcome as it was.',
  );
