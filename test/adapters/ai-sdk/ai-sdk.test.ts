// Do the tools of a registry work in the AI SDK, against a server on loopback, streamed and not?
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  asSchema,
  convertToModelMessages,
  generateText,
  isStepCount,
  type ModelMessage,
  streamText,
} from 'ai';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  ArrayOf,
  CallMemory,
  defineTool,
  FromContext,
  PairedDefault,
  standardMetaArguments,
  Tool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
  ToolRegistry,
  ToolResult,
} from 'toolmend';
import { type AiSdkOptions, toAiSdk, ToolCallError } from 'toolmend/ai-sdk';
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

@Tool({ description: 'Refund a payment.', effects: 'destructive' })
class Refund {
  @IsString()
  payment!: string;

  @IsInt()
  amount!: number;

  execute(): string {
    return `refunded ${this.amount} of ${this.payment}`;
  }
}

const call = (args: string, name = 'read_files', id = 'call_1'): Turn => ({
  calls: [{ id, name, arguments: args }],
});
const done: Turn = { text: 'done' };

/** What a conversation of these turns was, generated and streamed. */
async function talk(registry: ToolRegistry, turns: readonly Turn[], options: AiSdkOptions = {}) {
  const server = await startScriptedServer(...turns);
  const outcomes: ToolOutcome[] = [];
  const settings = toAiSdk(registry, { onOutcome: (outcome) => outcomes.push(outcome), ...options });
  const asked = {
    model: createOpenAICompatible({ name: 'scripted', baseURL: server.baseURL })('scripted'),
    stopWhen: isStepCount(5),
    maxRetries: 0,
    ...settings,
  };
  return { server, asked, outcomes };
}

async function partsOf<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const generated = async (registry: ToolRegistry, turns: readonly Turn[], options?: AiSdkOptions) => {
  const { server, asked, outcomes } = await talk(registry, turns, options);
  const result = await generateText({ ...asked, prompt: 'Go.' });
  return { outcomes, result, messages: server.requests.at(-1).messages, requests: server.requests };
};

const streamed = async (registry: ToolRegistry, turns: readonly Turn[], options?: AiSdkOptions) => {
  const { server, asked, outcomes } = await talk(registry, turns, options);
  const stream = streamText({ ...asked, prompt: 'Go.' });
  const parts = await partsOf(stream.stream);
  return { outcomes, parts, messages: server.requests.at(-1).messages };
};

const files = (): ToolRegistry => new ToolRegistry().register(ReadFiles);

test('a valid call runs as it is, and the model reads the result', async () => {
  const { outcomes, result, messages, requests } = await generated(files(), [
    call('{"paths": ["a"], "offset": 1, "limit": 2}'),
    done,
  ]);

  expect(result.text).toBe('done');
  expect(requests[0].tools).toMatchObject([
    {
      type: 'function',
      function: {
        name: 'read_files',
        description: expect.stringMatching(/^Read text files\./),
        parameters: { type: 'object', required: ['paths'], additionalProperties: false },
      },
    },
  ]);
  expect(outcomes).toMatchObject([
    { status: 'completed', interpretation: { status: 'unchanged' }, call: { id: 'call_1' } },
  ]);
  expect(messages.at(-1)).toEqual({
    role: 'tool',
    tool_call_id: 'call_1',
    content: '{"paths":["a"],"limit":2}',
  });
  expect(result.steps[0]?.toolResults).toMatchObject([
    { output: { text: '{"paths":["a"],"limit":2}', structured: { paths: ['a'], limit: 2 }, notes: [] } },
  ]);
});

