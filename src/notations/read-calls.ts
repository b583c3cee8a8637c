import {
  type OptionKinds,
  boolean,
  checkOptions,
  preview,
  string,
} from '../options/check-options.ts';
import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { type ReadValue, readJsonPrefix } from '../json/lenient-parser.ts';
import { exactJson } from '../json/parse.ts';
import { defined } from '../collections/objects.ts';
import { isJsonObject, maxTextDepth } from '../json/value.ts';
import { randomId } from '../platform/random-id.ts';
import { bareEnvelopeIn, brokenEnvelopeIn, callsIn } from './call-envelope.ts';
import { jsonInTags } from './json-in-tags.ts';
import { keylessEnvelope } from './keyless-envelope.ts';
import { type CallSource, type ReadCall, textsOf } from './notation.ts';
import { pythonic } from './pythonic.ts';
import { isSameName } from './read-notation.ts';
import { startOfClosingTags } from './wrapping-tags.ts';
import { CallContext } from './call-context.ts';
import { CallScanner, type NamedCall, type ScannedPart } from './call-scanner.ts';
import type { ToolCall } from '../providers/tool-call.ts';

/** A tool call that was found in text. */
export interface CallInText extends ToolCall {
  /**
   * JSON text, which the model may have broken. Raw text of a notation is a string in it.
   * `interpret` repairs both by the tool's schema.
   */
  readonly arguments: string;
  /**
   * The notation's id, as in docs/reference/notations.md; `json_envelope` for a text that is
   * nothing but calls as JSON.
   */
  readonly notation: string;
  /**
   * Offset of the call's markup in the text, in UTF-16 code units. The calls of one list have the
   * list's.
   */
  readonly start: number;
  /** Offset behind the call's markup. */
  readonly end: number;
}

/** The calls in a text, and the text around them. */
export interface CallsInText {
  readonly calls: readonly CallInText[];
  /** The text without the calls. */
  readonly text: string;
}

/**
 * A tool: its name, or a value with one: a contract, `{ name, inputSchema }`, OpenAI's
 * `{ function: { name } }`.
 */
export type NamedTool =
  string | { readonly name: string } | { readonly function: { readonly name: string } };

/** Tools, or a registry or tool set. */
export type ToolsByName = Iterable<NamedTool> | { names(): readonly string[] };

/** Options of `readCalls` and `CallReader`. */
export interface ReadCallsOptions {
  /** The model that wrote the text. Each call gets it as its `model`. */
  readonly model?: string;
  /** The text begins inside reasoning, because the prompt ended with `<think>`. Default: false. */
  readonly startsInReasoning?: boolean;
  /**
   * The text is reasoning that the server gave apart: only the paragraph before a call introduces
   * it. Default: false.
   */
  readonly isReasoning?: boolean;
}

const optionKinds: OptionKinds<ReadCallsOptions> = {
  model: string,
  startsInReasoning: boolean,
  isReasoning: boolean,
};

/**
 * Finds the tool calls in the text of an answer, in every notation of docs/reference/notations.md.
 * A call is read only if its markup is complete, names one of the tools and ends the text. Before
 * it may be reasoning, other calls, and lines in which the model says what it does next; behind
 * other text, code and broken markup, nothing is read. Throws a DefinitionError for a text that is
 * not a string.
 */
export function readCalls(
  text: string,
  tools: ToolsByName,
  options: ReadCallsOptions = {},
): CallsInText {
  requireText('readCalls', text, tools);
  const reader = new CallReader(tools, options);
  const parts = [reader.add(text), reader.end()];
  return {
    calls: parts.flatMap(({ calls }) => calls),
    text: parts.map((part) => part.text).join(''),
  };
}

/**
 * Reads the calls in one streamed answer, and finds the calls that `readCalls` finds in the whole
 * text.
 */
export class CallReader {
  readonly #model: string | undefined;
  readonly #scanner: CallScanner;
  readonly #context: CallContext;
  #isEnded = false;

