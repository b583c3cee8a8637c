import { createReadStream } from 'node:fs';
import { findTool } from '../registry/interpret-call.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import { exactJson, parseJson } from '../json/parse.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, ownValue } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { Effects } from '../tool/tool-contract.ts';

/** The tool as it was shown to the model. */
export interface RecordedTool {
  readonly name: string | undefined;
  readonly schema: SchemaObject;
  readonly effects: Effects | undefined;
}

export interface RecordedCall {
  readonly id: string | undefined;
  readonly tool: RecordedTool;
  /** The name that the model wrote is the tool's in another spelling. */
  readonly isRenamed: boolean;
  readonly sent: SentArguments;
  /** Whether the standard meta arguments are switched on. */
  readonly meta: boolean;
  readonly finishReason: string | undefined;
  /** undefined: nobody has said what must become of it. */
  readonly expected: Expectation | undefined;
}

/** `text`: argument text. `value`: what a provider has parsed. */
export type SentArguments =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'value'; readonly value: JsonValue };

export interface Expectation {
  readonly outcome: 'unchanged' | 'repaired' | 'rejected';
  /** What the tool must get. */
  readonly value: JsonValue | undefined;
  readonly meta: JsonObject | undefined;
  /** Keys whose text is compared as the JSON that it holds. */
  readonly parsedKeys: ReadonlySet<string>;
}

/** What one line of a file holds: calls (none where only a tool is described), or why it can't be read. */
export type RecordedLine =
  | { readonly kind: 'calls'; readonly calls: readonly RecordedCall[]; readonly unknownTools: number }
  | { readonly kind: 'bad'; readonly why: string };

// As the model saw it: by its JSON Schema, in the words of the API that was used.
const schemaKeys = ['schema', 'inputSchema', 'input_schema', 'parameters'];

/** The one tool of a record: beside the arguments, or under `tool`. undefined if it has none. */
export function readTool(record: JsonObject): RecordedTool | undefined {
  const tool = ownValue(record, 'tool');
  const described = isJsonObject(tool) ? toolOf(tool) : undefined;
  if (described !== undefined) return described;
  const beside = toolOf(record);
  return beside === undefined || typeof tool !== 'string' ? beside : { ...beside, name: tool };
}

/** The tools that a request offered, by name. A function without parameters takes none. */
function readTools(record: JsonObject): ReadonlyMap<string, RecordedTool> {
  const offered = [record, ...['request', 'body'].map((key) => ownValue(record, key))]
    .filter((node) => isJsonObject(node))
    .map((node) => ownValue(node, 'tools'))
    .find((tools) => isJsonArray(tools));
  const tools = (offered ?? []).filter((tool) => isJsonObject(tool)).map(toolOrNoArguments);
  return new Map(tools.flatMap((tool) => (tool.name === undefined ? [] : [[tool.name, tool] as const])));
}

function toolOf(node: JsonObject): RecordedTool | undefined {
  const inner = ownValue(node, 'function');
  const described = isJsonObject(inner) ? inner : node;
  const schema = schemaKeys.map((key) => ownValue(described, key)).find((value) => isSchema(value));
  return schema === undefined ? undefined : { name: nameOf(described), schema, effects: effectsOf(node) };
}

function toolOrNoArguments(node: JsonObject): RecordedTool {
  const inner = ownValue(node, 'function');
  const name = nameOf(isJsonObject(inner) ? inner : node);
  return toolOf(node) ?? { name, schema: { type: 'object', properties: {} }, effects: undefined };
}

function nameOf(node: JsonObject): string | undefined {
  const name = ownValue(node, 'name');
  return typeof name === 'string' ? name : undefined;
}

/** MCP's annotations: https://modelcontextprotocol.io/specification/2025-06-18/schema#toolannotations */
function effectsOf(node: JsonObject): Effects | undefined {
  const annotations = ownValue(node, 'annotations');
  if (!isJsonObject(annotations)) return undefined;
  if (ownValue(annotations, 'destructiveHint') === true) return 'destructive';
  return ownValue(annotations, 'readOnlyHint') === true ? 'read' : undefined;
}

// A JSON object is a schema as far as types go; what is no schema is found when it is compiled.
const isSchema = (value: JsonValue | undefined): value is JsonObject & SchemaObject => isJsonObject(value);

