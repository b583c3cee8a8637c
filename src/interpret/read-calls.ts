import {
  type OptionKinds,
  boolean,
  checkOptions,
  oneOfWords,
  optionPreview,
  string,
} from '../options/check-options.ts';
import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { defined } from '../collections/objects.ts';
import { CallScanner, type ScannedPart } from '../notations/call-scanner.ts';
import { leftCallMessage } from '../messages/left-call-message.ts';
import { argumentFormOf } from '../notations/notation-table.ts';
import { OfferedTools } from '../notations/offered-tools.ts';
import { randomId } from '../platform/random-id.ts';
import type { ToolCall } from './tool-call.ts';
import { type CallsMeant, contractOf, offeredTool } from './offered-tool.ts';

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
  /** Offset after the call's markup. */
  readonly end: number;
}

/** A call of one of the tools that stays in the text, so that nobody executes it. */
export interface CallLeftInText {
  /** The tool's name. */
  readonly name: string;
  /**
   * `unreadable`: its markup can't be read in exactly one way. `refused`: it has no markup, and the
   * tool doesn't take its arguments. `uncertain`: where it stands, it may be an example, or part of
   * a text.
   */
  readonly reason: 'unreadable' | 'refused' | 'uncertain';
  /** The notation's id. Absent if none can be told. */
  readonly notation?: string;
  /** Offset of the call in the text, in UTF-16 code units. */
  readonly start: number;
  /** For the model: that the call was not executed, why, and the call as JSON to send. */
  readonly message: string;
}

/** The calls in a text, and the text around them. */
export interface CallsInText {
  readonly calls: readonly CallInText[];
  /** The text without the calls. */
  readonly text: string;
  /**
   * Calls that stay in the text, as far as they may be the model's own: not those in code,
   * quotations and results. `CallReader` knows them at the end.
   */
  readonly leftInText: readonly CallLeftInText[];
}

/**
 * A tool: its name, or a value with one: a contract, `{ name, inputSchema }`, OpenAI's
 * `{ function: { name, parameters } }`. With its schema, markup that can be read in several ways is
 * read in the one that the tool takes, and a call without markup is read only if the tool takes it.
 * It is destructive if its `effects` say so, or MCP's `annotations.destructiveHint`.
 */
export type NamedTool =
  string | { readonly name: string } | { readonly function: { readonly name: string } };

/** Tools, or a registry or tool set. */
export type ToolsByName =
  Iterable<NamedTool> | { names(): readonly string[]; contracts?(): Iterable<NamedTool> };

/** Options of `readCalls` and `CallReader`. */
export interface ReadCallsOptions {
  /** The model that wrote the text. Each call gets it as its `model`. */
  readonly model?: string;
  /** The text begins inside reasoning, because the prompt ended with `<think>`. Default: false. */
  readonly startsInReasoning?: boolean;
  /**
   * The text is reasoning that the server gave apart: only the last call counts, with nothing
   * after it. Default: false.
   */
  readonly isReasoning?: boolean;
  /**
   * `all`: a call with markup is read wherever it stands outside code, quotations and results; one
   * without markup only as the last block of the answer. `marked`: a tool whose effects aren't known
   * is treated as a destructive one, whose calls are read only if the answer is nothing but calls.
   * Default: `all`.
   */
  readonly callsInText?: CallsMeant;
}

const optionKinds: OptionKinds<ReadCallsOptions> = {
  model: string,
  startsInReasoning: boolean,
  isReasoning: boolean,
  callsInText: oneOfWords('marked', 'all'),
};

/**
 * Finds the tool calls in the text of an answer, in every notation of docs/reference/notations.md.
 * A call with markup is read wherever it stands outside code, quotations,
 * results and closed reasoning; one without markup only as the last block of the answer, after a
 * sentence. Calls of destructive tools are read only if the answer is nothing but calls and closed
 * reasoning. Throws a DefinitionError for a text that is not a string.
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
    leftInText: parts.flatMap(({ leftInText }) => leftInText),
  };
}

/**
 * Reads the calls in one streamed answer, and finds the calls that `readCalls` finds in the whole
 * text.
 */