for (const [how, converse] of [
  ['generated', generated],
  ['streamed', streamed],
] as const) {
  describe(how, () => {
    test('a near miss is repaired, recorded once, and stands repaired in the history; notes stand apart', async () => {
      const { outcomes, messages } = await converse(files(), [
        call('{"paths": "[\\"a\\"]", "limit": "2"}'),
        done,
      ]);

      expect(outcomes).toMatchObject([{ status: 'completed', interpretation: { status: 'repaired' } }]);
      expect(
        outcomes.flatMap((outcome) =>
          outcome.status === 'completed' ? outcome.interpretation.repairs.map(({ rule }) => rule) : [],
        ),
      ).toEqual(['json_text_to_array', 'text_to_integer', 'pairs']);
      expect(JSON.parse(messages.at(-2).tool_calls[0].function.arguments)).toEqual({
        paths: ['a'],
        limit: 2,
        offset: 0,
      });
      expect(JSON.parse(messages.at(-1).content)).toEqual([
        { type: 'text', text: '{"paths":["a"],"limit":2}' },
        { type: 'text', text: 'offset was not sent; 0 was used.' },
      ]);
    });

    test('text that is no JSON is mended, a missing end too: the SDK runs no call that was cut off', async () => {
      const { outcomes, messages } = await converse(files(), [call("{'paths': ['a'], limit: 2"), done]);

      expect(outcomes).toMatchObject([{ status: 'completed', interpretation: { status: 'repaired' } }]);
      expect(JSON.parse(messages.at(-2).tool_calls[0].function.arguments)).toEqual({
        paths: ['a'],
        limit: 2,
        offset: 0,
      });
    });

    test('a call of an answer that was cut off doesn’t run', async () => {
      const { outcomes, messages } = await converse(files(), [
        { ...call('{"paths": ["a"'), finishReason: 'length' },
        done,
      ]);

      expect(outcomes).toEqual([]);
      expect(messages).toHaveLength(1);
    });

    test('what can’t be repaired is answered in the registry’s words', async () => {
      const { outcomes, messages } = await converse(files(), [call('{"paths": "a, b"}'), done]);

      expect(outcomes).toMatchObject([{ status: 'invalid_arguments' }]);
      expect(messages.at(-1).content).toMatch(
        /^read_files was not executed\.\n- paths: expected an array of strings[^]+Send the whole call again/,
      );
      expect(JSON.parse(messages.at(-2).tool_calls[0].function.arguments)).toEqual({ paths: 'a, b' });
    });

    test('text that can’t be read is answered too, and the history has an object in its place', async () => {
      const { outcomes, messages } = await converse(files(), [call('{"paths": ["a'), done]);

      expect(outcomes).toMatchObject([{ status: 'invalid_arguments', call: { arguments: '{"paths": ["a' } }]);
      expect(messages.at(-1).content).toContain('read_files was not executed.');
      expect(JSON.parse(messages.at(-2).tool_calls[0].function.arguments)).toEqual({
        unreadable_arguments: '{"paths": ["a',
      });
    });

    test('a name that is only spelled differently is that tool; one that is none is answered', async () => {
      const { outcomes, messages } = await converse(files(), [
        call('{"paths": ["a"]}', 'ReadFiles'),
        call('{"paths": ["a"]}', 'write_files', 'call_2'),
        done,
      ]);

      expect(outcomes).toMatchObject([
        { status: 'completed', tool: 'read_files', call: { name: 'ReadFiles' } },
        { status: 'unknown_tool' },
      ]);
      expect(messages.at(-1).content).toContain(
        'write_files was not executed.\nThere is no tool of this name.',
      );
      expect(messages.at(-1).content).toContain('The tools are: read_files.');
    });
  });
}

test('text that can’t be read is never taken for the one argument of a tool that reads', async () => {
  const ran: unknown[] = [];
  const look = defineTool({
    name: 'look',
    description: 'Look.',
    effects: 'read',
    inputSchema: {
      type: 'object',
      properties: { at: { type: 'string' } },
      required: ['at'],
      additionalProperties: false,
    },
    execute: (values) => ran.push(values),
  });
  const { outcomes } = await generated(new ToolRegistry().register(look), [
    call('undefined', 'look'),
    call('{"at": "a"}{"at": "b"}', 'look', 'call_2'),
    done,
  ]);

  expect(outcomes.map(({ status }) => status)).toEqual(['invalid_arguments', 'invalid_arguments']);
  expect(ran).toEqual([]);
});

test('a function that looks on may fail later, too', async () => {
  const unhandled: unknown[] = [];
  const remember = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', remember);
  const fail = async (): Promise<never> => {
    throw new Error('no log');
  };
  const work = defineTool({
    name: 'work',
    description: 'Work.',
    inputSchema: { type: 'object', properties: {} },
    execute: (_values, { progress }) => {
      progress('half');
      return 'done';
    },
  });
  const { messages } = await generated(new ToolRegistry().register(work), [call('{}', 'work'), done], {
    onOutcome: fail,
    progress: fail,
  });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', remember);

  expect(messages.at(-1).content).toBe('done');
  expect(unhandled).toEqual([]);
});

