// What is special about LangChain. What it has in common with the AI SDK is in sdk-loops.test.ts.
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import {
  CallMemory,
  type ToolContract,
  ToolFailure,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import { type LangChainOptions, toLangChain, ToolCallError } from 'toolmend/langchain';
import { closedTool, thrower, toolOf } from '../../tools.ts';
import { fileTools } from '../contract/sample-tools.ts';
import { abortedWork, chart } from '../sample-results.ts';
import { chatModel, quietly, whole } from '../scripted-models.ts';
import { startScriptedServer, type Turn } from '../scripted-server.ts';
import { truncated } from '../wires.ts';

/** What the model says, read by LangChain. */
async function said(
  how: 'invoke' | 'stream',
  turn: Turn,
  outputVersion?: 'v1',
): Promise<AIMessage> {
  const { baseURL } = await startScriptedServer(turn);
  const chat = chatModel(baseURL, outputVersion === undefined ? {} : { outputVersion });
  return quietly(async () =>
    how === 'invoke' ? chat.invoke('Go.') : whole(await chat.stream('Go.')),
  );
}

describe('repairToolCalls', () => {
  const { repairToolCalls } = toLangChain(fileTools());

  /** The outcomes of the calls of a message. */
  async function outcomesOf(message: AIMessage): Promise<readonly ToolOutcome[]> {
    const outcomes: ToolOutcome[] = [];
    const repairing = toLangChain(fileTools(), { onOutcome: (outcome) => outcomes.push(outcome) });
    for (const call of repairing.repairToolCalls(message).tool_calls ?? [])
      await repairing.tools[0]?.invoke(call);
    return outcomes;
  }

  test('returns a message without calls as it is', () => {
    const message = new AIMessage('Hello.');
    expect(repairToolCalls(message)).toBe(message);
  });

  test('gives an id to a call without one, and an object to arguments that are null', () => {
    const message = new AIMessage({
      content: '',
      id: 'run-1',
      tool_calls: [{ name: 'read_files', args: { paths: 'a' } }],
      invalid_tool_calls: [{ id: 'call_2', name: 'read_files', args: 'null', error: 'no object' }],
    });
    const usage_metadata = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    const repaired = repairToolCalls(Object.assign(message, { usage_metadata }));
    expect(repaired).toMatchObject({
      id: 'run-1',
      tool_calls: [
        { id: expect.stringMatching(/^[a-z\d]{9}$/), name: 'read_files', args: { paths: ['a'] } },
        { id: 'call_2', args: { unreadable_arguments: 'null' } },
      ],
      invalid_tool_calls: [],
      usage_metadata: { total_tokens: 3 },
    });
  });

  test.each(['invoke', 'stream'] as const)(
    'keeps calls in order, unreadable ones too: %s',
    async (how) => {
      const duplicate = '{"paths": ["a"], "paths": ["b"]}';
      const texts = ["{'paths': ['a']}", '{"paths": ["b"]}', duplicate, "{'paths': ['c']"];
      const calls = texts.map((text, at) => ({
        id: `call_${at}`,
        name: 'read_files',
        arguments: text,
      }));
      expect(await outcomesOf(await said(how, { calls, finishReason: 'length' }))).toMatchObject([
        { status: 'completed', result: { paths: ['a'] } },
        { status: 'completed', result: { paths: ['b'] } },
        // Two values for one key: LangChain took the last.
        { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'duplicate_key' }] } },
        truncated,
      ]);
    },
  );

  test.each(['invoke', 'stream'] as const)('repairs calls in the content too: %s', async (how) => {
    const turn = {
      text: 'I look.',
      calls: [
        { id: 'call_1', name: 'ReadFiles', arguments: '{"paths": "a"}' },
        { id: 'call_2', name: 'read_files', arguments: "{'paths': ['b'],}" },
      ],
    };
    const message = await said(how, turn, 'v1');
    const sent = JSON.stringify(message.content);
    const repaired = repairToolCalls(message);
    const calls = [
      { type: 'tool_call', id: 'call_1', name: 'read_files', args: { paths: ['a'] } },
      { type: 'tool_call', id: 'call_2', name: 'read_files', args: { paths: ['b'] } },
    ];
    expect(repaired.tool_calls).toEqual(calls);
    expect(repaired.contentBlocks).toEqual([{ type: 'text', text: 'I look.' }, ...calls]);
    expect(JSON.stringify(message.content)).toBe(sent);
  });

  test('repairs calls in blocks of Anthropic', () => {
    const use = (name: string, input: object) => ({ type: 'tool_use', id: 'call_1', name, input });
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const search = {
      type: 'server_tool_use',
      id: 'srv_1',
      name: 'web_search',
      input: { query: 'a' },
    };
    const message = new AIMessage({
      content: [thinking, search, use('ReadFiles', { paths: 'a' })],
      tool_calls: [{ id: 'call_1', name: 'ReadFiles', args: { paths: 'a' } }],
    });
    expect(repairToolCalls(message).content).toEqual([
      thinking,
      search,
      use('read_files', { paths: ['a'] }),
    ]);
  });

  test('knows a call without an id in the content', () => {
    const call = { type: 'tool_call', name: 'ReadFiles', args: { paths: 'a' } };
    const content = [{ type: 'text', text: 'I look.' }, call];
    const message = new AIMessage({ content, response_metadata: { output_version: 'v1' } });
    const repaired = repairToolCalls(message);
    expect(repaired.tool_calls).toMatchObject([{ name: 'read_files', args: { paths: ['a'] } }]);
    expect(repaired.content).toEqual([content[0], ...(repaired.tool_calls ?? [])]);
  });

  test('keeps the name of an unknown tool', () => {
    const call = { id: 'call_1', name: 'write_files', args: { path: 'a' } };
    const { tool_calls } = repairToolCalls(new AIMessage({ content: '', tool_calls: [call] }));
    expect(tool_calls).toMatchObject([call]);
  });

  test.each([
    { finish_reason: 'length' },
    { stop_reason: 'refusal' },
    { finishReason: 'MAX_TOKENS' },
    { stopReason: 'max_tokens' },
    { done_reason: 'length' },
  ])('takes the last call as cut off in an answer that ended with %j', async (ended) => {
    const message = new AIMessage({
      content: '',
      response_metadata: ended,
      tool_calls: [
        { id: 'call_1', name: 'read_files', args: { paths: ['a'] } },
        { id: 'call_2', name: 'read_files', args: { paths: ['half'] } },
      ],
    });
    const completed = { status: 'completed', result: { paths: ['a'] } };
    expect(await outcomesOf(message)).toMatchObject([completed, truncated]);
  });
});

