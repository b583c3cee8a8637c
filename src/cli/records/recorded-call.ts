// What is known of a call that somebody recorded?
import type { Effects } from '../../contract/tool-contract.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';

/** The tool as it was shown to the model. */
export interface RecordedTool {
  readonly name: string | undefined;
  readonly schema: SchemaObject;
  readonly effects: Effects | undefined;
}

export interface RecordedCall {
  readonly id: string | undefined;
  readonly tool: RecordedTool;
  /** The name that the model wrote is the tool's in another spelling. */
  readonly isRenamed: boolean;
  readonly sent: SentArguments;
  /** Whether the standard meta arguments are switched on. */
  readonly meta: boolean;
  readonly finishReason: string | undefined;
  /** undefined: nobody has said what must become of it. */
  readonly expected: Expectation | undefined;
}

/** `text`: argument text. `value`: what a provider has parsed. */
export type SentArguments =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'value'; readonly value: JsonValue };

export interface Expectation {
  readonly outcome: 'unchanged' | 'repaired' | 'rejected';
  /** What the tool must get. */
  readonly value: JsonValue | undefined;
  readonly meta: JsonObject | undefined;
  /** Keys whose text is compared as the JSON that it holds. */
  readonly parsedKeys: ReadonlySet<string>;
}

/** What one line of a file holds: calls (none where only a tool is described), or why it can't be read. */
export type RecordedLine =
  | { readonly kind: 'calls'; readonly calls: readonly RecordedCall[]; readonly unknownTools: number }
  | { readonly kind: 'bad'; readonly why: string };