  /** Throws a DefinitionError for an unknown option and for a tool without a name. */
  constructor(tools: ToolsByName, options: ReadCallsOptions = {}) {
    checkOptions('readCalls', options, optionKinds);
    this.#model = options.model;
    this.#context = new CallContext(options.isReasoning === true);
    const names = namesOf(tools);
    const toolOf = (name: string) => resolveName(names, name);
    const isTool = (name: string) => toolOf(name) !== undefined;
    this.#scanner = new CallScanner(
      {
        names,
        isTool,
        resolve: (calls) => resolveCalls(calls, toolOf),
        readAlone: (text) => readAlone(text, toolOf, isTool),
      },
      options.startsInReasoning === true,
    );
  }

  /**
   * Adds a part of the text. Gives the text that is certain now: calls are certain only at the end,
   * because text behind them makes them text. Throws a ToolmendError after `end`, and a
   * DefinitionError for a part that is not a string.
   */
  add(part: string): CallsInText {
    this.#requireOpen('add');
    requireText('CallReader.add', part, undefined);
    return this.#collect(this.#context.add(this.#scanner.add(part)));
  }

  /**
   * Ends the text and returns the rest with the calls. Throws a ToolmendError if it was called
   * before.
   */
  end(): CallsInText {
    this.#requireOpen('end');
    this.#isEnded = true;
    return this.#collect([...this.#context.add(this.#scanner.end()), ...this.#context.end()]);
  }

  #requireOpen(method: string): void {
    if (this.#isEnded)
      throw new ToolmendError(
        'stream_ended',
        `${method} was called after end: read each answer with a new reader.`,
      );
  }

  #collect(parts: readonly ScannedPart[]): CallsInText {
    const calls = parts.flatMap((part) => (part.kind === 'calls' ? this.#callsOf(part) : []));
    return {
      calls,
      text: parts
        .map((part) => (part.kind === 'calls' && part.calls.length > 0 ? '' : part.text))
        .join(''),
    };
  }

  #callsOf({
    calls,
    notation,
    start,
    end,
  }: ScannedPart & { readonly kind: 'calls' }): readonly CallInText[] {
    return calls.map(({ name, arguments: sent }) => ({
      id: `call_${randomId()}`,
      name,
      arguments: typeof sent === 'string' ? sent : JSON.stringify(textsOf(sent)),
      ...defined({ model: this.#model }),
      notation,
      start,
      end,
    }));
  }
}

/** Throws a DefinitionError for anything but a string. `other`: the argument after the text. */
function requireText(where: string, text: unknown, other: unknown): void {
  if (typeof text === 'string') return;
  const isSwapped = typeof other === 'string';
  const what = isSwapped
    ? 'was given its arguments in the wrong order'
    : `was given ${preview(text)} for the text`;
  const instead = isSwapped ? 'write readCalls(text, tools)' : 'pass its content, a string';
  throw definitionError(where, what, instead);
}

function namesOf(tools: ToolsByName): readonly string[] {
  if (typeof tools !== 'object' || tools === null) throw noTools('was given no tools');
  if ('names' in tools && typeof tools.names === 'function') return tools.names();
  if (!(Symbol.iterator in tools)) throw noTools('was given no tools');
  return Array.from(tools, (tool) => {
    if (typeof tool === 'string') return tool;
    const name = 'function' in tool ? tool.function.name : tool.name;
    if (typeof name !== 'string') throw noTools('was given a tool without a name');
    return name;
  });
}

const noTools = (what: string): DefinitionError =>
  definitionError('readCalls', what, 'pass names, contracts, { name, inputSchema }, or a registry');

/** The tool's own name, if exactly one has it or another spelling of it. */
function resolveName(names: readonly string[], wanted: string): string | undefined {
  if (names.includes(wanted)) return wanted;
  const [only, ...others] = names.filter((name) => isSameName(wanted, name));
  return others.length === 0 ? only : undefined;
}

type ToolOf = (name: string) => string | undefined;

/** The calls with their names and arguments; undefined if one of them is not a call of a tool. */
function resolveCalls(
  calls: readonly ReadCall[],
  toolOf: ToolOf,
): readonly NamedCall[] | undefined {
  return allKnown(
    calls.flatMap((call) => {
      if (call.name !== undefined) return namedCall(toolOf(call.name), call.arguments);
      return typeof call.arguments === 'string' ? callsInText(call.arguments, toolOf) : undefined;
    }),
  );
}

const namedCall = (name: string | undefined, sent: ReadCall['arguments']): NamedCall | undefined =>
  name === undefined ? undefined : { name, arguments: sent };

function allKnown(resolved: readonly (NamedCall | undefined)[]): readonly NamedCall[] | undefined {
  const known = resolved.filter((call) => call !== undefined);
  return known.length === resolved.length ? known : undefined;
}

/** The envelopes in the text between tags: JSON, or one call that is broken JSON. */
function callsInText(text: string, toolOf: ToolOf): readonly (NamedCall | undefined)[] {
  const json = readWholeJson(text);
  if (json !== undefined) return callsInJson(json, toolOf);
  const broken = brokenEnvelopeIn(text);
  return [broken && namedCall(toolOf(broken.name), broken.inner)];
}

/** A text that is JSON as a whole, as models write it. */
function readWholeJson(text: string): ReadValue | undefined {
  const whole = text.trimEnd();
  const read = readJsonPrefix(whole, 0, 'loose', maxTextDepth);
  return read.kind === 'read' && read.end === whole.length ? read : undefined;
}

/** JSON values that line breaks set apart, or semicolons, as Llama 3 writes. */
function readJsonSequence(text: string): readonly ReadValue[] | undefined {
  const values: ReadValue[] = [];
  for (let at = 0; at < text.length; at = between.lastIndex) {
    const read = readJsonPrefix(text, at, 'loose', maxTextDepth);
    if (read.kind !== 'read') return undefined;
    values.push(read);
    between.lastIndex = read.end;
    if (!between.test(text)) return undefined;
  }
  return values;
}

const between = /[ \t]*(?:[;\r\n]|$)\s*/y;

/** The envelopes in JSON, one or a list. */
function callsInJson(
  { value, numbers }: ReadValue,
  toolOf: ToolOf,
): readonly (NamedCall | undefined)[] {
  return callsIn(value).map((entry) => {
    const envelope = isJsonObject(entry) ? bareEnvelopeIn(entry, () => false) : undefined;
    if (envelope === undefined) return undefined;
    const { name, inner } = envelope;
    return namedCall(toolOf(name), typeof inner === 'string' ? inner : exactJson(inner, numbers));
  });
}

/** The calls in a text that is nothing but calls as JSON or in Python's syntax. */
function readAlone(
  text: string,
  toolOf: ToolOf,
  isTool: CallSource['isTool'],
): { readonly calls: readonly NamedCall[]; readonly notation: string } | undefined {
  const until = startOfClosingTags(text);
  const sent = text.slice(0, until);
  const inJson = allKnown(
    readJsonSequence(sent)?.flatMap((value) => callsInJson(value, toolOf)) ?? [undefined],
  );
  if (inJson !== undefined) return { calls: inJson, notation: 'json_envelope' };
  const source: CallSource = {
    text: sent,
    at: 0,
    until,
    extent: 'whole',
    tags: [],
    isTool,
    isDeclared: undefined,
  };
  for (const { id, readAt } of [jsonInTags, keylessEnvelope, pythonic]) {
    const read = readAt(source);
    if (read.kind !== 'calls' || read.end < until) continue;
    const calls = resolveCalls(read.calls, toolOf);
    if (calls !== undefined) return { calls, notation: id };
  }
  return undefined;
}