describe('a tool', () => {
  const toolFor = (tool: ToolContract, options?: LangChainOptions) =>
    toLangChain(new ToolRegistry().register(tool), options).tools[0];
  const drawing = toolFor(chart);
  const call = { type: 'tool_call', id: 'call_1' } as const;
  const calling = (args: object, name = 'chart') => ({ ...call, name, args: { ...args } });

  test('gives images as blocks, and its artifact to the application only', async () => {
    const message: unknown = await drawing?.invoke(calling({}));
    expect(message).toMatchObject({
      status: 'success',
      content: [
        { type: 'text', text: 'A chart.' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      ],
      artifact: 'secret',
    });
    expect(drawing?.returnDirect).toBe(true);
  });

  test('fails with a message, or with an exception if the program invokes it', async () => {
    const failed = { status: 'error', content: 'There is no paper.' };
    expect(await drawing?.invoke(calling({ broken: 'true' }))).toMatchObject(failed);
    await expect(drawing?.invoke({ broken: true })).rejects.toBeInstanceOf(ToolCallError);
    const content: unknown = await drawing?.invoke({});
    expect(content).toHaveLength(2);
  });

  test('reports its progress to callbacks', async () => {
    const copy = toolOf(async function* () {
      yield { percent: 50 };
      return 'copied';
    });
    const events: unknown[] = [];
    const ended: unknown[] = [];
    const handleToolEvent = (event: unknown): void => void events.push(event);
    const handleToolEnd = (output: unknown): void => void ended.push(output);
    const callbacks = [{ handleToolEvent, handleToolEnd }];
    await toolFor(copy)?.invoke(calling({}, 'work'), { callbacks });
    expect(events).toEqual([{ percent: 50 }]);
    expect(ended).toMatchObject([{ content: 'copied' }]);
  });

  test('is cancelled by the configuration’s signal', async () => {
    const abort = new AbortController();
    const { signal } = abort;
    const message: unknown = await toolFor(abortedWork(abort))?.invoke(calling({}, 'work'), {
      signal,
    });
    expect(message).toMatchObject({
      status: 'error',
      content: expect.stringContaining('cancelled'),
    });
  });

  test('gets options from the configuration of each call', async () => {
    const whoAmI = closedTool('who_am_i', (_values, { values }) => values['tenant']);
    const memories = new Map<string, CallMemory>();
    const outcomes: ToolOutcome[] = [];
    const [tool] = toLangChain(new ToolRegistry().register(whoAmI), {
      context: { tenant: 'nobody' },
      forCall: ({ configurable }) => {
        const thread = String(configurable?.['thread_id']);
        const memory = memories.get(thread) ?? new CallMemory();
        memories.set(thread, memory);
        return { context: { tenant: thread }, memory };
      },
      onOutcome: (outcome) => outcomes.push(outcome),
    }).tools;
    const config = { configurable: { thread_id: 'acme' } };
    for (const args of [{}, { me: 1 }, { me: 1 }])
      await tool?.invoke(calling(args, 'who_am_i'), config);

    expect(outcomes).toMatchObject([
      { status: 'completed', result: 'acme' },
      { status: 'invalid_arguments', failures: 1 },
      { status: 'invalid_arguments', failures: 2 },
    ]);
  });

  test('hides what the program’s function throws, but not a ToolFailure', async () => {
    const error = new Error('no tenant at postgres://admin:hunter2@db');
    const invoke = (thrown: unknown): unknown =>
      toolFor(chart, { forCall: thrower(thrown) })?.invoke(calling({}));
    await expect(invoke(error)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The call was not executed\.\nAn internal error occurred \(error \w{8}\)\.$/,
      ),
      cause: error,
    });
    await expect(invoke(new ToolFailure('Sign in first.'))).rejects.toThrow('Sign in first.');
  });

  test('has the approval as its artifact if the call requires one', async () => {
    const wipe = toolOf(() => 'wiped', { effects: 'destructive' });
    const registry = new ToolRegistry({ approval: {} }).register(wipe);
    const [tool] = toLangChain(registry).tools;
    const message: unknown = await tool?.invoke(calling({}, 'work'));
    expect(message).toMatchObject({ status: 'error', artifact: { format: 'toolmend.approval' } });
    if (!ToolMessage.isInstance(message)) return;
    const approved = await registry.resolveApproval(message.artifact, { decision: 'approve' });
    expect(approved).toMatchObject({ result: 'wiped' });
  });
});
