// What is a text rule? It sees argument text that is no JSON object and proposes what it says, losing no character of a value.
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import type { RepeatedKey } from '../json/reader/reading.ts';

/** A rule's own facts: its row in docs/rules.md. */
export interface TextRule {
  /** snake_case; the file's name with underscores. */
  readonly id: string;
  readonly sends: string;
  readonly becomes: string;
  readonly notWhen: string;
  /** `lossless`: it acts on destructive tools too. */
  readonly keeps: 'lossless' | 'lossy';
  propose(question: TextQuestion): TextProposal;
}

/** How the text ended, as the provider says; `unknown` never mends an end. */
export type TextEnd = 'normal' | 'cut' | 'unknown';

export interface TextQuestion {
  readonly text: string;
  /** The root, where the text is JSON of something else than an object. */
  readonly root: JsonValue | undefined;
  readonly end: TextEnd;
  readonly maxDepth: number;
  /** undefined: nobody has said. */
  readonly toolName: string | undefined;
  /** `none`: the tool declares no arguments. `optional`: it requires none. */
  readonly declared: 'none' | 'optional' | 'required';
}

/** `text`: less around it, looked at again. `object`: what it says. `repeated`: a key with two values, so nothing. */
export type TextProposal =
  | { readonly kind: 'silent' }
  | { readonly kind: 'text'; readonly text: string }
  | RepeatedInText
  | ObjectInText;

export interface RepeatedInText {
  readonly kind: 'repeated';
  readonly repeated: RepeatedKey | undefined;
}

export interface ObjectInText {
  readonly kind: 'object';
  readonly value: JsonObject;
  readonly numbers: NumberTexts;
  readonly repeatedKeys: readonly RepeatedKey[];
}

export const silent: TextProposal = { kind: 'silent' };
