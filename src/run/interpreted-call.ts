import type { InvalidArguments, UnknownTool } from '../outcomes/tool-outcome.ts';
import type { AcceptedToolCall } from '../interpret/records.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/** Which tool a call means, and with which arguments. Nothing is executed. */
export type InterpretedCall = AcceptedCall | InvalidArguments | UnknownTool;

/** A call that may be executed. */
export interface AcceptedCall extends AcceptedToolCall {
  readonly status: 'accepted';
  readonly contract: ToolContract;
}
