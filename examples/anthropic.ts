// Uses tools with the Anthropic SDK; the model's calls are almost right.
import Anthropic from '@anthropic-ai/sdk';
import { CallMemory, ToolRegistry } from 'toolmend';
import { anthropicMessages } from 'toolmend/anthropic';
import { ReadFiles } from './read-files.ts';
import { startScriptedClaude } from './scripted-claude.ts';

const server = await startScriptedClaude(
  { call: 'read_files', input: { file: 'package.json', limit: '2' } },
  { text: 'It is called toolmend.' },
);
const client = new Anthropic({ apiKey: 'none', baseURL: server.baseURL });

const claude = anthropicMessages(new ToolRegistry().register(ReadFiles));
const memory = new CallMemory();
const messages: Anthropic.MessageParam[] = [
  { role: 'user', content: 'What is this package called?' },
];

for (;;) {
  const message = await client.messages.create({
    model: 'scripted',
    max_tokens: 1024,
    messages,
    tools: claude.tools,
  });
  const turn = await claude.answer(message, { memory });
  messages.push(...turn.messages);
  if (turn.outcomes.length === 0) break;
  for (const { call, status } of turn.outcomes) console.log(status, call.name);
}
for (const { role, content } of messages) console.log(role, JSON.stringify(content).slice(0, 120));
server.close();
