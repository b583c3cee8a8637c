import { endOfLooseBlanks } from '../json/tokens.ts';
import {
  type ReadPrefix,
  type ReadValue,
  type RepeatedKey,
  type Unreadable,
  readJsonPrefix,
} from '../json/lenient-parser.ts';
import { type NumberLiterals, noLiterals } from '../json/number-literals.ts';
import { type JsonObject, type JsonValue, isJsonObject, maxTextDepth } from '../json/value.ts';
import type { Issue } from '../messages/issue.ts';
import type { RawTextMeaning } from '../notations/notation.ts';
import type { TextReading } from './readings/build-reading.ts';
import { none as noEdits } from './readings/edits.ts';
import type { RuleDescription } from '../tool/rule-description.ts';

/** Reads argument text that is not the JSON of an object. Loses no character of a value. */
export interface TextRule extends RuleDescription {
  /**
   * The rule checks the tool's name itself. Other rules are not tried on text that seems to name
   * another tool.
   */
  readonly readsToolName?: true;
  propose(context: TextContext): TextProposal;
}

/**
 * How an answer ended, as its provider says. A rule completes text only after a `normal` end.
 * `filtered`: cut off by a content filter, or by the model's refusal.
 */
export type TextEnd = 'normal' | 'cut' | 'filtered' | 'unknown';

export interface TextContext {
  readonly text: string;
  /** The value, if the text is JSON but not of an object. */
  readonly root: JsonValue | undefined;
  /** The text as the loose reader reads it. */
  readonly loose: LooseText;
  /** No rule has left out anything around the text. */
  readonly isAsSent: boolean;
  readonly end: TextEnd;
  readonly toolName: string | undefined;
  /**
   * Whether the tool declares a key at the root, in any spelling; undefined if its keys are data.
   */
  readonly isDeclared: ((key: string) => boolean) | undefined;
  /** What the raw text of an argument could mean besides the text itself; undefined if nothing. */
  readonly otherMeaning: (key: string, raw: string) => JsonValue | undefined;
  /** What the schema says about raw text that can't be text. */
  readonly rawText: RawTextMeaning;
  /** The tool has only one parameter, which takes a string: an expression in it can hold an object. */
  readonly takesOneText: boolean;
  /** The only required parameter, or the only one at all, if it takes strings and nothing else. */
  readonly textParameter: TextParameter | undefined;
  /** `none`: the tool declares no arguments. `optional`: it requires none. */
  readonly declaredArguments: 'none' | 'optional' | 'required';
  /** The arguments that the tool declares. */
  readonly declaredKeys: ReadonlySet<string>;
}

export interface TextParameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** The tool declares no other parameter. */
  readonly isAlone: boolean;
}

/**
 * `skip`: the next rule is tried. `text`: the content, which is read again. `object`: the
 * arguments. `readings`: the possible arguments, of which exactly one must fit. `unreadable`: no
 * other rule is tried.
 */
export type TextProposal =
  | { readonly kind: 'skip' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'text'; readonly text: string; readonly isLossy?: true }
  | { readonly kind: 'readings'; readonly readings: readonly TextReading[] }
  | ObjectInText
  | RefusedText;

export const skip = { kind: 'skip' } as const;

export interface ObjectInText {
  readonly kind: 'object';
  readonly value: JsonObject;
  readonly numbers: NumberLiterals;
  /** Keys that were sent twice with equal values. */
  readonly repeatedKeys: readonly RepeatedKey[];
  /**
   * More may have been meant to follow, or something else, so that a destructive tool must have it
   * confirmed.
   */
  readonly isLossy?: true;
  /** The model gets a note. */
  readonly notes?: true;
}

/** The text is refused, and no other rule is tried. */
export interface RefusedText {
  readonly kind: 'refused';
  readonly issue: Issue;
}

export const refuseText = (keyword: string, details: Partial<Issue> = {}): RefusedText => ({
  kind: 'refused',
  issue: { keyword, path: '', ...details },
});

export const refuseRepeatedKey = (repeatedKey: RepeatedKey | undefined): RefusedText =>
  refuseText('duplicate_key', repeatedKey);

/** An object that was not read from JSON. */
export const readObject = (value: JsonObject): ObjectInText => ({
  kind: 'object',
  value,
  numbers: noLiterals,
  repeatedKeys: [],
});

/**
 * What the loose reader reads as a reading without edits: its numbers with a quote after them must
 * be declared as numbers.
 */
export const readingOf = (read: ReadValue): TextReading => ({
  ...read,
  cost: 0,
  edits: noEdits,
  isWitness: false,
  mayHaveOtherString: false,
  quotations: [],
  claims: read.quotedNumbers,
  movedKeys: [],
});

/** Text that the rules read next. */
export const readAgain = (text: string): TextProposal => ({ kind: 'text', text });

/**
 * The loose readings of a text, shared by all rules, because reading takes longer than anything
 * else that they do.
 */
export class LooseText {
  readonly #text: string;
  readonly #known = new Map<number, ReadPrefix | Unreadable>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The whole text. */
  get whole(): ReadPrefix | Unreadable {
    const reading = this.valueAt(0);
    if (reading.kind === 'unreadable') return reading;
    const end = endOfLooseBlanks(this.#text, reading.end, 'member');
    return end === this.#text.length
      ? reading
      : { kind: 'unreadable', reason: 'trailing', at: end };
  }

  /** The value that starts at an offset, whatever follows it. */
  valueAt(offset: number): ReadPrefix | Unreadable {
    const start = endOfLooseBlanks(this.#text, offset, 'member');
    const cachedValue = this.#known.get(start);
    if (cachedValue !== undefined) return cachedValue;
    const reading = readJsonPrefix(this.#text, start, 'loose', maxTextDepth);
    this.#known.set(start, reading);
    return reading;
  }

  /**
   * The object that starts at an offset; undefined if there is none, or if it can be read in
   * several ways.
   */
  objectAt(offset: number): (ObjectInText & { readonly end: number }) | undefined {
    const reading = this.valueAt(offset);
    if (
      reading.kind === 'unreadable' ||
      !isJsonObject(reading.value) ||
      reading.quotedNumbers.length > 0
    )
      return undefined;
    return { ...reading, kind: 'object', value: reading.value };
  }
}
