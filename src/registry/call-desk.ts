// Where do a model's calls and people's decisions arrive? Here both are interpreted, answered, and told to telemetry.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { ToolOutcome } from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { answerDecided, asksAbout, readDecision } from './approve/answer-decision.ts';
import type { ApprovalDecision } from './approve/approval-decision.ts';
import { type CallFacts, interpretCall, type InterpretedCall } from './interpret-call.ts';
import { observeCall, type ObservingSetting } from './observe-call.ts';
import { answerToolCall } from './running/answer-tool-call.ts';
import type { CallOptions, CallSetting } from './running/call-options.ts';
import { checkCallOptions } from './running/check-call-options.ts';

export interface DeskSetting extends CallSetting, ObservingSetting {}

/** For one set of tools. */
export class CallDesk {
  readonly #contracts: ReadonlyMap<string, ToolContract>;
  readonly #setting: DeskSetting;

  constructor(contracts: ReadonlyMap<string, ToolContract>, setting: DeskSetting) {
    this.#contracts = contracts;
    this.#setting = setting;
  }

  interpret(call: ToolCall, facts: CallFacts): InterpretedCall {
    return interpretCall({ tools: this.#contracts, trusted: this.#setting.trusted }, call, facts);
  }

  /** Throws a DefinitionError for options that are none; so does `decide`. */
  call(call: ToolCall, options: CallOptions): Promise<ToolOutcome> {
    checkCallOptions(options);
    return observeCall(this.#setting, {
      tools: this.#contracts,
      repairs: 'new',
      interpret: () => this.interpret(call, options),
      answer: (interpreted) => answerToolCall(this.#contracts, interpreted, options, this.#setting),
    });
  }

  asks(call: ToolCall, { context }: Pick<CallOptions, 'context'>): Promise<boolean> {
    return asksAbout(this.interpret(call, {}), context, this.#setting);
  }

  decide(approval: unknown, decision: ApprovalDecision, options: CallOptions): Promise<ToolOutcome> {
    checkCallOptions(options);
    const setting = this.#setting;
    const decided = readDecision(approval, decision, options, {
      setting,
      interpret: (call) => this.interpret(call, {}),
    });
    return observeCall(setting, {
      tools: this.#contracts,
      repairs: 'known',
      interpret: () => (decided.kind === 'refused' ? decided.outcome : decided.accepted),
      answer: () => answerDecided(decided, options, setting),
    });
  }
}
