// Interprets the arguments of a tool that has only a JSON Schema.
import { interpretArguments } from 'toolmend';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'array', items: { type: 'integer' } },
  },
  required: ['city'],
  additionalProperties: false,
} as const;

const text = '{"city": "Graz", "days": "[1, 2]"}';
const result = interpretArguments(
  schema,
  { text },
  { tool: 'get_weather', finishReason: 'tool_calls' },
);

if (result.status === 'rejected') {
  console.log(result.message); // what the model should read
} else {
  console.log(result.status, result.value); // what the tool should get
  for (const { rule, path, was } of result.repairs) console.log(rule, path, 'was', was);
}
