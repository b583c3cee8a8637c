// What becomes of a call whose arguments were rejected? The model reads why; where a check of the author's broke, an error id.
import { internalErrorMessage, isInternalError } from '../issues/internal-error.ts';
import { newErrorId } from '../errors/error-id.ts';
import type { RejectedCall } from './tool-outcome.ts';

/** The outcome; frozen. */
export function rejectedCall(
  rejected: Pick<RejectedCall, 'call' | 'tool' | 'interpretation' | 'failures'>,
): RejectedCall {
  const { tool, interpretation } = rejected;
  const { issues, message } = interpretation;
  if (!isInternalError(issues)) return Object.freeze({ ...rejected, outcome: 'rejected', message });
  const errorId = newErrorId();
  const masked = internalErrorMessage(tool, errorId);
  return Object.freeze({ ...rejected, outcome: 'rejected', message: masked, errorId });
}
