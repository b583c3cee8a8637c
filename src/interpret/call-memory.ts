import { checkOptions, count } from '../errors/check-options.ts';
import { parseJson } from '../json/parse.ts';
import { fingerprintOf, readPlainValue } from '../json/serialize.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { decodeBytes, isBytes } from '../json/utf8.ts';
import { defaultFailureLimit } from './interpret.ts';
import type { Interpretation, Rejected } from './interpretation.ts';

// When they say the same, however it is written.
const deepest = 64;

/** The same for arguments with the same value, whatever the order of their keys and the blanks between them. */
function argumentsFingerprint(sent: unknown): string {
  if (typeof sent === 'string') return fingerprintOf(formOfText(sent));
  if (isBytes(sent)) {
    const reading = decodeBytes(sent);
    return fingerprintOf(reading.kind === 'text' ? formOfText(reading.text) : reading.kind);
  }
  const reading = readPlainValue(sent, deepest);
  return fingerprintOf(reading.kind === 'plain' ? formOf(reading.value) : reading.kind);
}

/** The same for rejections with the same issues. */
const wayOf = ({ issues }: Rejected): string =>
  fingerprintOf(JSON.stringify(issues.map(({ keyword, path, key }) => [keyword, path, key ?? null])));

/** Numbers of more digits than JavaScript keeps are told apart by their text. */
function formOfText(text: string): string {
  const reading = parseJson(text, deepest);
  return reading.kind === 'read' && !reading.numbers.lossy ? formOf(reading.value) : text.trim();
}

/** JSON with sorted keys. */
function formOf(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(formOf).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${formOf(member)}`);
  return `{${members.toSorted().join(',')}}`;
}

// Kept by whoever runs the conversation, and by nobody else.
/** Tools that are remembered, at most; the one that failed longest ago is forgotten first. */
const mostTools = 256;

interface LastFailure {
  readonly call: string;
  readonly way: string;
  readonly times: number;
}

/**
 * What a conversation has to remember so that a model which sends the same wrong call again and again is told so. Make
 * one for each conversation and hand it to every call of it; never share one between conversations. It keeps a few
 * characters for each tool that failed last time, and no argument.
 */
export class CallMemory {
  /** Failures in a row after which the model is told to stop. */
  readonly failureLimit: number;
  readonly #failures = new Map<string, LastFailure>();
  readonly #endings = new Map<string, LastFailure>();

  /** `failureLimit`: default 3, at least 2. Throws a DefinitionError for another option. */
  constructor(options: { readonly failureLimit?: number } = {}) {
    checkOptions('CallMemory', options, { failureLimit: count(2) });
    const { failureLimit = defaultFailureLimit } = options;
    this.failureLimit = failureLimit;
  }

  /** How often in a row these arguments were rejected by this tool, as its last call. */
  failedBefore(tool: string, sent: unknown): number {
    const last = this.#failures.get(tool);
    return last !== undefined && last.call === argumentsFingerprint(sent) ? last.times : 0;
  }

  /**
   * Remembers what became of a tool's call, and returns how often in a row this very call has failed in this very way,
   * this time counted; 0 if it was accepted.
   */
  remember(tool: string, sent: unknown, interpretation: Interpretation): number {
    const last = this.#failures.get(tool);
    this.#failures.delete(tool);
    if (interpretation.status !== 'rejected') return 0;
    this.#endings.delete(tool);
    return keep(this.#failures, tool, { call: argumentsFingerprint(sent), way: wayOf(interpretation), last });
  }

  /** How often in a row these arguments were executed by this tool, as its last call, and failed in the same way. */
  endedBefore(tool: string, sent: unknown): number {
    const last = this.#endings.get(tool);
    return last !== undefined && last.call === argumentsFingerprint(sent) ? last.times : 0;
  }

  /**
   * Remembers how a call ended that was executed; `way` is undefined if it didn't fail. Returns how often in a row this very
   * call has failed in this very way, this time counted.
   */
  rememberEnding(tool: string, sent: unknown, way: string | undefined): number {
    const last = this.#endings.get(tool);
    this.#endings.delete(tool);
    if (way === undefined) return 0;
    return keep(this.#endings, tool, { call: argumentsFingerprint(sent), way: fingerprintOf(way), last });
  }
}

interface Failure extends Omit<LastFailure, 'times'> {
  readonly last: LastFailure | undefined;
}

/** Counts a failure; the tool that failed longest ago is forgotten where there are too many. */
function keep(failures: Map<string, LastFailure>, tool: string, { call, way, last }: Failure): number {
  const times = last?.call === call && last.way === way ? last.times + 1 : 1;
  failures.set(tool, { call, way, times });
  const [oldest] = failures.keys();
  if (failures.size > mostTools && oldest !== undefined) failures.delete(oldest);
  return times;
}
