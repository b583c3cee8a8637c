import { noLiterals } from '../json/number-literals.ts';
import { parseJson, decodeBytes } from '../json/parse.ts';
import { invisibleCharacter, preview, quote } from '../json/preview.ts';
import { readPlainValue } from '../json/serialize.ts';
import { defined } from '../collections/objects.ts';
import { type JsonObject, isJsonObject, maxTextDepth } from '../json/value.ts';
import { isBytes } from '../platform/object-kinds.ts';
import { bareEnvelopeIn, callEnvelopeIn, mayBeCall } from '../notations/call-envelope.ts';
import { isSameName, namesAnotherTool } from '../notations/read-notation.ts';
import type { TextReading } from './readings/build-reading.ts';
import { content } from './readings/edits.ts';
import {
  type RefusedText,
  type TextContext,
  type TextEnd,
  type ObjectInText,
  refuseRepeatedKey,
  refuseText,
  LooseText,
} from './text-rule.ts';
import { textRuleTable } from './text-rule-table.ts';
import { noWholeCall, otherTool } from './text-rules/call-notation.ts';
import { hasComment } from './text-rules/loose-json.ts';

/** Characters of argument text. */
export const maxTextSize = 4 * 1024 * 1024;

export interface DecodeOptions extends Omit<TextContext, keyof SentText> {
  readonly isOff: (rule: string) => boolean;
  /** Whether arguments are valid as they are. */
  accepts(value: JsonObject): boolean;
  /** `hidden`: the text may contain a secret. */
  readonly previews: 'shown' | 'hidden';
}

export type Decoded = DecodedArguments | DecodedReadings | RefusedText;

/** The readings of broken text. The arguments are the one reading that fits. */
export interface DecodedReadings {
  readonly kind: 'readings';
  readonly readings: readonly TextReading[];
  readonly size: number;
  readonly steps: readonly TextStep[];
  /** The refusal of the text if no reading fits. */
  refuse(): RefusedText;
}

export interface DecodedArguments extends Omit<ObjectInText, 'kind'> {
  readonly kind: 'decoded';
  /** Number of characters that were sent. */
  readonly size: number;
  /**
   * The text rules that acted, in order; none if the text was JSON of an object, or a value came.
   */
  readonly steps: readonly TextStep[];
}

export interface TextStep {
  readonly rule: string;
  /** A preview of the text before the rule. */
  readonly was: string;
  readonly isLossy?: true;
  /** The model gets a note. */
  readonly notes?: true;
}

const noSteps: readonly TextStep[] = Object.freeze([]);

/** One of the readings as arguments. */
export function argumentsOf(
  { size, steps }: DecodedReadings,
  reading: TextReading,
): DecodedArguments {
  const { value, numbers, repeatedKeys, edits } = reading;
  const last = steps.at(-1);
  return {
    kind: 'decoded',
    value: isJsonObject(value) ? value : {},
    numbers,
    repeatedKeys,
    size,
    // A quote was taken for content, although it could be written so by mistake only.
    steps:
      (edits & content) === 0 || last === undefined
        ? steps
        : [...steps.slice(0, -1), { ...last, notes: true }],
  };
}

/** Decodes argument text, its bytes, or a value that a provider has parsed. Never throws. */
export function decodeArguments(sentArguments: unknown, options: DecodeOptions): Decoded {
  const decodedArguments =
    typeof sentArguments === 'string'
      ? decodeText(sentArguments, options)
      : decodeOther(sentArguments, options);
  // Providers start a stream of arguments with `{}`.
  const isStart =
    endedEarly(options.end) &&
    decodedArguments.kind === 'decoded' &&
    Object.keys(decodedArguments.value).length === 0;
  return isStart ? refuseCut(options.end) : decodedArguments;
}

function decodeText(text: string, options: DecodeOptions): Decoded {
  if (text.length > maxTextSize) return refuseSize();
  const reading = parseJson(text, maxTextDepth);
  if (reading.kind === 'read' && isJsonObject(reading.value)) {
    const { value, numbers, repeatedKeys } = reading;
    return { kind: 'decoded', value, numbers, size: text.length, repeatedKeys, steps: noSteps };
  }
  if (reading.kind === 'unreadable' && reading.reason === 'too_deep') return tooDeep;
  if (reading.kind === 'unreadable' && reading.reason === 'duplicate_key')
    return refuseRepeatedKey(reading.repeatedKey);
  const sentText: SentText = {
    text,
    root: reading.kind === 'read' ? reading.value : undefined,
    loose: new LooseText(text),
    isAsSent: true,
  };
  const decodedArguments = decodeByRules(sentText, options);
  if (decodedArguments?.kind === 'decoded') return withoutEnvelope(decodedArguments, options);
  if (decodedArguments !== undefined) return decodedArguments;
  if (reading.kind === 'unreadable') return refuseUnreadable(sentText, options);
  return endedEarly(options.end)
    ? refuseCut(options.end)
    : refuseText('type', { expected: 'an object', received: preview(reading.value, 'hidden') });
}

