import { objectOf } from '../collections/objects.ts';
import { parseJson } from '../json/parse.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  maxTextDepth,
} from '../json/value.ts';

/** A way in which models write tool calls as text, as data: one reader reads all of them. */
export interface Notation {
  /** snake_case; the file's name with underscores. */
  readonly id: string;
  /**
   * How a call begins in running text, as the source of a regular expression; absent: the notation
   * has no markup of its own there.
   */
  readonly begins?: string;
  /** The same for a call without markup: what begins so may be anything that looks like a call. */
  readonly beginsBare?: string;
  /** The word with which a line before the call begins that belongs to the notation as well. */
  readonly introduction?: string;
  /**
   * Places in its markup that name the tool, as sources of regular expressions. The name is their
   * only group.
   */
  readonly names?: readonly string[];
  /** The forms of one call, in the order in which they are tried. */
  readonly forms: readonly MarkupForm[];
}

/** One form of a call. */
export interface MarkupForm {
  /**
   * What comes before the arguments, after the tags around the call, as the source of a regular
   * expression. Its group `name` is the tool's; `thought` is what the model says before the call.
   */
  readonly head: string;
  /**
   * What makes text with this head a call. `tag`: a tag or token around it. `tool`: the name of a
   * tool in it. `tag_or_tool`: one of them. `alone`: nothing else is in the text. `tool_alone`: that
   * and the name of a tool. Default: the head.
   */
  readonly needs?: 'tag' | 'tool' | 'tag_or_tool' | 'alone' | 'tool_alone';
  /** The name may be an id that a server made, which doesn't contain the tool's name. */
  readonly isId?: true;
  /** What no template writes: a reading is one with an edit. */
  readonly isFaulty?: true;
  /** The name is followed by the first key, with nothing between them. */
  readonly isGlued?: true;
  /** Other calls may follow in the same tags, in this form. */
  readonly repeats?: true;
  /**
   * What has to follow the arguments, if they are JSON in an element, as the source of a regular
   * expression. Another head may follow it.
   */
  readonly end?: string;
  /**
   * `json`: an object; without a name in the head, the call as an object, or a list of them.
   * `action_input`: an object, up to a line that begins with another of ReAct's words.
   * `fenced`: JSON, perhaps in a fence. `keyless`: JSON, and the brace of the object around it.
   * `bracketed`: one line of text in brackets, for the only parameter. `python`: calls as in Python.
   * `braces`: an object with keys without quotes. Or parameters in
   * tags.
   */
  readonly arguments:
    | 'none'
    | 'json'
    | 'action_input'
    | 'fenced'
    | 'keyless'
    | 'bracketed'
    | 'python'
    | 'braces'
    | TaggedArguments;
}

/**
 * Parameters in tags of their own, as sources of regular expressions. `NAME` and `ELEMENT` in `end`,
 * `call` and `parameter` are the groups of the head.
 */
