import type { RepeatedKey } from '../json/lenient-parser.ts';
import { type NumberLiterals, noLiterals } from '../json/number-literals.ts';
import { parseJson } from '../json/parse.ts';
import { preview } from '../json/preview.ts';
import { readPlainValue } from '../json/serialize.ts';
import { decodeBytes, isBytes } from '../json/utf8.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import type { TextEnd } from './finish-reason.ts';
import { namesAnotherTool } from './named-tool.ts';
import { callEnvelopeIn } from './notations/call-envelope.ts';
import { isSameName } from './notations/read-notation.ts';
import { otherTool } from './text-rules/call-notation.ts';
import { type RefusedText, type TextContext, refuseText } from './text-rule.ts';
import { textRuleTable } from './text-rule-table.ts';
import { refuseCut, refuseUnreadable } from './unreadable-text.ts';

/** Characters of argument text. */
export const maxTextSize = 4 * 1024 * 1024;
/** Nesting of containers, the outermost counted. */
export const maxTextDepth = 64;

export interface DecodeOptions {
  readonly end: TextEnd;
  readonly declared: TextContext['declared'];
  readonly toolName: string | undefined;
  readonly isDeclared: TextContext['isDeclared'];
  /** Whether arguments are valid as they are. */
  accepts(value: JsonObject): boolean;
  /** `hidden`: the text may hold a secret. */
  readonly previews: 'shown' | 'hidden';
}

export type Decoded = DecodedArguments | RefusedText;

export interface DecodedArguments {
  readonly kind: 'decoded';
  readonly value: JsonObject;
  readonly numbers: NumberLiterals;
  /** Characters of what was sent. */
  readonly size: number;
  /** Keys that came twice with equal values. */
  readonly repeatedKeys: readonly RepeatedKey[];
  /** The text rules that acted, in order; none if the text was JSON of an object, or a value came. */
  readonly steps: readonly TextStep[];
}

export interface TextStep {
  readonly rule: string;
  /** A preview of what the rule found. */
  readonly was: string;
}

const noSteps: readonly TextStep[] = Object.freeze([]);

/** Decodes argument text, its bytes, or a value that a provider has parsed. Never throws. */
export function decodeArguments(sent: unknown, options: DecodeOptions): Decoded {
  const decoded = typeof sent === 'string' ? decodeText(sent, options) : decodeOther(sent, options);
  // Providers start a stream of arguments with `{}`.
  const isStart =
    options.end === 'cut' && decoded.kind === 'decoded' && Object.keys(decoded.value).length === 0;
  return isStart ? refuseCut() : decoded;
}

function decodeText(text: string, options: DecodeOptions): Decoded {
  if (text.length > maxTextSize) return refuseSize();
  const reading = parseJson(text, maxTextDepth);
  if (reading.kind === 'read' && isJsonObject(reading.value)) {
    const { value, numbers, repeatedKeys } = reading;
    return { kind: 'decoded', value, numbers, size: text.length, repeatedKeys, steps: noSteps };
  }
  if (reading.kind === 'unreadable' && (reading.reason === 'too_deep' || reading.reason === 'duplicate_key'))
    return refuseUnreadable({ text, reading, maxDepth: maxTextDepth }, options);
  const decoded = decodeByRules(text, reading.kind === 'read' ? reading.value : undefined, options);
  if (decoded !== undefined) return decoded.kind === 'refused' ? decoded : withoutEnvelope(decoded, options);
  if (reading.kind === 'unreadable')
    return refuseUnreadable({ text, reading, maxDepth: maxTextDepth }, options);
  return options.end === 'cut'
    ? refuseCut()
    : refuseText('type', { expected: 'an object', received: preview(reading.value, 'hidden') });
}

/** Text rules that act on one text, the last of which gives the object: a fence in a string, for example. */
const maxSteps = 4;

