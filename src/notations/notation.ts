import { objectOf } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';

/** A way in which models write tool calls as text. */
export interface Notation {
  /** snake_case; the file's name with underscores. */
  readonly id: string;
  /**
   * How a call begins in running text, as the source of a regular expression; absent: only a text
   * of its own is a call.
   */
  readonly begins?: string;
  /** A call begins with a tag of the tool's own name. */
  readonly beginsWithToolName?: true;
  /**
   * Places in its markup that name the tool, as sources of regular expressions. The name is their
   * only group.
   */
  readonly names?: readonly string[];
  /** Tokens that a call needs at its end if it has others at its beginning. */
  readonly tokens?: readonly (readonly [opening: RegExp, closing: RegExp])[];
  /**
   * `tags`: a call ends with closing tags of its own. `wrapper`: only the tag around it closes it.
   */
  readonly closedBy?: 'tags' | 'wrapper';
  /** The call that begins at `source.at`. Takes linear time. */
  readonly readAt: (source: CallSource) => NotationReading;
}

/** How calls are written in a notation. */
export interface NotationForm {
  /** Models whose chat template has it. */
  readonly models: string;
  /** What a call looks like. */
  readonly form: string;
  /** Values that can't be written in it. */
  readonly notExpressed: string;
  /** The call as the template writes it; undefined if the notation can't express it. */
  readonly write: (call: CallToWrite) => string | undefined;
}

export interface CallToWrite {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A text, and the place in it where a call may be. */
export interface CallSource {
  readonly text: string;
  /** Behind the tags and control tokens around the call. */
  readonly at: number;
  /** `whole`: the text is one call. `part`: other text may follow it. */
  readonly extent: 'whole' | 'part';
  /**
   * Where the tags and control tokens behind the call begin. In running text: the end of the text.
   */
  readonly until: number;
  /** The names of the tags that were opened before `at`. */
  readonly tags: readonly string[];
  /** Whether a name is that of a tool. */
  readonly isTool: (name: string) => boolean;
  /** Whether the tool declares a key; undefined if its keys are unknown. */
  readonly isDeclared: ((key: string) => boolean) | undefined;
}

/**
 * `skip`: the text is not in this notation. `open`: it ends before the call does. `refused`: it is
 * in this notation, and not one call with one meaning.
 */
export type NotationReading =
  | { readonly kind: 'skip' }
  | { readonly kind: 'open' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'calls'; readonly calls: readonly ReadCall[]; readonly end: number };

export interface ReadCall {
  /** Undefined: the notation has no name here. */
  readonly name: string | undefined;
  /** Argument text, or keys with their raw text. */
  readonly arguments: string | RawArguments;
  /** Keys that were written as keywords, of arguments that are text. */
  readonly keywords?: readonly string[];
  /** `open`: all arguments are complete, but the call is not closed. */
  readonly state: 'closed' | 'open';
}

/** `isString`: the markup says that the value is a string. */
export type RawArguments = readonly (readonly [key: string, raw: string, isString: boolean])[];

export const skipped: NotationReading = Object.freeze({ kind: 'skip' });
export const unfinished: NotationReading = Object.freeze({ kind: 'open' });
export const refusedCall: NotationReading = Object.freeze({ kind: 'refused' });

/** One call that ends at `end`. */
export const oneCall = (
  end: number,
  name: string | undefined,
  found: ReadCall['arguments'],
  isClosed = true,
): NotationReading => ({
  kind: 'calls',
  calls: [{ name, arguments: found, state: isClosed ? 'closed' : 'open' }],
  end,
});

/** Characters of a tag, of a control token or of what comes before the arguments, at most. */
export const longestTag = 256;

/** A tool's name in markup, as the source of a regular expression. */
export const namePattern = '[\\w.:/-]{1,128}';

/** A tool's name in markup that may be broken, as a group. */
export const nameGroup = '([\\w.-]+)';

/** Keys that markup can hold as they are. */
export const isPlainKey = (key: string): boolean => /^[\w.$-]{1,64}$/.test(key);

/** Raw arguments as an object of texts. */
export const textsOf = (pairs: RawArguments): JsonObject =>
  objectOf(pairs.map(([key, raw]) => [key, raw] as const));

/** A value as the raw text of markup: a string as it is, anything else as JSON. */
export const rawText = (value: JsonObject[string]): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