/**
 * The most text rules that act on one text. Two act, for example, on a code fence in a JSON string.
 */
const maxSteps = 4;

type SentText = Pick<TextContext, 'text' | 'root' | 'loose' | 'isAsSent'>;

/**
 * Rules remove what is around the object, one after the other, until one gives the object;
 * undefined if no rule applies.
 */
function decodeByRules(sentText: SentText, options: DecodeOptions): Decoded | undefined {
  const size = sentText.text.length;
  // Cut text is reported as cut, not repaired.
  if (endedEarly(options.end)) return undefined;
  const steps: TextStep[] = [];
  let current = sentText;
  for (;;) {
    const step = firstProposal({ ...options, ...current }, options.isOff);
    if (step === undefined) return undefined;
    const { proposal, rule } = step;
    if (proposal.kind === 'refused') return proposal;
    if (proposal.kind === 'unreadable') return undefined;
    const isLossy = 'isLossy' in proposal ? proposal.isLossy : undefined;
    const notes = proposal.kind === 'object' ? proposal.notes : undefined;
    steps.push({ rule, was: previewOf(current), ...defined({ isLossy, notes }) });
    if (proposal.kind === 'object') return { ...proposal, kind: 'decoded', size, steps };
    if (proposal.kind === 'readings')
      return { ...proposal, size, steps, refuse: () => refuseUnreadable(sentText, options) };
    if (steps.length === maxSteps) return undefined;
    const { text } = proposal;
    const reading = parseJson(text, maxTextDepth);
    if (reading.kind === 'read' && isJsonObject(reading.value))
      return { ...reading, kind: 'decoded', value: reading.value, size, steps };
    const root = reading.kind === 'read' ? reading.value : undefined;
    current = { text, root, loose: new LooseText(text), isAsSent: false };
  }
}

/** After these rules, an object that looks like an envelope is a call, even of another tool. */
const uncovering: ReadonlySet<string> = new Set(['call_notation', 'surrounding_text']);

/** Opens the call envelope in what rules have read, even if the tool would accept it. */
export function withoutEnvelope(
  decodedArguments: DecodedArguments,
  options: DecodeOptions,
): Decoded {
  const { toolName, isDeclared = () => false } = options;
  const { value, steps } = decodedArguments;
  if (toolName === undefined) return decodedArguments;
  const isUncovered = steps.some(({ rule }) => uncovering.has(rule));
  const envelope = (isUncovered ? bareEnvelopeIn : callEnvelopeIn)(value, isDeclared);
  if (envelope === undefined || envelope.hasThought)
    return isUncovered && mayBeCall(value, isDeclared) && options.accepts(value)
      ? noWholeCall
      : decodedArguments;
  const isData = isDeclared(envelope.nameKey) || isDeclared(envelope.argumentsKey);
  const isOther = !isSameName(envelope.name, toolName);
  if (!isUncovered && (isData || isOther)) return decodedArguments;
  if (isOther) return isData ? decodedArguments : otherTool;
  const { inner } = envelope;
  const innerArguments: Decoded =
    typeof inner === 'string' ? decodeText(inner, options) : { ...decodedArguments, value: inner };
  // It may be the call of this tool, or arguments that hold the tool's own name.
  if (isData && options.accepts(value)) return twoReadings;
  if (innerArguments.kind === 'refused') return innerArguments;
  if (options.isOff('unwrap_envelope')) return refuseText('not_json');
  const step = { rule: 'unwrap_envelope', was: preview(value, 'hidden') };
  const innerSteps = typeof inner === 'string' ? innerArguments.steps : [];
  return { ...innerArguments, size: decodedArguments.size, steps: [...steps, step, ...innerSteps] };
}

const twoReadings = refuseText('ambiguous', {
  advice: 'they may be a call, or the arguments of one',
});