/** Each rule takes something from around the text, until one gives the object; undefined if none knows the text. */
function decodeByRules(
  sent: string,
  sentRoot: JsonValue | undefined,
  options: DecodeOptions,
): Decoded | undefined {
  // Text that was cut says so, and markup that names another tool is not a call of this one.
  if (options.end === 'cut' || namesAnotherTool(sent, options.toolName)) return undefined;
  const { end, declared, toolName, isDeclared } = options;
  const steps: TextStep[] = [];
  let text = sent;
  let root = sentRoot;
  for (;;) {
    const step = firstProposal({ text, root, end, maxDepth: maxTextDepth, toolName, declared, isDeclared });
    if (step === undefined) return undefined;
    const { proposal, rule } = step;
    if (proposal.kind === 'refused') return proposal;
    steps.push({ rule, was: previewOf(text, root) });
    if (proposal.kind === 'object') return { ...proposal, kind: 'decoded', size: sent.length, steps };
    if (steps.length === maxSteps) return undefined;
    text = proposal.text;
    const reading = parseJson(text, maxTextDepth);
    if (reading.kind === 'read' && isJsonObject(reading.value))
      return { ...reading, kind: 'decoded', value: reading.value, size: sent.length, steps };
    root = reading.kind === 'read' ? reading.value : undefined;
  }
}

/** Rules behind which an envelope is one even if the tool would take it as it is. */
const uncovering: ReadonlySet<string> = new Set(['call_notation', 'surrounding_text']);

/** Opens the call envelope that was in a notation or between words. */
function withoutEnvelope(decoded: DecodedArguments, options: DecodeOptions): Decoded {
  const { toolName, isDeclared = () => false } = options;
  const { value, steps } = decoded;
  if (toolName === undefined || !steps.some(({ rule }) => uncovering.has(rule))) return decoded;
  const envelope = callEnvelopeIn(value, isDeclared);
  if (envelope === undefined) return decoded;
  const isData = isDeclared(envelope.nameKey) || isDeclared(envelope.argumentsKey);
  if (!isSameName(envelope.name, toolName)) return isData ? decoded : otherTool;
  const { inner } = envelope;
  const opened: Decoded =
    typeof inner === 'string' ? decodeText(inner, options) : { ...decoded, value: inner };
  if (isData && options.accepts(value))
    return opened.kind === 'decoded' && options.accepts(opened.value) ? twoReadings : decoded;
  if (opened.kind === 'refused') return opened;
  const step = { rule: 'unwrap_envelope', was: preview(value, 'hidden') };
  const inside = typeof inner === 'string' ? opened.steps : [];
  return { ...opened, size: decoded.size, steps: [...steps, step, ...inside] };
}

const twoReadings = refuseText('not_json', { advice: 'they may be a call, or the arguments of one' });

function firstProposal(context: TextContext) {
  for (const rule of textRuleTable) {
    const proposal = rule.propose(context);
    if (proposal.kind !== 'skip') return { rule: rule.id, proposal };
  }
  return undefined;
}

/** Text may hold a secret, so that only its kind and size are shown. */
const previewOf = (text: string, root: JsonValue | undefined): string =>
  root === undefined || typeof root === 'string'
    ? `text of ${text.length} characters`
    : preview(root, 'hidden');

function decodeOther(sent: unknown, options: DecodeOptions): Decoded {
  if (sent === undefined) return decodeNothing(options);
  if (!isBytes(sent)) return decodeValue(sent, options);
  // A UTF-16 unit has at most three bytes.
  if (sent.byteLength > maxTextSize * 3) return refuseSize();
  const reading = decodeBytes(sent);
  if (reading.kind === 'text') return decodeText(reading.text, options);
  return refuseText(reading.kind === 'cut' ? 'truncated' : reading.kind);
}

/** Absent arguments mean what empty text means. */
function decodeNothing(options: DecodeOptions): Decoded {
  const decoded = decodeText('', options);
  return decoded.kind === 'decoded' || options.end === 'cut' ? decoded : refuseText('not_sent');
}

function decodeValue(sent: unknown, options: DecodeOptions): Decoded {
  const reading = readPlainValue(sent, maxTextDepth);
  if (reading.kind !== 'plain') return refuseText(reading.kind, { path: reading.path });
  const { value, size } = reading;
  if (size > maxTextSize) return refuseSize();
  // The text rules know roots of other types.
  if (!isJsonObject(value)) return decodeText(JSON.stringify(value), options);
  // Providers and their SDKs complete what was cut, so that a value never shows it.
  if (options.end === 'cut') return refuseCut();
  return { kind: 'decoded', value, numbers: noLiterals, size, repeatedKeys: [], steps: noSteps };
}

const refuseSize = (): RefusedText =>
  refuseText('too_large', { expected: `at most ${maxTextSize} characters` });
