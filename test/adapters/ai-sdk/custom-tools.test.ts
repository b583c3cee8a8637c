// Tools of `textTool` as custom tools of OpenAI's provider. What its model is given and what it
// returns is as @ai-sdk/openai 4.0 has it for the Responses API.
import { generateText, isStepCount } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { textTool, type ToolOutcome, ToolRegistry } from 'toolmend';
import { type AiSdkOptions, toAiSdk } from 'toolmend/ai-sdk';

const grammar = { syntax: 'lark', definition: 'start: /[^]+/' } as const;
const texts: string[] = [];
beforeEach(() => {
  texts.length = 0;
});

const applyPatch = textTool({
  name: 'apply_patch',
  description: 'Apply a patch.',
  argument: 'patch',
  grammar,
  execute(text) {
    texts.push(text);
    return `${text.length} characters`;
  },
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that calls the tool once with this text, and then says that it is done. */
const modelThatSends = (text: string): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const isDone = prompt.some(({ role }) => role === 'tool');
      const input = JSON.stringify(text);
      const toolCall = {
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'apply_patch',
        input,
      } as const;
      return {
        content: [isDone ? { type: 'text', text: 'done' } : toolCall],
        finishReason: isDone
          ? { unified: 'stop', raw: 'completed' }
          : { unified: 'tool-calls', raw: 'completed' },
        usage,
        warnings: [],
      };
    },
  });

async function generated(text: string, options: AiSdkOptions = {}) {
  const outcomes: ToolOutcome[] = [];
  const settings = toAiSdk(new ToolRegistry({ hints: 'off' }).register(applyPatch), {
    customTools: true,
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
  const model = modelThatSends(text);
  await generateText({ model, prompt: 'Go.', stopWhen: isStepCount(3), ...settings });
  const [firstCall, lastCall] = model.doGenerateCalls;
  return { outcomes, tools: firstCall?.tools, prompt: lastCall?.prompt ?? [] };
}

const patch = '*** Begin Patch\n{"a": "\\n"}\n';

it('is shown with its grammar, and runs with the text as it was sent', async () => {
  const { outcomes, tools, prompt } = await generated(patch);

  expect(tools).toMatchObject([
    {
      type: 'provider',
      id: 'openai.custom',
      name: 'apply_patch',
      args: { description: 'Apply a patch.', format: { type: 'grammar', ...grammar } },
    },
  ]);
  expect(texts).toEqual([patch]);
  expect(outcomes).toMatchObject([
    { status: 'completed', interpretation: { status: 'unchanged', value: { patch } } },
  ]);
  expect(prompt.slice(1)).toMatchObject([
    { role: 'assistant', content: [{ type: 'tool-call', input: patch }] },
    {
      role: 'tool',
      content: [{ output: { type: 'text', value: `${patch.length} characters` } }],
    },
  ]);
});

it.each(['{"patch":"text"}', '{"arguments":{"Patch":"text"}}'])(
  'unwraps a text that is wrapped in JSON: %s',
  async (json) => {
    const { outcomes } = await generated(json);
    expect(texts).toEqual(['text']);
    expect(outcomes).toMatchObject([{ status: 'completed' }]);
  },
);

it.each(['{"other":"text"}', '["a"]', '"a"', '{}', ''])(
  'is the text itself if it is other JSON: %j',
  async (json) => {
    await generated(json);
    expect(texts).toEqual([json]);
  },
);

it('is a function with one argument by default', async () => {
  const { tools } = await generated('{}', { customTools: false });
  expect(tools).toMatchObject([
    {
      type: 'function',
      name: 'apply_patch',
      inputSchema: { properties: { patch: { type: 'string' } } },
    },
  ]);
});