test('arguments of another kind, none at all and null each have an answer', async () => {
  const now = defineTool({
    name: 'now',
    description: 'The time.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    execute: () => 'noon',
  });
  const registry = files().register(now);
  const { outcomes, messages } = await generated(registry, [
    call('null', 'now', 'call_1'),
    call('', 'now', 'call_2'),
    call('[1]', 'read_files', 'call_3'),
    done,
  ]);

  expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed', 'invalid_arguments']);
  const shown = messages
    .filter(({ role }: { role: string }) => role === 'assistant')
    .map((message: { tool_calls: [{ function: { arguments: string } }] }) =>
      JSON.parse(message.tool_calls[0].function.arguments),
    );
  expect(shown).toEqual([{}, {}, { unreadable_arguments: '[1]' }]);
});

test('one id for two calls of one answer: each runs with its own arguments', async () => {
  const { outcomes } = await generated(files(), [
    {
      calls: [
        { id: 'call_1', name: 'read_files', arguments: "{'paths': 'a'}" },
        { id: 'call_1', name: 'read_files', arguments: "{'paths': 'b'}" },
      ],
    },
    done,
  ]);

  expect(outcomes.map((outcome) => (outcome.status === 'completed' ? outcome.result : undefined))).toEqual([
    { paths: ['a'], limit: null },
    { paths: ['b'], limit: null },
  ]);
});

test('images and notes are parts of their own; a failure is a tool error with its outcome', async () => {
  const chart = defineTool({
    name: 'chart',
    description: 'Draw.',
    inputSchema: { type: 'object', properties: { broken: { type: 'boolean' } } },
    execute: (values: { readonly broken?: boolean }) => {
      if (values.broken === true) throw new ToolFailure('There is no paper.');
      return ToolResult.of({ rows: 3 }).text('A chart.').image('aGk=', 'image/png').artifact('secret');
    },
  });
  const { outcomes, result, messages } = await generated(new ToolRegistry().register(chart), [
    call('{}', 'chart'),
    call('{"broken": "true"}', 'chart', 'call_2'),
    done,
  ]);

  expect(result.steps[0]?.toolResults[0]?.output).toEqual({
    text: 'A chart.',
    structured: { rows: 3 },
    images: [{ data: 'aGk=', mediaType: 'image/png' }],
    notes: [],
  });
  expect(messages[2].content).toContain('A chart.');
  expect(messages[2].content).toContain('image/png');
  expect(messages[2].content).not.toContain('secret');
  expect(outcomes[0]).toMatchObject({ artifact: 'secret' });
  expect(messages.at(-1).content).toBe('There is no paper.');
  const failed = result.steps[1]?.content.find((part) => part.type === 'tool-error');
  expect(failed?.error).toBeInstanceOf(ToolCallError);
  expect(failed?.error instanceof ToolCallError && failed.error.outcome).toBe(outcomes[1]);
  expect(JSON.stringify(failed?.error)).not.toContain('broken');
});

test.each<[unknown, object]>([
  ['sunny', { type: 'text', value: 'sunny' }],
  [
    { celsius: 20, text: 'sunny' },
    { type: 'json', value: { celsius: 20, text: 'sunny' } },
  ],
  [
    { text: 'sunny', notes: 'none' },
    { type: 'json', value: { text: 'sunny', notes: 'none' } },
  ],
  [[1], { type: 'json', value: [1] }],
  [null, { type: 'json', value: null }],
  [undefined, { type: 'json', value: null }],
])('a stored output %j, of before the tool was ours, is read as the SDK reads it', async (output, read) => {
  const { tools } = toAiSdk(files());
  const message = {
    role: 'assistant' as const,
    parts: [
      {
        type: 'tool-read_files' as const,
        toolCallId: 'call_1',
        state: 'output-available' as const,
        input: { paths: ['a'] },
        output,
      },
    ],
  };
  const messages = await convertToModelMessages([message], { tools });

  expect(messages.at(-1)?.content).toMatchObject([{ type: 'tool-result', output: read }]);
});

test('an output schema tells what the output is', async () => {
  const count = defineTool({
    name: 'count',
    description: 'Count.',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: { type: 'object', properties: { rows: { type: 'integer' } }, required: ['rows'] },
    execute: () => ({ rows: 3 }),
  });
  const { tools } = toAiSdk(new ToolRegistry().register(count));
  const schema = await asSchema(tools['count']?.outputSchema).jsonSchema;

  expect(schema).toMatchObject({
    properties: { structured: { properties: { rows: { type: 'integer' } } }, notes: { type: 'array' } },
    required: ['text', 'notes'],
  });
});

