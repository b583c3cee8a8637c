// Do the tools of a registry work in LangChain, with its ChatOpenAI against a server on loopback, streamed and not?
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { ChatOpenAI } from '@langchain/openai';
import { IsInt, IsOptional, Min } from 'class-validator';
import {
  ArrayOf,
  CallMemory,
  defineTool,
  FromContext,
  PairedDefault,
  Tool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
  ToolRegistry,
  ToolResult,
} from 'toolmend';
import { type LangChainOptions, toLangChain, ToolCallError } from 'toolmend/langchain';
import { startScriptedServer, type Turn } from '../scripted-server.ts';

@Tool({ description: 'Read text files.', effects: 'read' })
class ReadFiles {
  @ArrayOf(String)
  paths!: string[];

  @IsOptional()
  @IsInt()
  @Min(0)
  offset?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @PairedDefault('offset', 0)
  limit?: number;

  execute(): object {
    return { paths: this.paths, limit: this.limit ?? null };
  }
}

const call = (args: string, name = 'read_files', id = 'call_1'): Turn => ({
  calls: [{ id, name, arguments: args }],
});
const done: Turn = { text: 'done' };
const files = (): ToolRegistry => new ToolRegistry().register(ReadFiles);

// Of calls that it can't read LangChain says that its packages are old.
const { warn } = console;
beforeEach(() => {
  console.warn = () => undefined;
});
afterEach(() => {
  console.warn = warn;
});

/** The loop that people write: the model, its calls, and the model again. */
async function converse(
  how: 'invoke' | 'stream',
  registry: ToolRegistry,
  turns: readonly Turn[],
  { repair = true, ...options }: LangChainOptions & { readonly repair?: boolean } = {},
) {
  const server = await startScriptedServer(...turns);
  const outcomes: ToolOutcome[] = [];
  const { tools, repairToolCalls } = toLangChain(registry, {
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
  const chat = new ChatOpenAI({
    model: 'scripted',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: server.baseURL },
  });
  const model = chat.bindTools(tools);
  const messages: BaseMessage[] = [new HumanMessage('Go.')];
  for (const turn of turns) {
    void turn;
    const said = how === 'invoke' ? await model.invoke(messages) : await streamed(model.stream(messages));
    const message = repair ? repairToolCalls(said) : said;
    messages.push(message);
    if (message.tool_calls === undefined || message.tool_calls.length === 0) break;
    for (const asked of message.tool_calls) {
      const tool = tools.find(({ name }) => name === asked.name);
      const answer: unknown = await tool?.invoke(asked);
      if (ToolMessage.isInstance(answer)) messages.push(answer);
    }
  }
  return { server, outcomes, messages };
}

async function streamed(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await stream) whole = whole === undefined ? chunk : whole.concat(chunk);
  if (whole === undefined) throw new Error('nothing was said');
  return whole;
}

const toolMessagesIn = (messages: readonly BaseMessage[]): ToolMessage[] =>
  messages.filter((message) => ToolMessage.isInstance(message));

