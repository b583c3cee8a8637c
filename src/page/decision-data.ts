// What the view of decisions shows, and the port by which it gets and makes them.
import type { JsonObject } from '../json/value.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import type { Effects } from '../tool/tool-contract.ts';

/** A call that waits for a person. */
export interface OpenDecision {
  /** That of the call in the journal. */
  readonly id: string;
  /**
   * `approval`: it has not run. `question`: its tool has asked a person, and runs again with the
   * answer. `doubt`: its process ended while it was running.
   */
  readonly kind: 'approval' | 'question' | 'doubt';
  readonly tool: string;
  readonly model?: string;
  readonly effects?: Effects;
  /** ISO 8601, in UTC. */
  readonly askedAt: string;
  /** Of an approval and of a question. */
  readonly expiresAt?: string;
  /**
   * The beginning of the arguments without secrets, to tell calls of one tool apart: `payment: pay_1,
   * amount: 250`.
   */
  readonly excerpt?: string;
}

/** A call that waits, or waited, with all that a person needs to decide. */
export interface DecisionCase extends OpenDecision {
  readonly tenant?: string;
  readonly run?: string;
  readonly conversation?: string;
  /** The id of the approval that it waits for. */
  readonly approval?: string;
  readonly question?: OpenQuestion;
  /** What the model said why it calls the tool. */
  readonly rationale?: string;
  /** JSON text of the arguments as they would run, without secrets. Absent: they are withheld. */
  readonly arguments?: string;
  /** The names of arguments that hold what is left out: nobody can edit them. */
  readonly withheld: readonly string[];
  /** Keys of the call that are not the tool's: `_rationale`. */
  readonly metaKeys: readonly string[];
  readonly schema?: object;
  readonly attempts: number;
  /** The last change of the call: of one in doubt, when it was given up. */
  readonly changedAt: string;
  readonly idempotencyKey?: string;
  /** What became of it, if it does not wait any more. */
  readonly end?: DecisionEnd;
  /** Why nobody can decide here. */
  readonly obstacle?: DecisionObstacle;
}

/** What a tool has asked. */
export interface OpenQuestion {
  readonly id: string;
  readonly text: string;
  /** JSON Schema of the answer, which is an object. */
  readonly schema: object;
}

/**
 * `no_tools`: the page has a journal, and no tools. `secrets`: the journal doesn't have the whole
 * call. `no_tool`: no tool of the application has the name.
 */
export type DecisionObstacle = 'no_tools' | 'secrets' | 'no_tool';

export interface DecisionEnd {
  /** Who decided, if the application said it. */
  readonly by?: string;
  /**
   * `ran`: it runs or ran. Of a question: `answered`, `declined`, or `expired` without an answer; its
   * tool ran on.
   */
  readonly what: 'ran' | 'denied' | 'settled' | 'answered' | 'declined' | 'expired';
}

/** Edited arguments: new values by name. */
export interface ArgumentEdit {
  readonly values: JsonObject;
  /** Names of arguments that are left out. */
  readonly removed: readonly string[];
}

/** What a person decides. */
export type PageDecision =
  /** `approval`: the one that the person saw. */
  | { readonly decision: 'approve'; readonly approval: string; readonly edit?: ArgumentEdit }
  | { readonly decision: 'deny'; readonly message?: string }
  /** `question`: the one that the person read. */
  | { readonly decision: 'answer'; readonly question: string; readonly content: JsonObject }
  | { readonly decision: 'decline'; readonly question: string }
  | { readonly decision: 'run' }
  | { readonly decision: 'done'; readonly result: string }
  | { readonly decision: 'give_up'; readonly message?: string };

/** Whether edited arguments, or the answer to a question, pass. */
export interface EditJudgement {
  readonly status: 'valid' | 'repaired' | 'rejected';
  /** What is wrong, each with the name of its argument; `''` for the call as a whole. */
  readonly issues: readonly { readonly name: string; readonly text: string }[];
  /** The repairs that the edit itself needs. */
  readonly repairs: readonly RepairRecord[];
  /** JSON text of what would run, or of the answer as the tool would get it. */
  readonly arguments?: string;
}

/** What became of a decision. */
export type DecisionResult =
  /**
   * It counts. `status`: that of the outcome; `running` if the tool goes on, `input_required` if it
   * asks another question.
   */
  | { readonly kind: 'counts'; readonly status: string }
  /** Somebody else decided before. */
  | { readonly kind: 'late'; readonly end: DecisionEnd }
  /** It has to be made again: the approval had expired, or the tool or the question has changed. */
  | { readonly kind: 'again'; readonly why: 'expired' | 'changed' }
  /** The edited arguments, or the answer, don't pass. */
  | { readonly kind: 'refused'; readonly judgement: EditJudgement }
  /** It can't be made here. `text`: what to do instead. */
  | { readonly kind: 'impossible'; readonly text: string };

/** Calls that wait, and decisions about them. */
export interface Decisions {
  /** The oldest first. */
  list(): Promise<readonly OpenDecision[]>;
  /** Undefined for an unknown call, and for one of another tenant. */
  find(id: string): Promise<DecisionCase | undefined>;
  /** Undefined if there is nothing to edit. */
  judge(id: string, edit: ArgumentEdit): Promise<EditJudgement | undefined>;
  decide(id: string, decision: PageDecision): Promise<DecisionResult | undefined>;
}
