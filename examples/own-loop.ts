// Repairs calls of OpenAI's SDK in your own agent loop, with the JSON Schema that the model was given.
import type OpenAI from 'openai';

const inputSchema = {
  type: 'object',
  properties: {
    todos: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          content: { type: 'string' },
          status: { type: 'string' },
          priority: { type: 'string' },
        },
        required: ['content', 'status', 'priority'],
      },
    },
  },
  required: ['todos'],
} as const;

const recordedText = String.raw`{"todos":"[{\"content\":\"Test todo\",\"priority\":\"low\",\"status\":\"completed\"}]"}`;
console.log('before', recordedText);

const choice: OpenAI.ChatCompletion.Choice = {
  index: 0,
  finish_reason: 'tool_calls',
  logprobs: null,
  message: {
    role: 'assistant',
    content: null,
    refusal: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'todowrite', arguments: recordedText } },
    ],
  },
};
const messages: OpenAI.ChatCompletionMessageParam[] = [choice.message];

function runTool(args: { todos: { content: string }[] }): string {
  console.log('after ', JSON.stringify(args));
  return `${args.todos.length} written`;
}

// #region loop
import { interpretArguments } from 'toolmend';

for (const call of choice.message.tool_calls ?? []) {
  if (call.type !== 'function') continue; // a custom tool's call has no JSON
  const result = interpretArguments(
    inputSchema,
    { text: call.function.arguments }, // { value } if your SDK has parsed the arguments
    // Without `finishReason`, toolmend never adds a missing closing brace.
    { tool: call.function.name, finishReason: choice.finish_reason },
  );
  const content = result.status === 'rejected' ? result.message : runTool(result.value);
  messages.push({ role: 'tool', tool_call_id: call.id, content });
  for (const { rule, path } of result.repairs)
    console.log('repair', rule, path || 'the whole call');
}
// #endregion
