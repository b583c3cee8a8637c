// The server-sent events of one answer.
import type { JsonObject, SchemaObject } from 'toolmend';

export type ChatEvent =
  | { readonly type: 'text'; readonly data: { readonly text: string } }
  | { readonly type: 'call'; readonly data: ShownCall }
  | { readonly type: 'approval'; readonly data: ShownApproval }
  | { readonly type: 'question'; readonly data: ShownQuestion }
  | { readonly type: 'error'; readonly data: { readonly message: string } }
  | { readonly type: 'end'; readonly data: Readonly<Record<string, never>> };

/** A tool call that has ended or waits. */
export interface ShownCall {
  readonly id: string;
  readonly tool: string;
  readonly status: string;
  /** Rule and path of each repair: `drop_null /limit`. */
  readonly repairs: readonly string[];
  /** What the model reads. */
  readonly answer: string;
}

/** A call that a person has to decide on. */
export interface ShownApproval {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** A question of a tool to the customer. */
export interface ShownQuestion {
  readonly id: string;
  readonly tool: string;
  readonly question: string;
  /** Of the answer, for a form. */
  readonly schema: SchemaObject;
  /** What is wrong with the answer before. */
  readonly problem?: string;
}
