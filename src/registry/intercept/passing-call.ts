// How does a call stand on its way to its tool? As it was last edited, started or not, with the outcomes that there are of it.
import { DefinitionError } from '../../errors/definition-error.ts';
import { optionComplaints } from '../../errors/option-complaints.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { CallFacts } from '../../execute/outcome-of-ending.ts';
import type { AcceptedOutcome } from '../../execute/tool-outcome.ts';
import { freezeDeep } from '../../json/freeze-deep.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { AcceptedCall } from '../interpret-call.ts';
import { argumentsKind } from './edited-arguments.ts';
import { interpretEdit } from './interpret-edit.ts';

/** One call between its interpretation and its end. */
export class PassingCall {
  #accepted: AcceptedCall;
  #started: number | undefined;
  #outcomes = new WeakSet();

  constructor(accepted: AcceptedCall) {
    this.#accepted = frozenCall(accepted);
  }

  /** What would run now, or runs. */
  get accepted(): AcceptedCall {
    return this.#accepted;
  }

  get hasStarted(): boolean {
    return this.#started !== undefined;
  }

  /** What the outcome of an executed call says of it. */
  get facts(): CallFacts {
    const { call, tool, interpretation } = this.#accepted;
    return this.#started === undefined
      ? { call, tool, interpretation, duration: 0, when: 'before' }
      : { call, tool, interpretation, duration: performance.now() - this.#started };
  }

  /** Throws a DefinitionError for what is no object, and a ToolmendError for arguments that the contract refuses. */
  edit(edited: JsonObject): void {
    const misfits = optionComplaints('next', { arguments: edited }, { arguments: argumentsKind });
    if (misfits.length > 0) throw new DefinitionError(misfits);
    const interpretation = interpretEdit(this.#accepted, edited);
    if (interpretation.outcome === 'rejected') {
      const { message } = interpretation;
      throw new ToolmendError('edit-rejected', `an interceptor's arguments are not accepted: ${message}`);
    }
    this.#accepted = frozenCall({ ...this.#accepted, interpretation });
  }

  /** The tool runs now: what an interceptor has made of the call before is none of its outcomes any more. */
  start(): void {
    this.#started = performance.now();
    this.#outcomes = new WeakSet();
  }

  /** Remembers an outcome of this call. */
  keep<Outcome extends AcceptedOutcome>(outcome: Outcome): Outcome {
    this.#outcomes.add(outcome);
    return outcome;
  }

  /** Whether something is an outcome of this call: made here, and of no other call. */
  isOutcome(value: unknown): value is AcceptedOutcome {
    return typeof value === 'object' && value !== null && this.#outcomes.has(value);
  }
}

/** With arguments that nobody can write to: what is judged is what runs. A copy, for what was sent may be the program's own. */
export const frozenCall = (accepted: AcceptedCall): AcceptedCall =>
  Object.freeze({ ...accepted, interpretation: freezeDeep(structuredClone(accepted.interpretation)) });