for (const how of ['invoke', 'stream'] as const) {
  describe(how, () => {
    test('a valid call runs as it is', async () => {
      const { server, outcomes, messages } = await converse(how, files(), [
        call('{"paths": ["a"], "offset": 1, "limit": 2}'),
        done,
      ]);

      expect(server.requests[0].tools).toMatchObject([
        {
          type: 'function',
          function: {
            name: 'read_files',
            description: expect.stringMatching(/^Read text files\./),
            parameters: { type: 'object', required: ['paths'], additionalProperties: false },
          },
        },
      ]);
      expect(outcomes).toMatchObject([{ status: 'completed', interpretation: { status: 'unchanged' } }]);
      expect(toolMessagesIn(messages)).toMatchObject([
        {
          tool_call_id: 'call_1',
          name: 'read_files',
          status: 'success',
          content: '{"paths":["a"],"limit":2}',
          artifact: { paths: ['a'], limit: 2 },
        },
      ]);
      expect(messages.at(-1)?.content).toBe('done');
    });

    test('a near miss is repaired, also in the history; notes are a block of their own', async () => {
      const { server, outcomes, messages } = await converse(how, files(), [
        call('{"paths": "[\\"a\\"]", "limit": "2"}'),
        done,
      ]);

      expect(
        outcomes.flatMap((outcome) =>
          outcome.status === 'completed' ? outcome.interpretation.repairs.map(({ rule }) => rule) : [],
        ),
      ).toEqual(['json_text_to_array', 'text_to_integer', 'pairs']);
      expect(toolMessagesIn(messages)[0]?.content).toEqual([
        { type: 'text', text: '{"paths":["a"],"limit":2}' },
        { type: 'text', text: 'offset was not sent; 0 was used.' },
      ]);
      const [, assistant] = server.requests[1].messages;
      expect(JSON.parse(assistant.tool_calls[0].function.arguments)).toEqual({
        paths: ['a'],
        limit: 2,
        offset: 0,
      });
    });

    test('without the step behind the model a tool repairs its arguments all the same', async () => {
      const { outcomes, messages } = await converse(
        how,
        files(),
        [call('{"paths": "[\\"a\\"]", "limit": "2"}'), done],
        { repair: false },
      );

      expect(outcomes).toMatchObject([{ status: 'completed', interpretation: { status: 'repaired' } }]);
      expect(toolMessagesIn(messages)[0]?.artifact).toEqual({ paths: ['a'], limit: 2 });
    });

    test('text that is no JSON is mended; a missing end only where the answer ended', async () => {
      const { outcomes } = await converse(how, files(), [
        call("{'paths': ['a'], limit: 2"),
        { ...call('{"paths": ["b"', 'read_files', 'call_2'), finishReason: 'length' },
        done,
      ]);

      expect(outcomes).toMatchObject([
        { status: 'completed', result: { paths: ['a'], limit: 2 } },
        { status: 'invalid_arguments' },
      ]);
    });

    test('several calls stay in their order, those that LangChain can’t read too', async () => {
      const { outcomes } = await converse(how, files(), [
        {
          calls: [
            { id: 'call_1', name: 'read_files', arguments: "{'paths': ['a']}" },
            { id: 'call_2', name: 'read_files', arguments: '{"paths": ["b"]}' },
            { id: 'call_3', name: 'read_files', arguments: "{'paths': ['c']" },
          ],
          finishReason: 'length',
        },
        done,
      ]);

      expect(outcomes.map(({ status, call: { id } }) => [id, status])).toEqual([
        ['call_1', 'completed'],
        ['call_2', 'completed'],
        ['call_3', 'invalid_arguments'],
      ]);
    });

    test('text that was cut off inside is answered, whatever LangChain made of it', async () => {
      const { server, outcomes, messages } = await converse(how, files(), [call('{"paths": ["a'), done]);

      expect(outcomes).toMatchObject([{ status: 'invalid_arguments', call: { arguments: '{"paths": ["a' } }]);
      expect(toolMessagesIn(messages)).toMatchObject([
        { status: 'error', content: expect.stringContaining('read_files was not executed.') },
      ]);
      expect(JSON.parse(server.requests[1].messages[1].tool_calls[0].function.arguments)).toEqual({
        unreadable_arguments: '{"paths": ["a',
      });
    });

    test('what can’t be repaired is an error message that the model reads', async () => {
      const { outcomes, messages } = await converse(how, files(), [call('{"paths": "a, b"}'), done]);

      expect(outcomes).toMatchObject([{ status: 'invalid_arguments' }]);
      expect(toolMessagesIn(messages)).toMatchObject([
        {
          status: 'error',
          content: expect.stringMatching(
            /^read_files was not executed\.\n- paths: expected an array of strings/,
          ),
        },
      ]);
    });

    test('a key that came twice with different values is refused, not taken as the last', async () => {
      const { outcomes } = await converse(how, files(), [call('{"paths": ["a"], "paths": ["b"]}'), done]);

      expect(outcomes).toMatchObject([
        { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'duplicate_key' }] } },
      ]);
    });

    test('a name that is only spelled differently is that tool', async () => {
      const { outcomes, messages } = await converse(how, files(), [
        call('{"paths": ["a"]}', 'ReadFiles'),
        done,
      ]);

      expect(outcomes).toMatchObject([
        { status: 'completed', tool: 'read_files', call: { name: 'ReadFiles' } },
      ]);
      expect(messages.at(-1)?.content).toBe('done');
    });
  });
}