export class CallReader {
  readonly #model: string | undefined;
  readonly #tools: readonly NamedTool[];
  readonly #scanner: CallScanner;
  #isEnded = false;

  /** Throws a DefinitionError for an unknown option and for a tool without a name. */
  constructor(tools: ToolsByName, options: ReadCallsOptions = {}) {
    checkOptions('readCalls', options, optionKinds);
    this.#model = options.model;
    const { startsInReasoning, isReasoning, callsInText = 'all' } = options;
    this.#tools = toolsIn(tools);
    const offeredTools = this.#tools.map((tool) => offeredTool(nameOf(tool), tool, callsInText));
    this.#scanner = new CallScanner(
      new OfferedTools(offeredTools),
      startsInReasoning === true || isReasoning === true,
    );
  }

  /**
   * Adds a part of the text. Gives the text that is certain now: calls are certain only at the end,
   * because text after them makes them text. Throws a ToolmendError after `end`, and a
   * DefinitionError for a part that is not a string.
   */
  add(part: string): CallsInText {
    this.#requireOpen('add');
    requireText('CallReader.add', part, undefined);
    return this.#collect(this.#scanner.add(part));
  }

  /**
   * Ends the text and returns the rest with the calls, and the calls that stay text. Throws a
   * ToolmendError if it was called before.
   */
  end(): CallsInText {
    this.#requireOpen('end');
    this.#isEnded = true;
    const rest = this.#collect(this.#scanner.end());
    const leftInText = this.#scanner.leftCalls.map((call) => {
      const { name, reason, notation, start } = call;
      const tool = this.#tools.find((one) => nameOf(one) === name);
      const message = leftCallMessage(
        { ...call, argumentForm: argumentFormOf(notation) },
        tool === undefined ? undefined : contractOf(tool),
      );
      return { name, reason, ...defined({ notation }), start, message };
    });
    return { ...rest, leftInText };
  }

  #requireOpen(method: string): void {
    if (this.#isEnded)
      throw new ToolmendError(
        'stream_ended',
        `${method} was called after end: read each answer with a new reader.`,
      );
  }

  #collect(parts: readonly ScannedPart[]): CallsInText {
    return {
      calls: parts.flatMap((part) => (part.kind === 'calls' ? this.#callsOf(part) : [])),
      text: parts.map((part) => (part.kind === 'calls' ? '' : part.text)).join(''),
      leftInText: [],
    };
  }

  #callsOf({
    calls,
    notation,
    start,
    end,
  }: ScannedPart & { readonly kind: 'calls' }): readonly CallInText[] {
    return calls.map(({ name, arguments: sentArguments }) => ({
      id: `call_${randomId()}`,
      name,
      arguments: sentArguments,
      ...defined({ model: this.#model }),
      notation,
      start,
      end,
    }));
  }
}

/** Throws a DefinitionError for a text that is not a string. `other`: the argument after the text. */
function requireText(where: string, text: unknown, other: unknown): void {
  if (typeof text === 'string') return;
  const isSwapped = typeof other === 'string';
  const what = isSwapped
    ? 'was given its arguments in the wrong order'
    : `was given ${optionPreview(text)} for the text`;
  const instead = isSwapped ? 'write readCalls(text, tools)' : 'pass its content, a string';
  throw definitionError(where, what, instead);
}

function toolsIn(tools: ToolsByName): readonly NamedTool[] {
  if (typeof tools !== 'object' || tools === null) throw noTools('was given no tools');
  if ('contracts' in tools && typeof tools.contracts === 'function') return [...tools.contracts()];
  if ('names' in tools && typeof tools.names === 'function') return tools.names();
  if (!(Symbol.iterator in tools)) throw noTools('was given no tools');
  return [...tools];
}

function nameOf(tool: NamedTool): string {
  if (typeof tool === 'string') return tool;
  const name = 'function' in tool ? tool.function.name : tool.name;
  if (typeof name !== 'string') throw noTools('was given a tool without a name');
  return name;
}

const noTools = (what: string): DefinitionError =>
  definitionError('readCalls', what, 'pass names, contracts, { name, inputSchema }, or a registry');
