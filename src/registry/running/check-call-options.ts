// Is what a program says of one call what it must be? Asked before anything is done with the call.
import { DefinitionError } from '../../errors/definition-error.ts';
import { timeComplaints } from '../../errors/milliseconds.ts';
import { optionComplaints } from '../../errors/option-complaints.ts';
import type { CallOptions } from './call-options.ts';

const where = 'ToolRegistry.call';

/** Throws a DefinitionError: for a time limit that isn't one, and a signal that nobody can listen to. */
export function checkCallOptions({ timeLimit, signal }: CallOptions): void {
  if (timeLimit === undefined && signal === undefined) return;
  const complaints = [
    ...timeComplaints(where, { timeLimit }),
    ...optionComplaints(where, { signal }, { signal: signalKind }),
  ];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}

const signalKind = {
  fits: (signal: unknown) => typeof Reflect.get(Object(signal), 'addEventListener') === 'function',
  instead: 'write an AbortSignal, the signal of an AbortController',
};