/** As they are, or as the text that they were, where numbers lost digits on the way. */
const sentValue = (value: JsonValue, numbers: NumberLiterals): SentArguments =>
  numbers.lossy && typeof value === 'object'
    ? { kind: 'text', text: exactJson(value, numbers, 0) }
    : { kind: 'value', value };

// Those of the answer; of a conversation without one, all of them.
export interface ChatCalls {
  readonly calls: readonly RecordedCall[];
  /** Calls of tools that were not offered. */
  readonly unknownTools: number;
}

/** Finds the calls in the shapes of OpenAI's Chat Completions and Responses and Anthropic's Messages. */
function readChat(record: JsonObject, numbers: NumberLiterals): ChatCalls {
  const tools = readTools(record);
  const answer = ['response', 'choices', 'output', 'tool_calls', 'message'].filter((key) =>
    Object.hasOwn(record, key),
  );
  const places = answer.length > 0 ? answer : ['messages', 'request', 'body', 'content'];
  const finishReason = finishReasonOf(record);
  const found = places.flatMap((key) => callsIn(ownValue(record, key), finishReason, 0));
  const calls = found.flatMap(({ name, id, given, finishReason: reason }): readonly RecordedCall[] => {
    const tool = findTool(tools, name);
    if (tool.kind === 'unknown') return [];
    const sent = sentOf(given, numbers);
    const isRenamed = tool.kind === 'resolved';
    return [{ id, tool: tool.tool, isRenamed, sent, meta: false, finishReason: reason, expected: undefined }];
  });
  return { calls, unknownTools: found.length - calls.length };
}

interface FoundCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly given: JsonValue;
  readonly finishReason: string | undefined;
}

/** Keys under which answers and conversations nest what they hold. */
const holders = ['body', 'choices', 'message', 'messages', 'output', 'content', 'tool_calls'];
const deepestMessage = 8;

function callsIn(
  node: JsonValue | undefined,
  reason: string | undefined,
  depth: number,
): readonly FoundCall[] {
  if (depth > deepestMessage) return [];
  if (isJsonArray(node)) return node.flatMap((item) => callsIn(item, reason, depth + 1));
  if (!isJsonObject(node)) return [];
  const finishReason = finishReasonOf(node) ?? reason;
  const call = chatCallOf(node, finishReason);
  if (call !== undefined) return [call];
  return holders.flatMap((key) => callsIn(ownValue(node, key), finishReason, depth + 1));
}

function chatCallOf(node: JsonObject, finishReason: string | undefined): FoundCall | undefined {
  const inner = ownValue(node, 'function');
  const call = isJsonObject(inner) ? inner : node;
  const name = ownValue(call, 'name');
  // Anthropic's calls have their arguments under input.
  const given =
    ownValue(call, 'arguments') ??
    (ownValue(call, 'type') === 'tool_use' ? ownValue(call, 'input') : undefined);
  if (typeof name !== 'string' || given === undefined) return undefined;
  const id = ownValue(node, 'id');
  return { id: typeof id === 'string' ? id : undefined, name, given, finishReason };
}

function finishReasonOf(node: JsonObject): string | undefined {
  const reason = ownValue(node, 'finish_reason') ?? ownValue(node, 'stop_reason');
  return typeof reason === 'string' ? reason : undefined;
}

const sentOf = (given: JsonValue, numbers: NumberLiterals): SentArguments =>
  typeof given === 'string' ? { kind: 'text', text: given } : sentValue(given, numbers);

const outcomes: ReadonlyMap<unknown, Expectation['outcome']> = new Map([
  ['unchanged', 'unchanged'],
  ['repaired', 'repaired'],
  ['rejected', 'rejected'],
]);

/** undefined: nothing is expected. Text: why the expectation can't be read. */
export function readExpectation(record: JsonObject): Expectation | undefined | string {
  const expected = ownValue(record, 'expect');
  if (expected === undefined || expected === null) return undefined;
  if (!isJsonObject(expected)) return 'has an expect that is no object';
  const outcome = outcomes.get(ownValue(expected, 'outcome'));
  if (outcome === undefined) return 'has an expect.outcome that is none of unchanged, repaired, rejected';
  const value = ownValue(expected, 'value');
  if (outcome !== 'rejected' && value === undefined) return 'has no expect.value for an accepted call';
  const meta = ownValue(expected, 'meta');
  return { outcome, value, meta: isJsonObject(meta) ? meta : undefined, parsedKeys: parsedKeysOf(expected) };
}

