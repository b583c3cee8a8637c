// OpenAI's custom tools, whose calls are text without JSON:
// https://platform.openai.com/docs/guides/function-calling#custom-tools
import type { ChatCompletionCustomTool } from 'openai/resources/chat/completions';
import type {
  CustomTool,
  ResponseCustomToolCall,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import type { HistoryCall } from '../../interpret/records.ts';
import { defined, ownValue } from '../../collections/objects.ts';
import { parsedObject } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import type { TextInput } from '../../tool/tool-contract.ts';

export const isCustomCall = (item: ResponseOutputItem): item is ResponseCustomToolCall =>
  item.type === 'custom_tool_call';

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
