// Uses tools with the OpenAI SDK; the model's calls are almost right.
import OpenAI from 'openai';
import { CallMemory, ToolRegistry } from 'toolmend';
import { chatCompletions } from 'toolmend/openai';
import { ReadFiles } from './read-files.ts';
import { startScriptedServer } from './scripted-server.ts';

const server = await startScriptedServer(
  { call: 'ReadFiles', arguments: "{'file': ['package.json'], limit: 2" },
  { call: 'read_files', arguments: '{"paths": ["package.json"], "limit": "2"}' },
  { text: 'It is called toolmend.' },
);
const client = new OpenAI({ apiKey: 'none', baseURL: server.baseURL });

const chat = chatCompletions(new ToolRegistry().register(ReadFiles));
const memory = new CallMemory();
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'What is this package called?' },
];

for (;;) {
  const completion = await client.chat.completions.create({
    model: 'scripted',
    messages,
    tools: chat.tools,
  });
  const turn = await chat.answer(completion, { memory });
  messages.push(...turn.messages);
  if (turn.outcomes.length === 0) break;
  for (const { call, status } of turn.outcomes) console.log(status, call.name);
}
console.log(messages.at(-1)?.content);
server.close();