/** `compare-parsed:KEY` among the kinds. */
function parsedKeysOf(expected: JsonObject): ReadonlySet<string> {
  const kinds = ownValue(expected, 'kinds');
  const words = isJsonArray(kinds) ? kinds.filter((kind) => typeof kind === 'string') : [];
  return new Set(
    words.filter((kind) => kind.startsWith(comparison)).map((kind) => kind.slice(comparison.length)),
  );
}

const comparison = 'compare-parsed:';

// In pieces; only a line feed ends a line, as JSON's own strings may hold every other separator.
export interface Line {
  /** From 1 on. */
  readonly number: number;
  /** undefined: longer than any line that is looked at. */
  readonly text: string | undefined;
}

/** Characters of a line, at most. */
const longestLine = 64 * 1024 * 1024;

/** The lines that are not blank; without a byte order mark. Rejects as `node:fs` does if the file can't be read. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0;
  let rest = '';
  let isTooLong = false;
  const end = (text: string): Line | undefined => {
    number += 1;
    const line = { number, text: isTooLong ? undefined : number === 1 ? text.replace(/^\uFEFF/, '') : text };
    isTooLong = false;
    return line.text?.trim() === '' ? undefined : line;
  };
  const stream: AsyncIterable<string> = createReadStream(file, { encoding: 'utf8' });
  for await (const chunk of stream) {
    const [first = '', ...others] = chunk.split('\n');
    rest += first;
    for (const next of others) {
      const line = end(rest);
      if (line !== undefined) yield line;
      rest = next;
    }
    if (rest.length > longestLine) {
      isTooLong = true;
      rest = '';
    }
  }
  const last = end(rest);
  if (last !== undefined) yield last;
}

// Its own, or those in a chat log, with the tools that were offered.
/** Containers in containers: a call with its schema around. */
const deepest = 256;

/** Reads one line of JSON. What stands in it is never part of what is said about it. */
export function readRecord(line: string): RecordedLine {
  const reading = parseJson(line, deepest);
  if (reading.kind === 'unreadable') {
    return bad(`is no JSON (${reading.reason.replace('_', ' ')} at character ${reading.at + 1})`);
  }
  return isJsonObject(reading.value) ? readObject(reading.value, reading.numbers) : bad('is no JSON object');
}

function readObject(record: JsonObject, numbers: NumberLiterals): RecordedLine {
  const tool = readTool(record);
  if (tool === undefined) {
    if (!Object.hasOwn(record, 'tools') && !isJsonObject(ownValue(record, 'request')))
      return bad('says nothing of the tool: write schema, tool.inputSchema or tools');
    return { kind: 'calls', ...readChat(record, numbers) };
  }
  const sent = sentArguments(record, numbers);
  if (sent === undefined) return { kind: 'calls', calls: [], unknownTools: 0 };
  const expected = readExpectation(record);
  if (typeof expected === 'string') return bad(expected);
  return { kind: 'calls', calls: [{ ...callOf(record, tool, sent), expected }], unknownTools: 0 };
}

function callOf(record: JsonObject, tool: RecordedTool, sent: SentArguments): Omit<RecordedCall, 'expected'> {
  const options = ownValue(record, 'options');
  const setting = isJsonObject(options) ? options : {};
  const finishReason =
    ownValue(setting, 'finishReason') ??
    ownValue(record, 'finishReason') ??
    ownValue(record, 'finish_reason');
  const id = ownValue(record, 'id');
  return {
    id: typeof id === 'string' ? id : undefined,
    tool,
    isRenamed: false,
    sent,
    meta: ownValue(setting, 'meta') === true,
    finishReason: typeof finishReason === 'string' ? finishReason : undefined,
  };
}

/** `inputText` is text and `input` a value; `arguments` is text if it is a string. */
function sentArguments(record: JsonObject, numbers: NumberLiterals): SentArguments | undefined {
  const text = ownValue(record, 'inputText');
  if (typeof text === 'string') return { kind: 'text', text };
  const input = ownValue(record, 'input');
  if (input !== undefined) return sentValue(input, numbers);
  const given = ownValue(record, 'arguments');
  if (given === undefined) return undefined;
  return typeof given === 'string' ? { kind: 'text', text: given } : sentValue(given, numbers);
}

const bad = (why: string): RecordedLine => ({ kind: 'bad', why });
