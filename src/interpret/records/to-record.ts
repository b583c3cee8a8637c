// How is an accepted call stored? As it was interpreted, its meta arguments beside it.
import { RecordError } from '../../errors/record-error.ts';
import { freezeDeep } from '../../json/freeze-deep.ts';
import { argumentsText } from '../arguments-text.ts';
import type { Accepted } from '../interpretation.ts';
import type { ToolCall } from '../tool-call.ts';
import { type CallRecord, recordFormat, recordVersion } from './call-record.ts';

/** What `ToolRegistry.interpret` accepted, or any outcome of an accepted call. */
export interface AcceptedToolCall {
  readonly call: ToolCall;
  /** The tool's own name. */
  readonly tool: string;
  readonly interpretation: Accepted;
}

/**
 * A frozen copy of all that is known of an accepted call; ready for JSON. See CallRecord for what it holds. Throws a
 * RecordError for a call that was not accepted.
 */
export function toRecord(accepted: AcceptedToolCall): CallRecord {
  requireAccepted(accepted);
  const { call, tool, interpretation } = accepted;
  const { id, name, model, finishReason } = call;
  const { meta, repairs, notes } = interpretation;
  return freezeDeep({
    format: recordFormat,
    version: recordVersion,
    id,
    tool,
    ...(name === tool ? {} : { requested: name }),
    ...(model === undefined ? {} : { model }),
    ...(finishReason === undefined ? {} : { finishReason }),
    arguments: argumentsText(interpretation),
    // Copies: what was sent may be a value that the program goes on using.
    ...structuredClone({ meta, repairs, notes }),
  });
}

/** For outcomes of calls in general, of which JavaScript passes any. */
function requireAccepted({
  interpretation,
}: {
  readonly interpretation?: { readonly outcome: string };
}): void {
  if (interpretation !== undefined && interpretation.outcome !== 'rejected') return;
  throw new RecordError(
    'interpretation',
    'Only accepted calls can be stored, and this one was not accepted: ask for its outcome first.',
  );
}
