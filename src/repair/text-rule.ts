import type { RepeatedKey } from '../json/lenient-parser.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Issue } from '../messages/issue.ts';
import type { TextEnd } from './finish-reason.ts';
import type { RuleDescription } from './repair-rule.ts';

/** Reads argument text that is not JSON of an object, and loses no character of a value. */
export interface TextRule extends RuleDescription {
  propose(context: TextContext): TextProposal;
}

export interface TextContext {
  readonly text: string;
  /** The value of text that is JSON of something other than an object. */
  readonly root: JsonValue | undefined;
  readonly end: TextEnd;
  readonly maxDepth: number;
  readonly toolName: string | undefined;
  /** Whether the tool declares a key at the root, in any spelling; undefined if its keys are data. */
  readonly isDeclared: ((key: string) => boolean) | undefined;
  /** `none`: the tool declares no arguments. `optional`: it requires none. */
  readonly declared: 'none' | 'optional' | 'required';
}

/** `skip`: the next rule is asked. `text`: what is inside, which is read again. `object`: the arguments. */
export type TextProposal =
  { readonly kind: 'skip' } | { readonly kind: 'text'; readonly text: string } | ObjectInText | RefusedText;

export interface ObjectInText {
  readonly kind: 'object';
  readonly value: JsonObject;
  readonly numbers: NumberLiterals;
  readonly repeatedKeys: readonly RepeatedKey[];
}

/** The text is one that no rule may read. */
export interface RefusedText {
  readonly kind: 'refused';
  readonly issue: Issue;
}

export const refuseText = (keyword: string, details: Partial<Issue> = {}): RefusedText => ({
  kind: 'refused',
  issue: { keyword, path: '', ...details },
});

export const refuseRepeatedKey = (repeated: RepeatedKey | undefined): RefusedText =>
  refuseText('duplicate_key', repeated === undefined ? {} : { path: repeated.path, key: repeated.key });
