// Uses a registry's tools in LangChain: one call is repaired, one is rejected.
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { ToolRegistry } from 'toolmend';
import { toLangChain } from 'toolmend/langchain';
import { ReadFiles } from './read-files.ts';
import { startScriptedServer } from './scripted-server.ts';

const registry = new ToolRegistry().register(ReadFiles);
const { tools, repairToolCalls } = toLangChain(registry, {
  onOutcome: ({ status, call }) => console.log(status, call.name, call.arguments),
});

const server = await startScriptedServer(
  { call: 'read_files', arguments: '{"paths": "package.json, README.md"}' },
  { call: 'ReadFiles', arguments: '{"file": "[\\"package.json\\"]", "limit": "2"}' },
  { text: 'It is a package.' },
);
const model = new ChatOpenAI({
  model: 'scripted',
  apiKey: 'none',
  configuration: { baseURL: server.baseURL },
})
  .bindTools(tools)
  .pipe(repairToolCalls);

const messages: BaseMessage[] = [new HumanMessage('What is in package.json?')];
for (;;) {
  const message = await model.invoke(messages);
  messages.push(message);
  if (!message.tool_calls?.length) break;
  for (const call of message.tool_calls) {
    const tool = tools.find(({ name }) => name === call.name);
    const answer: unknown = await tool?.invoke(call);
    if (ToolMessage.isInstance(answer)) messages.push(answer);
  }
}
for (const message of messages.filter((one) => ToolMessage.isInstance(one))) {
  console.log(message.status, JSON.stringify(message.content).slice(0, 60));
}
console.log(messages.at(-1)?.content);
server.close();
