// LangChain, with its ChatOpenAI and a server on loopback: the tool message that a loop puts behind the call.
import { ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { toLangChain } from 'toolmend/langchain';
import { startScriptedServer } from '../../scripted-server.ts';
import type { AdapterDriver } from '../adapter-driver.ts';
import { sampleTools } from '../sample-tools.ts';

export const langChain: AdapterDriver = {
  name: 'LangChain',
  // Whoever runs the calls looks for the tool: a loop, or LangGraph's tool node.
  decidedBySdk: { 'an unknown tool': '' },
  async run({ id, tool: name, text, isCut }) {
    const server = await startScriptedServer({
      calls: [{ id, name, arguments: text }],
      ...(isCut === true ? { finishReason: 'length' } : {}),
    });
    const { tools, repairToolCalls } = toLangChain(sampleTools());
    const configuration = { baseURL: server.baseURL };
    const model = new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration, maxRetries: 0 });
    const { tool_calls: [call] = [] } = await quietly(() =>
      model.bindTools(tools).pipe(repairToolCalls).invoke('Go.'),
    );
    const tool = tools.find((one) => one.name === call?.name);
    const message: unknown = call === undefined ? undefined : await tool?.invoke(call);
    if (!ToolMessage.isInstance(message)) return { text: '', notes: [], isError: undefined, by: 'sdk' };
    const [said = '', ...notes] =
      typeof message.content === 'string' ? [message.content] : message.content.map(textOf);
    return { text: said, notes, isError: message.status === 'error', by: 'toolmend' };
  },
};

const textOf = (block: object): string =>
  'text' in block && typeof block.text === 'string' ? block.text : '';

/** Of calls that it can't read LangChain says that its packages are old. */
async function quietly<Value>(work: () => Promise<Value>): Promise<Value> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}