function firstProposal(context: TextContext, isOffRule: DecodeOptions['isOff']) {
  const isOfAnotherTool = namesAnotherTool(context.text, context.toolName);
  for (const rule of textRuleTable) {
    if (isOfAnotherTool && rule.readsToolName !== true) continue;
    const proposal = rule.propose(context);
    if (proposal.kind === 'skip') continue;
    const isOff = proposal.kind !== 'refused' && isOffRule(rule.id);
    return { rule: rule.id, proposal: isOff ? ({ kind: 'unreadable' } as const) : proposal };
  }
  return undefined;
}

/** Text may contain a secret, so only its kind and size are shown. */
const previewOf = ({ text, root }: SentText): string =>
  root === undefined || typeof root === 'string'
    ? `text of ${text.length} characters`
    : preview(root, 'hidden');

function decodeOther(sentArguments: unknown, options: DecodeOptions): Decoded {
  if (sentArguments === undefined) return decodeNothing(options);
  if (!isBytes(sentArguments)) return decodeValue(sentArguments, options);
  // A UTF-16 unit has at most three bytes.
  if (sentArguments.byteLength > maxTextSize * 3) return refuseSize();
  const reading = decodeBytes(sentArguments);
  if (reading.kind === 'text') return decodeText(reading.text, options);
  return refuseText(reading.kind === 'cut' ? 'truncated' : reading.kind);
}

/** Treats absent arguments like empty text. */
function decodeNothing(options: DecodeOptions): Decoded {
  const decodedArguments = decodeText('', options);
  return decodedArguments.kind === 'decoded' || endedEarly(options.end)
    ? decodedArguments
    : refuseText('not_sent');
}

function decodeValue(sentArguments: unknown, options: DecodeOptions): Decoded {
  const reading = readPlainValue(sentArguments, maxTextDepth);
  if (reading.kind !== 'plain') return refuseText(reading.kind, { path: reading.path });
  const { value, size } = reading;
  if (size > maxTextSize) return refuseSize();
  // Text rules repair roots that aren't objects.
  if (!isJsonObject(value)) return decodeText(JSON.stringify(value), options);
  // Providers and their SDKs complete cut JSON before they parse it, so a value doesn't show
  // whether it was cut.
  if (endedEarly(options.end)) return refuseCut(options.end);
  return { kind: 'decoded', value, numbers: noLiterals, size, repeatedKeys: [], steps: noSteps };
}

// Finish reasons.

const normal: ReadonlySet<string> = new Set([
  'stop',
  'tool_calls',
  'tool_use',
  'function_call',
  'end_turn',
  'tool-calls',
  'tool_call',
  'completed',
  // Cohere, and text-generation-inference with Together.
  'complete',
  'eos',
  'eos_token',
]);
const endsOfCutAnswers: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'model_length',
  'model_context_window_exceeded',
  'incomplete',
  'cancelled',
  'failed',
  'abort',
  'error',
]);

const filteredFinishReasons: ReadonlySet<string> = new Set([
  'content_filter',
  'content-filter',
  'content_filtered',
  'guardrail_intervened',
  'refusal',
  'safety',
]);

/** Reads the finish reasons of all providers, in any case; other words are `unknown`. */
export function textEndOf(finishReason: string | undefined): TextEnd {
  if (finishReason === undefined) return 'unknown';
  if (normal.has(finishReason)) return 'normal';
  const word = finishReason.toLowerCase();
  if (normal.has(word)) return 'normal';
  if (filteredFinishReasons.has(word)) return 'filtered';
  return endsOfCutAnswers.has(word) ? 'cut' : 'unknown';
}

/** Whether the answer ended before it was whole. */
export const endedEarly = (end: TextEnd): boolean => end === 'cut' || end === 'filtered';

/**
 * The finish reason of a call that another call follows: an answer that was cut had finished it
 * before.
 */
export const earlierFinishReason = (finishReason: string | null | undefined): string | undefined =>
  endedEarly(textEndOf(finishReason ?? undefined)) ? undefined : (finishReason ?? undefined);

// Refusals.

/** The provider says that the answer ended too early. */
const refuseCut = (end: TextEnd): RefusedText =>
  refuseText('truncated', {
    advice:
      end === 'filtered'
        ? "the provider's content filter stopped them, so use other words"
        : 'if they are too long, split the work into several calls',
  });

const refuseSize = (): RefusedText =>
  refuseText('too_large', { expected: `at most ${maxTextSize} characters` });

const tooDeep = refuseText('too_deep', { expected: `at most ${maxTextDepth} levels` });

