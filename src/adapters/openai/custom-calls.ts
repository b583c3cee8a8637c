// OpenAI's custom tools, whose calls are text without JSON:
// https://platform.openai.com/docs/guides/function-calling#custom-tools
import type { ChatCompletionCustomTool } from 'openai/resources/chat/completions';
import type {
  CustomTool,
  ResponseCustomToolCall,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import type { HistoryCall } from '../../interpret/records.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { defined, ownValue } from '../../collections/objects.ts';
import { parsedObject, plainJson } from '../../json/parse.ts';
import { type JsonObject, isJsonObject } from '../../json/value.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { textEndOf } from '../../text/decode-arguments.ts';
import type { RuleId } from '../../tool/rule-choice.ts';
import type { TextInput } from '../../tool/tool-contract.ts';
import { textIn } from '../tool-turn.ts';

export const isCustomCall = (item: ResponseOutputItem): item is ResponseCustomToolCall =>
  item.type === 'custom_tool_call';

/** The text of a tool that `textTool` made; undefined for any other name. */
export const textOf = (tools: ToolSet, name: string): TextInput | undefined =>
  tools.contracts().find((contract) => contract.name === name)?.text;

export const customTool = (
  { name, description }: { readonly name: string; readonly description: string },
  { grammar }: TextInput,
): CustomTool => ({
  type: 'custom',
  name,
  description,
  format: grammar === undefined ? { type: 'text' } : { type: 'grammar', ...grammar },
});

/** The same for Chat Completions. */
export const customChatTool = (
  { name, description = '' }: { readonly name: string; readonly description?: string },
  { grammar }: TextInput,
): ChatCompletionCustomTool => ({
  type: 'custom',
  custom: {
    name,
    description,
    format: grammar === undefined ? { type: 'text' } : { type: 'grammar', grammar: { ...grammar } },
  },
});

/** Why a custom tool that the registry doesn't have was not executed. */
export const foreignCustomTool = 'Only function tools can be called here.';

/** Repairs by which a text is the JSON of the call instead of the argument alone. */
const envelopeRules: ReadonlySet<string> = new Set<RuleId>(['unwrap_envelope', 'rename_key']);

/**
 * The call with the arguments of a function. A model that writes the JSON of a function call has
 * wrapped the text in it, as in any envelope. Other JSON is the text itself.
 */
export function callOfText(tools: ToolSet, call: ToolCall, { argument }: TextInput): ToolCall {
  const text = textIn(call.arguments);
  // A text has no end of its own, so a cut one is handed on as JSON without its end.
  if (mayBeCut(call.finishReason))
    return { ...call, arguments: JSON.stringify({ [argument]: text }).slice(0, -2) };
  return { ...call, arguments: isEnvelope(tools, call, text) ? text : { [argument]: text } };
}

/** A server that gives no reason has sent the whole answer. */
const mayBeCut = (finishReason: string | undefined): boolean =>
  finishReason !== undefined && textEndOf(finishReason) !== 'normal';

function isEnvelope(tools: ToolSet, call: ToolCall, text: string): boolean {
  if (!isJsonObject(plainJson(text))) return false;
  const interpretedCall = tools.interpret({ ...call, arguments: text }, { counted: false });
  return (
    interpretedCall.status === 'accepted' &&
    interpretedCall.interpretation.repairs.every(({ rule }) => envelopeRules.has(rule))
  );
}

/** The item as in the history: with its text, which the API takes without JSON. */
export function customItem(item: JsonObject, call: HistoryCall, text: TextInput): JsonObject {
  const { id, name } = call;
  return { ...item, call_id: id, name, ...defined({ input: inputOf(call, text) }) };
}

/** The text of a call; undefined if its arguments have none. */
export function inputOf(
  { arguments: text }: HistoryCall,
  { argument }: TextInput,
): string | undefined {
  const input = ownValue(parsedObject(text), argument);
  return typeof input === 'string' ? input : undefined;
}
