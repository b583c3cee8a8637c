import { createReadStream } from 'node:fs';
import type { JsonPath } from '../json/json-edits.ts';
import { objectAt, textAt } from '../json/members.ts';
import { effectsOf } from '../wire/tool-effects.ts';
import { each, partsOfCall } from '../wire/wire-api.ts';
import { recordedApis } from '../wire/wire-apis.ts';
import { findTool } from '../registry/interpret-call.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import { readJson } from '../json/lenient-parser.ts';
import { exactJson, parseJson } from '../json/parse.ts';
import { ownValue } from '../collections/objects.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  maxDataDepth,
} from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { Effects } from '../tool/tool-contract.ts';

export interface RecordedTool {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly schema: SchemaObject;
  readonly effects: Effects | undefined;
}

export interface RecordedCall {
  readonly id: string | undefined;
  readonly tool: RecordedTool;
  /** The model wrote the tool's name in another spelling. */
  readonly isRenamed: boolean;
  /** Argument text, or a value that a provider parsed. */
  readonly sentArguments: JsonValue;
  /** The tool has the standard meta arguments. */
  readonly meta: boolean;
  readonly finishReason: string | undefined;
  /** undefined: the record states no expectation. */
  readonly expectation: Expectation | undefined;
  /** What became of the call when it was recorded. undefined: the record doesn't say. */
  readonly recordedResult: RecordedResult | undefined;
}

export interface RecordedResult {
  readonly status: Expectation['outcome'];
  /** The rules of the repairs, each once. undefined: the record doesn't say. */
  readonly rules: readonly string[] | undefined;
}

export interface Expectation {
  readonly outcome: 'unchanged' | 'repaired' | 'rejected';
  /** The arguments that the tool must get. */
  readonly value: JsonValue | undefined;
  readonly meta: JsonObject | undefined;
  /** Keys whose strings are compared as the JSON that they hold. */
  readonly parsedKeys: ReadonlySet<string>;
}

/** The calls of one line, none if it only describes a tool, or why it can't be read. */
export type RecordedLine =
  | {
      readonly kind: 'calls';
      readonly calls: readonly RecordedCall[];
      readonly unknownTools: number;
    }
  | { readonly kind: 'bad'; readonly why: string };

export interface Line {
  /** From 1. */
  readonly number: number;
  /** undefined: longer than 64 Mi characters. */
  readonly text: string | undefined;
}

const longestLine = 64 * 1024 * 1024;

/**
 * The lines of a file that are not blank, read in pieces, without a byte order mark. Only a line
 * feed ends a line: JSON strings may contain all other separators. Rejects as `node:fs` does if the
 * file can't be read.
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0;
  let rest = '';
  let isTooLong = false;
  const end = (text: string): readonly Line[] => {
    number += 1;
    const line = isTooLong ? undefined : number === 1 ? text.replace(/^\uFEFF/, '') : text;
    isTooLong = false;
    return line?.trim() === '' ? [] : [{ number, text: line }];
  };
  const stream: AsyncIterable<string> = createReadStream(file, { encoding: 'utf8' });
  for await (const chunk of stream) {
    const [first = '', ...others] = chunk.split('\n');
    rest += first;
    for (const next of others) {
      yield* end(rest);
      rest = next;
    }
    if (rest.length > longestLine) {
      isTooLong = true;
      rest = '';
    }
  }
  yield* end(rest);
}

/** Reads one line of JSON. Why it can't be read never quotes the line. */
export function readRecord(line: string): RecordedLine {
  const reading = parseJson(line);
  if (reading.kind === 'unreadable') {
    const strict = reading.reason === 'syntax' ? readJson(line, 'strict', maxDataDepth) : reading;
    return strict.kind === 'read'
      ? bad('is not JSON')
      : bad(`is not JSON (${strict.reason.replace('_', ' ')} at character ${strict.at + 1})`);
  }
  const { value: record, numbers } = reading;
  if (!isJsonObject(record)) return bad('is not a JSON object');
  const tool = readTool(record);
  // A line of the gateway's log without contents, or of a call without a schema.
  if (
    tool === undefined &&
    Object.hasOwn(record, 'status') &&
    (hasNoSchema(record) || readArguments(record, numbers) === undefined)
  )
    return { kind: 'calls', calls: [], unknownTools: 0 };
  if (tool === undefined) {
    return Object.hasOwn(record, 'tools') || isJsonObject(ownValue(record, 'request'))
      ? readChat(record, numbers)
      : bad("has no schema of the call's tool: write schema, tool.inputSchema or tools");
  }
  const sentArguments = readArguments(record, numbers);
  const expectation = readExpectation(record);
  if (sentArguments === undefined) return { kind: 'calls', calls: [], unknownTools: 0 };
  if (typeof expectation === 'string') return bad(expectation);
  const options = objectAt(record, 'options') ?? {};
  const call: RecordedCall = {
    id: textAt(record, 'id'),
    tool,
    isRenamed: false,
    sentArguments,
    meta: ownValue(options, 'meta') === true,
    finishReason:
      textAt(options, 'finishReason') ??
      textAt(record, 'finishReason') ??
      textAt(record, 'finish_reason'),
    expectation,
    recordedResult: readResult(record),
  };
  return { kind: 'calls', calls: [call], unknownTools: 0 };
}

