// Which calls does a line of a file hold? Its own, or those in a chat log, with the tools that were offered.
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import { readExpectation } from './read-expectation.ts';
import { readTool } from './read-tool.ts';
import { readChat } from './read-chat.ts';
import type { RecordedCall, RecordedLine, RecordedTool, SentArguments } from './recorded-call.ts';
import { sentValue } from './sent-value.ts';

/** Containers in containers: a call with its schema around. */
const deepest = 256;

/** Reads one line of JSON. What stands in it is never part of what is said about it. */
export function readRecord(line: string): RecordedLine {
  const reading = parseJson(line, deepest, 'exact');
  if (reading.kind === 'unreadable') {
    return bad(`is no JSON (${reading.reason.replace('_', ' ')} at character ${reading.at + 1})`);
  }
  return isJsonObject(reading.value) ? readObject(reading.value, reading.numbers) : bad('is no JSON object');
}

function readObject(record: JsonObject, numbers: NumberTexts): RecordedLine {
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
function sentArguments(record: JsonObject, numbers: NumberTexts): SentArguments | undefined {
  const text = ownValue(record, 'inputText');
  if (typeof text === 'string') return { kind: 'text', text };
  const input = ownValue(record, 'input');
  if (input !== undefined) return sentValue(input, numbers);
  const given = ownValue(record, 'arguments');
  if (given === undefined) return undefined;
  return typeof given === 'string' ? { kind: 'text', text: given } : sentValue(given, numbers);
}

const bad = (why: string): RecordedLine => ({ kind: 'bad', why });
