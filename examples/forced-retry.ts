// A call whose arguments can mean anything is refused, and the next request names its tool.
import OpenAI from 'openai';
import { ToolRegistry } from 'toolmend';
import { chatCompletions } from 'toolmend/openai';
import { ReadFiles } from './read-files.ts';
import { startScriptedServer } from './scripted-server.ts';

const server = await startScriptedServer(
  { call: 'read_files', arguments: '{"limit": "many"}' },
  { call: 'read_files', arguments: '{"paths": ["package.json"], "limit": 2}' },
  { text: 'It is called toolmend.' },
);
const client = new OpenAI({ apiKey: 'none', baseURL: server.baseURL });

const chat = chatCompletions(new ToolRegistry().register(ReadFiles), { provider: 'grammar' });
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'What is this package called?' },
];

let toolChoice: OpenAI.ChatCompletionToolChoiceOption = 'auto';
for (;;) {
  const completion = await client.chat.completions.create({
    model: 'scripted',
    messages,
    tools: chat.tools,
    tool_choice: toolChoice,
  });
  const turn = await chat.answer(completion);
  messages.push(...turn.messages);
  if (turn.outcomes.length === 0) break;
  toolChoice = turn.toolChoice ?? 'auto';
  for (const { call, status } of turn.outcomes) console.log(status, call.name);
  console.log('The next tool choice is', JSON.stringify(toolChoice));
}
server.close();