const hasNoSchema = (record: JsonObject): boolean =>
  ['unknown_tool', 'unchecked'].includes(textAt(record, 'status') ?? '');

const bad = (why: string): RecordedLine => ({ kind: 'bad', why });

/** `inputText` is text and `input` a value. `arguments` is text if it is a string. */
function readArguments(record: JsonObject, numbers: NumberLiterals): JsonValue | undefined {
  const text = textAt(record, 'inputText');
  if (text !== undefined) return text;
  const input = ownValue(record, 'input');
  // A value that is a string is a root of the wrong type, not argument text.
  if (typeof input === 'string') return JSON.stringify(input);
  return exactValue(input === undefined ? ownValue(record, 'arguments') : input, numbers);
}

const exactValue = <Value extends JsonValue | undefined>(
  value: Value,
  numbers: NumberLiterals,
): Value | string =>
  typeof value === 'object' && numbers.lossy ? exactJson(value, numbers) : value;

const outcomes = ['unchanged', 'repaired', 'rejected'] as const;

/** undefined: no expectation. A string: why the expectation can't be read. */
export function readExpectation(record: JsonObject): Expectation | undefined | string {
  const expectation = ownValue(record, 'expect');
  if (expectation === undefined || expectation === null) return undefined;
  if (!isJsonObject(expectation)) return 'has an expect that is not an object';
  const outcome = outcomes.find((name) => name === ownValue(expectation, 'outcome'));
  if (outcome === undefined)
    return 'has an expect.outcome that is none of unchanged, repaired, rejected';
  // Unchanged arguments are those that were sent.
  const value =
    ownValue(expectation, 'value') ??
    (outcome === 'unchanged' ? objectAt(record, 'input') : undefined);
  if (outcome !== 'rejected' && value === undefined)
    return 'has no expect.value for an accepted call';
  // `compare-parsed:KEY` among the kinds.
  const kinds = ownValue(expectation, 'kinds');
  const parsedKeys = (isJsonArray(kinds) ? kinds : []).flatMap((kind) =>
    typeof kind === 'string' ? (/^compare-parsed:(.*)$/s.exec(kind)?.[1] ?? []) : [],
  );
  return { outcome, value, meta: objectAt(expectation, 'meta'), parsedKeys: new Set(parsedKeys) };
}

/**
 * `status` and `repairs`, as `toolmend gateway --log` writes them: repairs are names of rules, or
 * objects with a `rule`.
 */
function readResult(record: JsonObject): RecordedResult | undefined {
  // The gateway left secrets out: what is left may mean something else.
  if (ownValue(record, 'redacted') === true) return undefined;
  const statusWord = textAt(record, 'status') ?? textAt(record, 'outcome');
  const status = outcomes.find((name) => name === statusWord);
  if (status === undefined) return undefined;
  const repairs = ownValue(record, 'repairs') ?? ownValue(record, 'rules');
  const rules = isJsonArray(repairs)
    ? repairs.flatMap((repair) => (isJsonObject(repair) ? ownValue(repair, 'rule') : repair) ?? [])
    : undefined;
  if (rules === undefined) return { status, rules };
  const names = [...new Set(rules.map(String))];
  // The arguments were written by another schema than that of the record.
  if (names.includes('provider_schema')) return undefined;
  const ofArguments = names.filter((rule) => !rulesBeside.has(rule));
  const isAsSent = status === 'repaired' && names.length > 0 && ofArguments.length === 0;
  return { status: isAsSent ? 'unchanged' : status, rules: ofArguments };
}

/**
 * Rules of repairs beside the arguments: of the tool's name, of text where the API has a value, and
 * of calls that share an index or an id.
 */
const rulesBeside: ReadonlySet<string> = new Set([
  'tool_name',
  'arguments_shape',
  'separate_calls',
]);

/** The key of the JSON Schema in the APIs of OpenAI, Anthropic and MCP. */
const schemaKeys = ['schema', 'inputSchema', 'input_schema', 'parameters'];

/** The tool of a record: beside the arguments, or under `tool`. undefined if it has none. */
export function readTool(record: JsonObject): RecordedTool | undefined {
  const toolDescription = objectAt(record, 'tool');
  const tool = toolDescription && toolOf(toolDescription);
  if (tool !== undefined) return tool;
  const toolBeside = toolOf(record);
  const name = textAt(record, 'tool');
  return toolBeside === undefined || name === undefined ? toolBeside : { ...toolBeside, name };
}

function toolOf(node: JsonObject): RecordedTool | undefined {
  const toolDescription = objectAt(node, 'function') ?? node;
  const schema = schemaKeys
    .map((key) => ownValue(toolDescription, key))
    .find((value) => isSchema(value));
  return (
    schema && {
      name: textAt(toolDescription, 'name'),
      description: textAt(toolDescription, 'description'),
      schema,
      effects: effectsOf(node),
    }
  );
}

