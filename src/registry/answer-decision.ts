import { DefinitionError } from '../errors/definition-error.ts';
import type { ToolOutcome } from '../execute/tool-outcome.ts';
import {
  type ApprovalDecision,
  type DecidedCall,
  type DecisionPlace,
  decideCall,
  wouldAsk,
} from './approve.ts';
import { type CallOptions, type CallSetting, mergeContext } from './call-options.ts';
import { answerAccepted, answerCall, rememberedAnswer, tellEnded } from './call-tool.ts';
import type { InterpretedCall } from './interpret-call.ts';

// The outcome of the call, told to its listeners like any other.
export interface DecidingRegistry extends Pick<DecisionPlace, 'interpret'> {
  readonly setting: CallSetting;
}

/** Throws as `ToolRegistry.resolveApproval` does. */
export function readDecision(
  approval: unknown,
  decision: ApprovalDecision,
  { context }: CallOptions,
  { setting, interpret }: DecidingRegistry,
): DecidedCall {
  if (setting.approval === undefined) {
    const what = 'asks for no approval';
    throw new DefinitionError([{ where: 'ToolRegistry', what, instead: 'construct it with approval: {}' }]);
  }
  const values = mergeContext(setting.context, context);
  return decideCall(approval, decision, { setting: setting.approval, values, interpret });
}

/** Runs what was approved, or tells why nothing runs. */
export async function answerDecided(
  decided: DecidedCall,
  options: CallOptions,
  setting: CallSetting,
): Promise<ToolOutcome> {
  if (decided.kind === 'refused') return answerCall(decided.outcome, options, setting);
  if (decided.kind === 'approved') {
    const { accepted, digest } = decided;
    const counted = { contract: accepted.contract, interpreted: accepted, options };
    return rememberedAnswer(counted, () => answerAccepted(accepted, options, setting, digest));
  }
  tellEnded(decided.accepted, decided.outcome, setting.listeners);
  return decided.outcome;
}

/**
 * Whether somebody would be asked before this call runs: never about one that wouldn't run, or without approval. Rejects
 * with what the application's function throws.
 */
export async function asksAbout(
  interpreted: InterpretedCall,
  context: CallOptions['context'],
  { approval, context: own }: Pick<CallSetting, 'approval' | 'context'>,
): Promise<boolean> {
  if (approval === undefined || interpreted.status !== 'accepted') return false;
  return wouldAsk(approval, interpreted, mergeContext(own, context));
}
