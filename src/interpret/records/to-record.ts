// How is an accepted call stored? As it was interpreted, its meta arguments beside it.
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

/** A frozen copy of all that is known of an accepted call; ready for JSON. See CallRecord for what it holds. */
export function toRecord({ call, tool, interpretation }: AcceptedToolCall): CallRecord {
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