/** Refuses text that is not JSON and that no rule can read, with the reason. */
function refuseUnreadable(sentText: SentText, options: DecodeOptions): RefusedText {
  const { text, loose } = sentText;
  if (endedEarly(options.end)) return refuseCut(options.end);
  if (text.trim() === '') return refuseText('not_sent');
  const reading = loose.whole;
  // A comment may put another value in the place of one.
  if (reading.kind === 'read')
    return refuseText('not_json', hasComment(text) ? { advice: withoutComments } : {});
  if (reading.reason === 'duplicate_key') return refuseRepeatedKey(reading.repeatedKey);
  if (reading.reason === 'cut' || unfinishedWord.test(text.slice(reading.at)))
    return refuseText('truncated', { advice: 'close every string, array and object' });
  return refuseText('not_json', { advice: explain(sentText, reading.at, options) });
}

/** The start of a number or of a word of JSON. */
const unfinishedWord = /^(?:-|-?\d+(?:\.|(?:\.\d+)?[eE][+-]?)|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** The reason, if it is certain: no object or several; else the place where reading stopped. */
function explain({ text, loose }: SentText, stop: number, options: DecodeOptions): string {
  if (namesAnotherTool(text, options.toolName)) return 'they call another tool';
  const start = text.indexOf('{');
  if (start === -1) return 'no object was found';
  const first = loose.valueAt(start);
  if (first.kind === 'read') {
    const next = text.indexOf('{', first.end);
    const isSecond = next !== -1 && loose.valueAt(next).kind === 'read';
    if (isSecond) return 'more than one object was found, send only one';
  }
  // Words before a broken object are not the error.
  const at = first.kind === 'read' ? stop : first.at;
  const textAfter = text.slice(at, at + longestPreview * 8);
  const unseen = invisibleCharacter(textAfter.slice(0, 2));
  if (unseen !== undefined && /^\p{Cf}/u.test(textAfter))
    return `${unseen} is at ${positionOf(text, at)}, leave it out`;
  const isHidden = options.previews === 'hidden' || textAfter === '';
  const quotation = isHidden ? '' : `, before ${quote(textAfter, longestPreview)}`;
  const isBesideObject =
    first.kind === 'read' &&
    ((at >= first.end && /^[\p{L}.…]/u.test(textAfter)) ||
      (at < start && /^[\p{L}*#_>(<`](?![\w$-]*\s?:\s?\{)/u.test(textAfter)));
  const advice = isBesideObject ? '; send the object alone' : wayOut(text.slice(0, at), textAfter);
  return `the error is at ${positionOf(text, at)}${quotation}${advice}`;
}

/** The most characters of the text that are shown. */
const longestPreview = 24;

const withoutComments = 'send the object without comments';

/** What to write instead, if what stopped the reading shows it. */
function wayOut(textBefore: string, textAfter: string): string {
  if (unknownEscape.test(textAfter)) return '; inside a string a backslash is written \\\\';
  if (/^\\["']/.test(textAfter)) return '; a string starts with a quote alone, without a backslash';
  if (/^(?:\/[/*]|#)/.test(textAfter)) return `; ${withoutComments}`;
  if (/^-?(?:NaN|Infinity|undefined)\b/.test(textAfter))
    return '; write a value that JSON has, or leave the member out';
  if (/\d\s*$/.test(textBefore) && /^\s*[-+*/%]\s*[\d(]/.test(textAfter))
    return '; write the result of a calculation';
  if (/:\s*$/.test(textBefore) && bareText.test(textAfter))
    return '; text is written in double quotes';
  return quoteInside.test(textBefore) && /^\p{L}/u.test(textAfter)
    ? '; inside a string a quote is written \\"'
    : '';
}

/** A word that is neither a number nor what JavaScript has in the place of a value. */
const bareText = /^(?!(?:NaN|Infinity|undefined)\b)[\p{L}_$]/u;

/** A quote before a word is inside a string, unless it belongs to a key that lost its own quote. */
const quoteInside = /[^:\s]\s?["']\s?$/;
const unknownEscape =
  /^"[^"\\]*(?:\\(?:["\\/bfnrt]|u[\da-f]{4})[^"\\]*)*\\(?!["\\/bfnrt]|u[\da-f]{4}|$)/i;

/** Both count from 1; characters in UTF-16 units. */
function positionOf(text: string, at: number): string {
  const textBefore = text.slice(0, at);
  const lineStart = textBefore.lastIndexOf('\n') + 1;
  return `line ${textBefore.split('\n').length}, column ${at - lineStart + 1}`;
}
