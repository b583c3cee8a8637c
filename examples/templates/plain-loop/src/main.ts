import OpenAI from 'openai';
import { toolMessage } from 'toolmend';
import { tools } from './tools.js';

const client = new OpenAI({
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'http://127.0.0.1:11434/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? 'none',
});
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: process.argv[2] ?? 'How warm is it in Graz?' },
];

for (let turn = 0; turn < 5; turn += 1) {
  const { choices } = await client.chat.completions.create({
    model: 'qwen3',
    messages,
    tools: [...tools.schemas('openai')],
  });
  const [choice] = choices;
  if (choice === undefined) break;
  const { message, finish_reason: finishReason } = choice;
  messages.push(message);
  if (message.tool_calls === undefined) {
    console.log(message.content);
    break;
  }
  for (const call of message.tool_calls) {
    if (call.type !== 'function') continue;
    const outcome = await tools.call({ id: call.id, ...call.function, finishReason });
    console.error(outcome.status, call.function.name, call.function.arguments);
    messages.push({ role: 'tool', tool_call_id: call.id, content: toolMessage(outcome).text });
  }
}