test('context values, meta arguments and the memory of the conversation reach the registry', async () => {
  const seen: unknown[] = [];
  @Tool({ description: 'Who am I?' })
  class WhoAmI {
    @FromContext()
    tenant!: string;

    execute({ meta }: ToolContext): string {
      seen.push([this.tenant, meta]);
      return this.tenant;
    }
  }
  const registry = new ToolRegistry({ meta: standardMetaArguments }).register(WhoAmI);
  const wrong = '{"_rationale": "r", "tenant_id": 1}';
  const { messages, outcomes } = await generated(
    registry,
    [
      call('{"_rationale": "to know", "_timeout_seconds": "30"}', 'who_am_i'),
      call(wrong, 'who_am_i', 'call_2'),
      call(wrong, 'who_am_i', 'call_3'),
      done,
    ],
    { context: { tenant: 'acme' }, memory: new CallMemory() },
  );

  expect(seen).toEqual([['acme', { rationale: 'to know', timeout_seconds: 30 }]]);
  expect(JSON.parse(messages[1].tool_calls[0].function.arguments)).toEqual({
    _rationale: 'to know',
    _timeout_seconds: 30,
  });
  expect(outcomes.map((outcome) => ('failures' in outcome ? outcome.failures : outcome.status))).toEqual([
    'completed',
    1,
    2,
  ]);
});

describe('progress', () => {
  const copy = defineTool({
    name: 'copy',
    description: 'Copy.',
    inputSchema: { type: 'object', properties: {} },
    async *execute() {
      yield { percent: 50 };
      return 'copied';
    },
  });
  const registry = new ToolRegistry().register(copy);
  const outputsIn = (parts: readonly { readonly type: string }[]) =>
    parts.flatMap((part) =>
      part.type === 'tool-result' && 'output' in part
        ? [[part.output, 'preliminary' in part && part.preliminary === true]]
        : [],
    );

  test('is told to a function', async () => {
    const told: unknown[] = [];
    const { parts } = await streamed(registry, [call('{}', 'copy'), done], {
      progress: (update, { id }) => told.push([id, update]),
    });

    expect(told).toEqual([['call_1', { percent: 50 }]]);
    expect(outputsIn(parts)).toEqual([[{ text: 'copied', notes: [] }, false]]);
  });

  test('is preliminary results', async () => {
    const { parts } = await streamed(registry, [call('{}', 'copy'), done], { progress: 'preliminary' });

    expect(outputsIn(parts)).toEqual([
      [{ text: '{"percent":50}', structured: { percent: 50 }, notes: [] }, true],
      [{ text: 'copied', notes: [] }, true],
      [{ text: 'copied', notes: [] }, false],
    ]);
  });

  test('a failure after progress is a failure', async () => {
    const { messages, outcomes } = await generated(files(), [call('{"paths": "a, b"}'), done], {
      progress: 'preliminary',
    });

    expect(outcomes).toMatchObject([{ status: 'invalid_arguments' }]);
    expect(messages.at(-1).content).toContain('read_files was not executed.');
  });
});

test('the SDK’s abort signal cancels the call', async () => {
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
  const { asked, outcomes } = await talk(new ToolRegistry().register(wait), [call('{}', 'wait'), done]);
  const generating = generateText({ ...asked, prompt: 'Go.', abortSignal: abort.signal });

  await expect(generating).rejects.toThrow();
  expect(outcomes).toMatchObject([{ status: 'cancelled', when: 'during' }]);
});

