// The AI SDK, with an OpenAI-compatible server on loopback: what goes into its second request.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import type { ToolOutcome } from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';
import { startScriptedServer } from '../../scripted-server.ts';
import type { AdapterDriver, ModelReading } from '../adapter-driver.ts';
import { sampleTools } from '../sample-tools.ts';

export const aiSdk: AdapterDriver = {
  name: 'AI SDK',
  decidedBySdk: {
    // It runs nothing of an answer that was cut off, and asks the model no more.
    'cut off': '',
    'an unknown tool':
      'AI_ToolCallRepairError: Error repairing tool call: write_file was not executed.\nThere is no tool of this name.',
  },
  async run({ id, tool, text, isCut }) {
    const server = await startScriptedServer(
      {
        calls: [{ id, name: tool, arguments: text }],
        ...(isCut === true ? { finishReason: 'length' } : {}),
      },
      { text: 'done' },
    );
    const outcomes: ToolOutcome[] = [];
    const settings = toAiSdk(sampleTools(), { onOutcome: (outcome) => outcomes.push(outcome) });
    const model = createOpenAICompatible({ name: 'scripted', baseURL: server.baseURL })('scripted');
    await generateText({ model, prompt: 'Go.', stopWhen: isStepCount(2), ...settings });
    const said: unknown = server.requests[1]?.messages.at(-1).content;
    const [outcome] = outcomes;
    const by = outcome === undefined || outcome.status === 'unknown_tool' ? 'sdk' : 'toolmend';
    return { ...readingOf(typeof said === 'string' ? said : ''), isError: undefined, by };
  },
};

/** This provider's messages are text: parts stand in it as JSON. */
function readingOf(content: string): Pick<ModelReading, 'text' | 'notes'> {
  const [text, ...notes] = content.startsWith('[{"type":"text"')
    ? JSON.parse(content).map((part: { readonly text: string }) => part.text)
    : [content];
  return { text, notes };
}
