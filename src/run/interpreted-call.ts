import type { InvalidArguments, UnknownTool } from '../outcomes/tool-outcome.ts';
import type { Interpretation } from '../interpret/interpretation.ts';
import type { AcceptedToolCall } from '../interpret/records.ts';
import type { SentArguments } from '../interpret/tool-call.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/** Which tool a call means, and with which arguments. Nothing is executed. */
export type InterpretedCall = AcceptedCall | InvalidArguments | UnknownTool;

/** A call that may be executed. */
export interface AcceptedCall extends AcceptedToolCall {
  readonly status: 'accepted';
  readonly contract: ToolContract;
  /** Only of a dispatcher: judges edited arguments, those of the inner tool too. */
  readonly judgeEdit?: (sentArguments: SentArguments) => JudgedArguments;
}

/** Arguments as interpreted, and the contract by which the call runs. */
export interface JudgedArguments {
  readonly contract: ToolContract;
  readonly interpretation: Interpretation;
}
