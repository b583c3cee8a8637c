// Repairs calls in your own agent loop, with the JSON Schema that the model was given.
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

const toolCall = {
  name: 'todowrite',
  arguments: String.raw`{"todos":"[{\"content\":\"Test todo\",\"priority\":\"low\",\"status\":\"completed\"}]"}`,
};
console.log('before', toolCall.arguments);

const choice = { finish_reason: 'tool_calls' };

function answerToModel(message: string): void {
  console.log(message);
}
function runTool(args: object): void {
  console.log('after ', JSON.stringify(args));
}

// #region loop
import { interpretArguments } from 'toolmend';

const result = interpretArguments(
  inputSchema,
  { text: toolCall.arguments }, // { value } if your SDK has parsed the arguments
  { tool: toolCall.name, finishReason: choice.finish_reason }, // with it, a missing closing brace is repaired
);

if (result.status === 'rejected') {
  answerToModel(result.message); // says how to get it right
} else {
  runTool(result.value);
}
// #endregion

if (result.status === 'repaired') {
  for (const { rule, path } of result.repairs) console.log('repair', rule, path);
}