export interface TaggedArguments {
  /**
   * The tag before a value. Groups: `key` or `quoted` is the parameter's name; `attributes` may say
   * the type of its value.
   */
  readonly parameter: string;
  /** The same as templates write it; absent: `parameter`. Any other tag is one with an edit. */
  readonly templateParameter?: string;
  /** The tag after a value; its group `closed` is the key, if it has it. */
  readonly parameterEnd: string;
  /** Garbled tags after a value. */
  readonly bent?: string;
  /** Other tags of the notation, which are never in their place. */
  readonly stray?: string;
  /** The tag that closes the call. */
  readonly end: string;
  /** Tags around the call that close it if its own closing tag is missing. */
  readonly wrapperEnd?: string;
  /** The head of another call. */
  readonly call: string;
  /** Tags around all parameters, which say nothing. */
  readonly separator?: string;
  /** Parameters are elements that are named by their keys. */
  readonly keysAreTags?: true;
  /** The template writes `"` and `&` in names as the entities `&quot;` and `&amp;`. */
  readonly namesAreEscaped?: true;
  /** There is no tag of the call's own: only the tag around it closes it. */
  readonly isNameless?: true;
  /**
   * `lines`: one line break after the opening tag and one before the closing tag belong to the
   * markup. `exact`: all text is the value.
   */
  readonly layout: 'lines' | 'exact';
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

/** The tools, as far as the reader of calls needs them. */
export interface KnownTools {
  /** Whether a name is that of a tool. */
  readonly isTool: (name: string) => boolean;
  /** Whether a tool declares a key; undefined if its keys are unknown. */
  readonly isDeclared: ((key: string, tool: string | undefined) => boolean) | undefined;
  /** Whether an argument of a tool is a list, so that an element with its name may come twice. */
  readonly isList: (key: string, tool: string | undefined) => boolean;
}

/** A text, and the place in it where a call may be. */
export interface CallSource extends KnownTools {
  readonly text: string;
  /** After the tags and control tokens around the call. */
  readonly at: number;
  /** `whole`: the text is one call. `part`: other text may follow it. */
  readonly extent: 'whole' | 'part';
  /**
   * Where the tags and control tokens after the call begin. In running text: the end of the text.
   */
  readonly until: number;
  /** The names of the tags that were opened before `at`. */
  readonly tags: readonly string[];
}

export interface ReadCall {
  /** Undefined: the notation has no name here. */
  readonly name: string | undefined;
  /** Argument text, or keys with their raw text. */
  readonly arguments: string | readonly RawArgument[];
  /** Keys that were written as keywords, of arguments that are text. */
  readonly keywords?: readonly string[];
  /** `open`: all arguments are complete, but the call is not closed. */
  readonly state: 'closed' | 'open';
}

/** An argument whose type only the schema knows, unless the markup says it. */
export interface RawArgument {
  readonly key: string;
  readonly raw: string;
  /**
   * What the markup says: `json` is any JSON. `element`: nothing, and it may be one of several
   * elements of a list.
   */
  readonly type: 'string' | 'json' | 'element' | undefined;
  /** The token before each tag of the markup: no value has it. */
  readonly token?: string;
}

/** An element of a list, under the list's key. */
export interface ListElement {
  readonly list: string;
  readonly element: JsonValue;
}

/** What a tool's schema says about raw text. */
export interface RawTextMeaning {
  /**
   * The value of an argument's raw text that can't be text; undefined: it is text. With a token,
   * text that has it is markup.
   */
  readonly valueOf: (key: string, raw: string, token: string | undefined) => JsonValue | undefined;
  /** Whether a key is declared as a list, and as no text. */
  readonly isList: (key: string) => boolean;
  /**
   * The list whose elements are named by a key: one of a singular that isn't declared itself; of a
   * key that comes twice, also its own.
   */
  readonly listElementOf: (
    key: string,
    raw: string,
    comes: 'once' | 'twice',
  ) => ListElement | undefined;
  /**
   * Whether raw text is elements that mean nothing known: of a key that isn't declared, or in an
   * element of a list of text.
   */
  readonly isUnknownElement: (key: string, raw: string) => boolean;
}

export const plainText: RawTextMeaning = {
  valueOf: () => undefined,
  isList: () => false,
  listElementOf: () => undefined,
  isUnknownElement: () => false,
};

/** A name whose quotation marks and ampersands are entities. */
export const unescapedName = (name: string): string =>
  name.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** Characters of a tag, of a control token or of what comes before the arguments, at most. */
export const longestTag = 256;

/** Where a call begins whose first tag is lost, as the source of a regular expression. */
export const lineStart = '(?<=(?:^|[\\n>])[ \\t]{0,16})';

/** A tool's name in markup, as the source of a regular expression. */
export const namePattern = '[\\w.:/-]{1,128}';

/** A tool's name in markup that may be broken, as a group. */
export const nameGroup = '([\\w.-]+)';

/** Keys that markup can hold as they are. */
export const isPlainKey = (key: string): boolean => /^[\w.$-]{1,64}$/.test(key);

/**
 * The arguments in the only parameter that a tool doesn't declare: models write `arguments` or
 * `input` with all of them as an object, where their markup has a parameter for each.
 */
export function argumentsInEnvelope(
  pairs: readonly RawArgument[],
  isDeclared: ((key: string) => boolean) | undefined,
): JsonObject | undefined {
  const [only, ...others] = pairs;
  if (only === undefined || others.length > 0 || !/^(?:arguments|input)$/.test(only.key))
    return undefined;
  if (isDeclared === undefined || isDeclared(only.key)) return undefined;
  const value = jsonIn(only.raw);
  return isJsonObject(value) && Object.keys(value).every(isDeclared) ? value : undefined;
}

/**
 * Raw arguments as an object: markup that says the type decides; otherwise the schema says what
 * can't be text. Undefined if a key that is no list's comes twice, or if elements have no meaning.
 */
export function valuesOf(
  pairs: readonly RawArgument[],
  { valueOf, listElementOf, isUnknownElement }: RawTextMeaning,
): JsonObject | undefined {
  const values = new Map<string, JsonValue>();
  const counts = Map.groupBy(pairs, ({ key }) => key);
  for (const pair of pairs) {
    const { key, raw, type, token } = pair;
    const comes = counts.get(key)?.length === 1 ? 'once' : 'twice';
    const item = type === 'element' ? listElementOf(key, raw, comes) : undefined;
    if (item === undefined) {
      // With a token before them, tags are none of a text's.
      const isUnknown = type === 'element' && token === undefined && isUnknownElement(key, raw);
      if (isUnknown || values.has(key)) return undefined;
      values.set(key, type === 'json' ? jsonIn(raw) : valueOfText(pair, valueOf));
      continue;
    }
    const elements = values.get(item.list) ?? [];
    if (!isJsonArray(elements)) return undefined;
    values.set(item.list, [...elements, item.element]);
  }
  return objectOf([...values]);
}

const valueOfText = (
  { key, raw, type, token }: RawArgument,
  valueOf: RawTextMeaning['valueOf'],
): JsonValue => {
  const value = type === 'string' ? undefined : valueOf(key, raw, token);
  return value === undefined ? raw : value;
};

/**
 * The JSON that markup announced; the text, which the schema then refuses or repairs, if it is
 * none.
 */
function jsonIn(raw: string): JsonValue {
  const read = parseJson(raw, maxTextDepth);
  return read.kind === 'read' ? read.value : raw;
}

/** A value as the raw text of markup: a string as it is, anything else as JSON. */
export const rawText = (value: JsonObject[string]): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