// Compiling it shows whether it is a schema.
const isSchema = (value: JsonValue | undefined): value is JsonObject & SchemaObject =>
  isJsonObject(value);

const toolWithoutParameters = (name: string): RecordedTool => ({
  name,
  description: undefined,
  schema: { type: 'object', properties: {} },
  effects: undefined,
});

/** The tools that a request offered, by name. A function without parameters takes none. */
function offeredTools(record: JsonObject): ReadonlyMap<string, RecordedTool> {
  const toolLists = [record, objectAt(record, 'request'), objectAt(record, 'body')]
    .map((node) => node && ownValue(node, 'tools'))
    .find((tools) => isJsonArray(tools));
  const tools = (toolLists ?? [])
    .filter((tool) => isJsonObject(tool))
    .flatMap((node) => {
      const name = textAt(objectAt(node, 'function') ?? node, 'name');
      return name === undefined
        ? []
        : [[name, toolOf(node) ?? toolWithoutParameters(name)] as const];
    });
  return new Map(tools);
}

/**
 * The calls in a request or answer of one of the APIs: those of the answer; of a conversation
 * without an answer, all of them.
 */
function readChat(record: JsonObject, numbers: NumberLiterals): RecordedLine {
  const tools = offeredTools(record);
  const isAnswered = answerKeys.some((key) => Object.hasOwn(record, key));
  const sentCalls = (isAnswered ? answerKeys : conversationKeys).flatMap((key) =>
    callsUnder(record, key, finishReasonOf(record), 0),
  );
  const calls = sentCalls.flatMap(
    ({ name, id, argumentValue, finishReason }): readonly RecordedCall[] => {
      const tool = findTool(tools, name);
      if (tool.kind === 'unknown') return [];
      return [
        {
          id,
          tool: tool.tool,
          isRenamed: tool.kind === 'resolved',
          sentArguments: exactValue(argumentValue, numbers),
          meta: false,
          finishReason,
          expectation: undefined,
          recordedResult: undefined,
        },
      ];
    },
  );
  return { kind: 'calls', calls, unknownTools: sentCalls.length - calls.length };
}

interface ChatCall extends Pick<RecordedCall, 'id' | 'finishReason'> {
  readonly name: string;
  readonly argumentValue: JsonValue;
}

const keysOf = (path: JsonPath): readonly string[] =>
  path.flatMap((key) => (typeof key === 'string' && key !== each ? [key] : []));

const answerPaths = recordedApis.flatMap(({ answer: { choices, calls } }) =>
  calls.map(({ at }) => keysOf([...choices, ...at])),
);
const historyPaths = recordedApis.flatMap(({ history }) => history.map(({ at }) => keysOf(at)));
const headsOf = (paths: readonly (readonly string[])[]): readonly string[] => [
  ...new Set(paths.flatMap(([head]) => head ?? [])),
];

/** A record may have the answer, or the request, under a key of its own, or just a message. */
const answerKeys = ['response', 'tool_calls', ...headsOf(answerPaths)];
const conversationKeys = ['request', 'body', ...headsOf(historyPaths)];

/** The keys that lead to calls, also in records that have only the inner ones. */
const containers = new Set(['body', ...answerPaths.flat(), ...historyPaths.flat()]);
const deepestMessage = 8;

function callsUnder(
  parent: JsonObject,
  key: string,
  reason: string | undefined,
  depth: number,
): readonly ChatCall[] {
  const value = ownValue(parent, key);
  // The input of a request is a list, that of a call is an object with its arguments.
  return key === 'input' && !isJsonArray(value) ? [] : callsIn(value, reason, depth);
}

function callsIn(
  node: JsonValue | undefined,
  reason: string | undefined,
  depth: number,
): readonly ChatCall[] {
  if (depth > deepestMessage) return [];
  if (isJsonArray(node)) return node.flatMap((item) => callsIn(item, reason, depth + 1));
  if (!isJsonObject(node)) return [];
  const finishReason = finishReasonOf(node) ?? reason;
  const call = callOf(node);
  if (call !== undefined) return [{ ...call, finishReason }];
  return [...containers].flatMap((key) => callsUnder(node, key, finishReason, depth + 1));
}

const forms = new Set(recordedApis.flatMap(({ answer }) => answer.calls.map(({ form }) => form)));

function callOf(node: JsonObject): Omit<ChatCall, 'finishReason'> | undefined {
  for (const form of forms) {
    if (!form.isCall(node)) continue;
    const { id = ownValue(node, 'id'), name, arguments: argumentValue } = partsOfCall(form, node);
    if (typeof name === 'string' && argumentValue !== undefined)
      return { id: typeof id === 'string' ? id : undefined, name, argumentValue };
  }
  return undefined;
}

const finishReasonKeys = new Set(recordedApis.flatMap(({ answer }) => keysOf(answer.finishReason)));

const finishReasonOf = (node: JsonObject): string | undefined =>
  [...finishReasonKeys].map((key) => textAt(node, key)).find((reason) => reason !== undefined);