test('several calls of one answer, two of them of one id, each run with their own arguments', async () => {
  const { outcomes } = await converse('invoke', files(), [
    {
      calls: [
        { id: 'call_1', name: 'read_files', arguments: '{"paths": "a"}' },
        { id: 'call_1', name: 'read_files', arguments: '{"paths": "b"}' },
        { id: 'call_2', name: 'read_files', arguments: "{'paths': 'c'}" },
      ],
    },
    done,
  ]);

  expect(outcomes.map((outcome) => (outcome.status === 'completed' ? outcome.result : undefined))).toEqual([
    { paths: ['a'], limit: null },
    { paths: ['b'], limit: null },
    { paths: ['c'], limit: null },
  ]);
});

describe('the step behind the model', () => {
  const { repairToolCalls } = toLangChain(files());

  test('leaves a message without calls as it is', () => {
    const message = new AIMessage('Hello.');

    expect(repairToolCalls(message)).toBe(message);
  });

  test('gives a call an id that came without one, and arguments null an answer', () => {
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
    'where the content says the calls again, it says them as they were meant: %s',
    async (how) => {
      const server = await startScriptedServer(
        {
          text: 'I look.',
          calls: [
            { id: 'call_1', name: 'ReadFiles', arguments: '{"paths": "a"}' },
            { id: 'call_2', name: 'read_files', arguments: "{'paths': ['b'], limit: '2'}" },
          ],
        },
        done,
      );
      const chat = new ChatOpenAI({
        model: 'scripted',
        apiKey: 'none',
        maxRetries: 0,
        outputVersion: 'v1',
        configuration: { baseURL: server.baseURL },
      });
      const asked = [new HumanMessage('Go.')];
      const said = how === 'invoke' ? await chat.invoke(asked) : await streamed(chat.stream(asked));
      const sent = JSON.stringify(said.content);
      const repaired = repairToolCalls(said);

      const calls = [
        { type: 'tool_call', id: 'call_1', name: 'read_files', args: { paths: ['a'] } },
        { type: 'tool_call', id: 'call_2', name: 'read_files', args: { paths: ['b'], limit: 2, offset: 0 } },
      ];
      expect(repaired.tool_calls).toEqual(calls);
      expect(repaired.contentBlocks).toEqual([{ type: 'text', text: 'I look.' }, ...calls]);
      expect(JSON.stringify(said.content)).toBe(sent);
    },
  );

  test('so it is in the blocks of Anthropic’s', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'a' } };
    const message = new AIMessage({
      content: [
        thinking,
        search,
        { type: 'tool_use', id: 'call_1', name: 'ReadFiles', input: { paths: 'a' } },
      ],
      tool_calls: [{ id: 'call_1', name: 'ReadFiles', args: { paths: 'a' } }],
    });

    expect(repairToolCalls(message).content).toEqual([
      thinking,
      search,
      { type: 'tool_use', id: 'call_1', name: 'read_files', input: { paths: ['a'] } },
    ]);
  });

  test('a call without an id is one call, in the content too', () => {
    const content = [
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', name: 'ReadFiles', args: { paths: 'a' } },
    ];
    const message = new AIMessage({ content, response_metadata: { output_version: 'v1' } });
    const repaired = repairToolCalls(message);

    expect(repaired.tool_calls).toMatchObject([{ name: 'read_files', args: { paths: ['a'] } }]);
    expect(repaired.content).toEqual([content[0], ...(repaired.tool_calls ?? [])]);
  });

  test('leaves a name that is no tool’s to whoever looks for it', () => {
    const message = new AIMessage({
      content: '',
      tool_calls: [{ id: 'call_1', name: 'write_files', args: { path: 'a' } }],
    });

    expect(repairToolCalls(message).tool_calls).toMatchObject([{ name: 'write_files', args: { path: 'a' } }]);
  });

  test.each([
    { finish_reason: 'length' },
    { stop_reason: 'refusal' },
    { finishReason: 'MAX_TOKENS' },
    { stopReason: 'max_tokens' },
    { done_reason: 'length' },
  ])('the last call of an answer that ended with %j may be half, those before it are whole', async (said) => {
    const outcomes: ToolOutcome[] = [];
    const cutting = toLangChain(files(), { onOutcome: (outcome) => outcomes.push(outcome) });
    const message = cutting.repairToolCalls(
      new AIMessage({
        content: '',
        response_metadata: said,
        tool_calls: [
          { id: 'call_1', name: 'read_files', args: { paths: ['a'] } },
          { id: 'call_2', name: 'read_files', args: { paths: ['half'] } },
        ],
      }),
    );
    for (const asked of message.tool_calls ?? []) await cutting.tools[0]?.invoke(asked);

    expect(outcomes).toMatchObject([
      { status: 'completed', result: { paths: ['a'] } },
      { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
    ]);
  });

  test('can be piped', async () => {
    const message = new AIMessage({ content: '', tool_calls: [{ id: '1', name: 'ReadFiles', args: {} }] });
    const repaired = await RunnableLambda.from(() => message)
      .pipe(repairToolCalls)
      .invoke('');

    expect(repaired.tool_calls?.[0]?.name).toBe('read_files');
  });
});