describe('approval', () => {
  const refunds = (): ToolRegistry => new ToolRegistry({ approval: {} }).register(Refund, ReadFiles);
  const asking = call('{"payment": "p1", "amount": "250"}', 'refund');

  const request = async (registry: ToolRegistry) => {
    const { server, asked, outcomes } = await talk(registry, [asking, done]);
    const messages: ModelMessage[] = [{ role: 'user', content: 'Refund.' }];
    const first = await generateText({ ...asked, messages });
    messages.push(...first.finalStep.response.messages);
    const part = first.content.find(({ type }) => type === 'tool-approval-request');
    if (part?.type !== 'tool-approval-request') throw new Error('nobody was asked');
    return { server, asked, outcomes, messages, part };
  };

  test('the user is asked in the SDK’s way about what would run, and a yes runs it', async () => {
    const { server, asked, outcomes, messages, part } = await request(refunds());
    expect(part.toolCall.input).toEqual({ payment: 'p1', amount: 250 });
    expect(outcomes).toEqual([]);

    messages.push({
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: part.approvalId, approved: true }],
    });
    const second = await generateText({ ...asked, messages });

    expect(second.text).toBe('done');
    expect(outcomes).toMatchObject([{ status: 'completed', result: 'refunded 250 of p1' }]);
    expect(server.requests[1].messages.at(-1).content).toBe('refunded 250 of p1');
  });

  test('a no runs nothing', async () => {
    const { asked, outcomes, messages, part } = await request(refunds());
    messages.push({
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: part.approvalId, approved: false }],
    });
    await generateText({ ...asked, messages });

    expect(outcomes).toEqual([]);
  });

  test('streamed, too', async () => {
    const { asked, outcomes } = await talk(refunds(), [asking, done]);
    const parts = await partsOf(streamText({ ...asked, prompt: 'Refund.' }).stream);

    expect(parts.filter(({ type }) => type === 'tool-approval-request')).toHaveLength(1);
    expect(outcomes).toEqual([]);
  });

  test('a call that wouldn’t run, and a tool that isn’t asked about, ask nobody', async () => {
    const { asked, outcomes } = await talk(refunds(), [
      call('{"payment": "p1"}', 'refund'),
      call('{"paths": ["a"]}', 'read_files', 'call_2'),
      done,
    ]);
    const { text } = await generateText({ ...asked, prompt: 'Refund.' });

    expect(text).toBe('done');
    expect(outcomes.map(({ status }) => status)).toEqual(['invalid_arguments', 'completed']);
  });

  test('without toolApproval the call waits, and the application decides', async () => {
    const registry = refunds();
    const { asked, outcomes } = await talk(registry, [asking, done]);
    const { toolApproval: _, ...rest } = asked;
    await generateText({ ...rest, prompt: 'Refund.' });
    const [waiting] = outcomes;

    expect(waiting?.status).toBe('approval_required');
    if (waiting?.status !== 'approval_required') return;
    const decided = await registry.resolveApproval(waiting.approval, { decision: 'approve' });
    expect(decided).toMatchObject({ status: 'completed', result: 'refunded 250 of p1' });
  });

  test('a yes of an earlier call of the same id is none for this one', async () => {
    const { asked, outcomes, messages, part } = await request(refunds());
    messages.push(
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: part.approvalId, approved: true }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'call_1',
            toolName: 'refund',
            output: { type: 'text', value: 'refunded' },
          },
        ],
      },
      { role: 'user', content: 'Again.' },
    );
    const server = await startScriptedServer(asking, done);
    const model = createOpenAICompatible({ name: 'scripted', baseURL: server.baseURL })('scripted');
    const { toolApproval: _, ...rest } = asked;
    await generateText({ ...rest, model, messages });

    expect(outcomes.map(({ status }) => status)).toEqual(['approval_required']);
  });

  test('what an interceptor changes after the yes is asked about again', async () => {
    const registry = new ToolRegistry({
      approval: {},
      interceptors: [(intercepted, next) => next({ ...intercepted.arguments, amount: 999 })],
    }).register(Refund);
    const { asked, outcomes, messages, part } = await request(registry);
    messages.push({
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: part.approvalId, approved: true }],
    });
    await generateText({ ...asked, messages });

    expect(outcomes).toMatchObject([{ status: 'approval_required' }]);
  });

  test('a missing end is not mended where somebody is asked: nobody knows yet how the answer ended', async () => {
    const { outcomes } = await generated(refunds(), [call('{"payment": "p1", "amount": 2', 'refund'), done]);

    expect(outcomes).toMatchObject([{ status: 'invalid_arguments' }]);
  });

  test('what the program’s own function throws keeps the call from running', async () => {
    const registry = new ToolRegistry({
      approval: {
        needed: () => {
          throw new Error('no database');
        },
      },
    }).register(Refund);
    const { outcomes, messages } = await generated(registry, [asking, done]);

    expect(outcomes).toMatchObject([{ status: 'failed', reason: 'exception' }]);
    expect(messages.at(-1).content).not.toContain('no database');
  });
});