describe('a tool', () => {
  const draw = defineTool({
    name: 'draw',
    description: 'Draw.',
    returnDirect: true,
    inputSchema: { type: 'object', properties: { broken: { type: 'boolean' } } },
    execute: (values: { readonly broken?: boolean }) => {
      if (values.broken === true) throw new ToolFailure('There is no paper.');
      return ToolResult.of({ rows: 3 }).text('A chart.').image('aGk=', 'image/png').artifact('for the page');
    },
  });
  const { tools } = toLangChain(new ToolRegistry().register(draw));
  const [drawing] = tools;
  const calling = (args: object) => ({
    type: 'tool_call' as const,
    id: 'call_1',
    name: 'draw',
    args: { ...args },
  });

  test('gives images as blocks, and its artifact to the application alone', async () => {
    const message: unknown = await drawing?.invoke(calling({}));

    expect(message).toMatchObject({
      status: 'success',
      content: [
        { type: 'text', text: 'A chart.' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      ],
      artifact: 'for the page',
    });
    expect(drawing?.returnDirect).toBe(true);
  });

  test('fails with a message, or, where nobody has called, with an exception', async () => {
    expect(await drawing?.invoke(calling({ broken: 'true' }))).toMatchObject({
      status: 'error',
      content: 'There is no paper.',
    });
    await expect(drawing?.invoke({ broken: true })).rejects.toBeInstanceOf(ToolCallError);
    const content: unknown = await drawing?.invoke({});
    expect(content).toHaveLength(2);
  });

  test('tells its outcome to a function that may fail later, too', async () => {
    const unhandled: unknown[] = [];
    const remember = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', remember);
    const onOutcome = async (): Promise<never> => {
      throw new Error('no log');
    };
    const [told] = toLangChain(new ToolRegistry().register(draw), { onOutcome }).tools;
    const message: unknown = await told?.invoke(calling({}));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', remember);

    expect(message).toMatchObject({ status: 'success' });
    expect(unhandled).toEqual([]);
  });

  test('tells its progress to callbacks', async () => {
    const copy = defineTool({
      name: 'copy',
      description: 'Copy.',
      inputSchema: { type: 'object', properties: {} },
      async *execute() {
        yield { percent: 50 };
        return 'copied';
      },
    });
    const events: unknown[] = [];
    const ended: unknown[] = [];
    const [tool] = toLangChain(new ToolRegistry().register(copy)).tools;
    await tool?.invoke(
      { type: 'tool_call', id: 'call_1', name: 'copy', args: {} },
      {
        callbacks: [
          {
            handleToolEvent: (event: unknown) => void events.push(event),
            handleToolEnd: (output: unknown) => void ended.push(output),
          },
        ],
      },
    );

    expect(events).toEqual([{ percent: 50 }]);
    expect(ended).toMatchObject([{ content: 'copied' }]);
  });

  test('is cancelled by the configuration’s signal', async () => {
    const abort = new AbortController();
    const wait = defineTool({
      name: 'wait',
      description: 'Wait.',
      inputSchema: { type: 'object', properties: {} },
      execute: (_values: object, { signal }: ToolContext) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('stopped'));
          abort.abort(new Error('enough'));
        }),
    });
    const [tool] = toLangChain(new ToolRegistry().register(wait)).tools;
    const message: unknown = await tool?.invoke(
      { type: 'tool_call', id: 'call_1', name: 'wait', args: {} },
      { signal: abort.signal },
    );

    expect(message).toMatchObject({ status: 'error', content: expect.stringContaining('cancelled') });
  });

  test('has context values and a memory from the configuration of each call', async () => {
    @Tool({ description: 'Who am I?' })
    class WhoAmI {
      @FromContext()
      tenant!: string;

      execute(): string {
        return this.tenant;
      }
    }
    const memories = new Map<string, CallMemory>();
    const outcomes: ToolOutcome[] = [];
    const [tool] = toLangChain(new ToolRegistry().register(WhoAmI), {
      context: { tenant: 'nobody' },
      forCall: ({ configurable }) => {
        const thread = String(configurable?.['thread_id']);
        const memory = memories.get(thread) ?? new CallMemory();
        memories.set(thread, memory);
        return { context: { tenant: thread }, memory };
      },
      onOutcome: (outcome) => outcomes.push(outcome),
    }).tools;
    const asked = { type: 'tool_call' as const, id: 'call_1', name: 'who_am_i', args: { me: 1 } };
    const config = { configurable: { thread_id: 'acme' } };
    await tool?.invoke({ ...asked, args: {} }, config);
    await tool?.invoke(asked, config);
    await tool?.invoke(asked, config);

    expect(outcomes).toMatchObject([
      { status: 'completed', result: 'acme' },
      { status: 'invalid_arguments', failures: 1 },
      { status: 'invalid_arguments', failures: 2 },
    ]);
  });

  test('shows nobody what goes wrong in the program’s own function', async () => {
    const error = new Error('no tenant at postgres://admin:hunter2@db');
    const told = (thrown: unknown): unknown => {
      const [tool] = toLangChain(new ToolRegistry().register(draw), {
        forCall: () => {
          throw thrown;
        },
      }).tools;
      return tool?.invoke(calling({}));
    };

    await expect(told(error)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The call was not executed\.\nAn internal error occurred \(error \w{8}\)\.$/,
      ),
      cause: error,
    });
    await expect(told(new ToolFailure('Sign in first.'))).rejects.toThrow('Sign in first.');
  });

  test('that waits for an approval hands over what to decide', async () => {
    const wipe = defineTool({
      name: 'wipe',
      description: 'Wipe.',
      effects: 'destructive',
      inputSchema: { type: 'object', properties: {} },
      execute: () => 'wiped',
    });
    const registry = new ToolRegistry({ approval: {} }).register(wipe);
    const [tool] = toLangChain(registry).tools;
    const message: unknown = await tool?.invoke({ type: 'tool_call', id: 'call_1', name: 'wipe', args: {} });

    expect(message).toMatchObject({ status: 'error', artifact: { format: 'toolmend.approval' } });
    if (!ToolMessage.isInstance(message)) return;
    expect(await registry.resolveApproval(message.artifact, { decision: 'approve' })).toMatchObject({
      result: 'wiped',
    });
  });
});
