// What is special about the AI SDK, against a server on loopback. What it has in common with
// LangChain is in sdk-loops.test.ts.
import {
  type ModelMessage,
  asSchema,
  convertToModelMessages,
  generateText,
  isStepCount,
  streamText,
} from 'ai';
import { IsInt, IsString } from 'class-validator';
import {
  type RegistryOptions,
  type ToolCall,
  type ToolContract,
  type ToolOutcome,
  standardMetaArguments,
  Tool,
  ToolRegistry,
  ToolResult,
} from 'toolmend';
import { type AiSdkOptions, toAiSdk, ToolCallError } from 'toolmend/ai-sdk';
import { toolOf } from '../../tools.ts';
import { fileTools } from '../contract/sample-tools.ts';
import { abortedWork, attach, attachTexts, chart } from '../sample-results.ts';
import { aiModel, callTurn, done, scriptedAiModel } from '../scripted-models.ts';
import { startScriptedServer, type Turn } from '../scripted-server.ts';

@Tool({ description: 'Refund a payment.', effects: 'destructive' })
class Refund {
  @IsString() payment!: string;
  @IsInt() amount!: number;
  execute(): string {
    return `refunded ${this.amount} of ${this.payment}`;
  }
}

const registryOf = (tool: ToolContract): ToolRegistry => new ToolRegistry().register(tool);

const call = (args: string, name = 'read_files', id?: string): Turn => callTurn(name, args, id);

async function talk(registry: ToolRegistry, turns: readonly Turn[], options: AiSdkOptions = {}) {
  const server = await startScriptedServer(...turns);
  const outcomes: ToolOutcome[] = [];
  const settings = toAiSdk(registry, {
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
  const model = aiModel(server.baseURL);
  return {
    server,
    asked: { model, stopWhen: isStepCount(5), maxRetries: 0, ...settings },
    outcomes,
  };
}

async function generated(registry: ToolRegistry, turns: readonly Turn[], options?: AiSdkOptions) {
  const { server, asked, outcomes } = await talk(registry, turns, options);
  const result = await generateText({ ...asked, prompt: 'Go.' });
  return { outcomes, result, messages: server.requests.at(-1).messages };
}

async function partsOf<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

test('null and an empty text are no arguments', async () => {
  const registry = registryOf(toolOf(() => 'noon', { name: 'now' }));
  const { outcomes, messages } = await generated(registry, [
    call('null', 'now'),
    call('', 'now', '2'),
    done,
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect(messages[1].tool_calls[0].function.arguments).toBe('{}');
});

test('images are parts, the artifact is for the application, and a failure is a tool error with its outcome', async () => {
  const turns = [call('{}', 'chart'), call('{"broken": "true"}', 'chart', 'call_2'), done];
  const { outcomes, result, messages } = await generated(registryOf(chart), turns);
  expect(result.steps[0]?.toolResults[0]?.output).toEqual({
    text: 'A chart.',
    structured: { rows: 3 },
    images: [{ data: 'aGk=', mediaType: 'image/png' }],
    notes: [],
  });
  expect(messages[2].content).toMatch(/A chart\..*image\/png/);
  expect(messages[2].content).not.toContain('secret');
  expect(outcomes[0]).toMatchObject({ artifact: 'secret' });
  expect(messages.at(-1).content).toBe('There is no paper.');
  const failed = result.steps[1]?.content.find((part) => part.type === 'tool-error');
  expect(failed?.error).toBeInstanceOf(ToolCallError);
  expect(failed?.error instanceof ToolCallError && failed.error.outcome).toBe(outcomes[1]);
  expect(JSON.stringify(failed?.error)).not.toContain('broken');
});

test('an image has the name of its file', async () => {
  const draw = () => ToolResult.of('a plan').file('aGk=', 'image/png', { name: 'plan.png' });
  const registry = registryOf(toolOf(draw, { name: 'draw' }));
  const { messages } = await generated(registry, [call('{}', 'draw'), done]);
  expect(JSON.parse(messages[2].content)).toMatchObject([
    { type: 'text', text: 'a plan' },
    { type: 'file', mediaType: 'image/png', filename: 'plan.png' },
  ]);
});

test('onPartial is called with the arguments of a stream as they come', async () => {
  const shown: (readonly [string, string, unknown])[] = [];
  let text = '';
  const { asked } = await talk(fileTools(), [call('{"paths":["a.ts","b.ts"]}'), done], {
    onPartial({ callId, tool, delta, partialArguments }) {
      text += delta;
      shown.push([callId, tool, partialArguments['paths']]);
      throw new Error('The page is gone.');
    },
  });
  await partsOf(streamText({ ...asked, prompt: 'Go.' }).stream);

  expect(text).toBe('{"paths":["a.ts","b.ts"]}');
  expect(shown[0]?.slice(1)).toEqual(['read_files', undefined]);
  expect(shown.at(-1)?.slice(1)).toEqual(['read_files', ['a.ts', 'b.ts']]);
  expect(new Set(shown.map(([id]) => id)).size).toBe(1);
});

test('files are parts and part of the output; a link is text', async () => {
  const turns = [call('{}', 'attach'), done];
  const { result, messages } = await generated(registryOf(attach), turns);
  expect(result.steps[0]?.toolResults[0]?.output).toMatchObject({
    text: 'See the files.',
    files: [
      { kind: 'embedded', mediaType: 'application/pdf' },
      { kind: 'embedded', name: 'rows.csv' },
      { kind: 'embedded', name: 'all.zip' },
      { kind: 'linked', uri: 'https://a.test/c' },
    ],
  });
  const parts: readonly object[] = JSON.parse(messages[2].content);
  expect(parts).toMatchObject([
    { type: 'text', text: 'See the files.' },
    { type: 'file', mediaType: 'application/pdf', data: { data: 'JVBERg==' } },
    { type: 'file', filename: 'rows.csv' },
    { type: 'file', filename: 'all.zip', data: { data: 'UEs=' } },
    { type: 'text', text: attachTexts[1] },
  ]);
});

test('with textResults, the model reads texts in the places of images and files, and the output has them', async () => {
  const plan = () =>
    ToolResult.of('A plan.')
      .image('aGk=', 'image/png', { name: 'plan.png' })
      .file('JVBERg==', 'application/pdf')
      .file('UklGRg==', 'audio/wav')
      .link('https://a.test/c', { name: 'The plan' });
  const registry = registryOf(toolOf(plan, { name: 'plan' }));
  const turns = [call('{}', 'plan'), done];
  const { result, messages } = await generated(registry, turns, { textResults: true });

  expect(messages[2].content).toBe(
    'A plan.\n' +
      "The result has an image that can't be shown here: plan.png, image/png, 2 bytes.\n" +
      "The result has a file that can't be shown here: application/pdf, 4 bytes.\n" +
      "The result has an audio file that can't be shown here: audio/wav, 4 bytes.\n" +
      'The plan\nhttps://a.test/c',
  );
  expect(result.steps[0]?.toolResults[0]?.output).toMatchObject({
    images: [{ data: 'aGk=' }],
    files: [{ data: 'JVBERg==' }, { data: 'UklGRg==' }, { uri: 'https://a.test/c' }],
  });
});

test('with textResults, a note is a line, and a text alone stays as it is', async () => {
  const turns = [call('{"paths":["a.ts"],"limit":5}'), call('{"paths":["a.ts"]}'), done];
  const { messages } = await generated(fileTools(), turns, { textResults: true });
  expect(messages[2].content).toBe(
    '{"paths":["a.ts"],"offset":0,"limit":5}\noffset was not sent; 0 was used.',
  );
  expect(messages[4].content).toBe('{"paths":["a.ts"]}');
});

test.each<[unknown, 'text' | 'json', unknown]>([
  [{ text: 'a', files: [{ kind: 'linked' }], notes: [] }, 'json', expect.anything()],
  ['sunny', 'text', 'sunny'],
  [{ celsius: 20, text: 'sunny' }, 'json', { celsius: 20, text: 'sunny' }],
  [{ text: 'sunny', notes: 'none' }, 'json', { text: 'sunny', notes: 'none' }],
  [[1], 'json', [1]],
  [null, 'json', null],
  [undefined, 'json', null],
])(
  'a stored output %j of a former tool is what the SDK makes of it',
  async (output, type, value) => {
    const { tools } = toAiSdk(fileTools());
    const stored = {
      type: 'tool-read_files',
      toolCallId: 'call_1',
      state: 'output-available',
    } as const;
    const part = { ...stored, input: { paths: ['a'] }, output };
    const messages = await convertToModelMessages([{ role: 'assistant', parts: [part] }], {
      tools,
    });
    expect(messages.at(-1)?.content).toMatchObject([
      { type: 'tool-result', output: { type, value } },
    ]);
  },
);

test('examples are the SDK’s inputExamples if asked for', async () => {
  const properties = { n: { type: 'integer' } } as const;
  const inputSchema = { type: 'object', properties, examples: [{ n: 1 }, { n: 'one' }] } as const;
  const registry = registryOf(toolOf(() => 'done', { name: 'count', inputSchema }));
  const shown = async (options: AiSdkOptions) => {
    const tool = toAiSdk(registry, options).tools['count'];
    const schema = await asSchema(tool?.inputSchema).jsonSchema;
    return [tool?.inputExamples, schema.examples];
  };
  expect(await shown({})).toEqual([undefined, inputSchema.examples]);
  expect(await shown({ inputExamples: true })).toEqual([[{ input: { n: 1 } }], undefined]);
});

test('the output schema of a tool is part of the SDK’s', async () => {
  const rows = {
    type: 'object',
    properties: { rows: { type: 'integer' } },
    required: ['rows'],
  } as const;
  const { tools } = toAiSdk(
    registryOf(toolOf(() => ({ rows: 3 }), { name: 'count', outputSchema: rows })),
  );
  expect(await asSchema(tools['count']?.outputSchema).jsonSchema).toMatchObject({
    properties: { structured: rows, notes: { type: 'array' } },
    required: ['text', 'notes'],
  });
});

test('meta arguments reach the tool and the history', async () => {
  const seen: unknown[] = [];
  const work = toolOf((_values, { meta }) => seen.push(meta));
  const registry = new ToolRegistry({ meta: standardMetaArguments }).register(work);
  const turn = call('{"_rationale": "to know", "_timeout_seconds": "30"}', 'work');
  const { messages } = await generated(registry, [turn, done]);
  expect(seen).toEqual([{ rationale: 'to know', timeout_seconds: 30 }]);
  const shown = '{"_rationale":"to know","_timeout_seconds":30}';
  expect(messages[1].tool_calls[0].function.arguments).toBe(shown);
});

test('the SDK’s signal cancels the call', async () => {
  const abort = new AbortController();
  const { asked, outcomes } = await talk(registryOf(abortedWork(abort)), [
    call('{}', 'work'),
    done,
  ]);
  const generating = generateText({ ...asked, prompt: 'Go.', abortSignal: abort.signal });
  await expect(generating).rejects.toThrow();
  expect(outcomes).toMatchObject([{ status: 'cancelled', when: 'during' }]);
});

describe('progress', () => {
  const copy = toolOf(
    async function* () {
      yield { percent: 50 };
      return 'copied';
    },
    { name: 'copy' },
  );

  async function outputsOf(options: AiSdkOptions) {
    const { asked } = await talk(registryOf(copy), [call('{}', 'copy'), done], options);
    const parts = await partsOf(streamText({ ...asked, prompt: 'Go.' }).stream);
    const results = parts.filter((part) => part.type === 'tool-result');
    return results.map(({ output, preliminary = false }) => [output, preliminary]);
  }

  test('goes to a function, which may fail', async () => {
    const updates: unknown[] = [];
    const progress = async (update: unknown, { id }: ToolCall): Promise<void> => {
      updates.push([id, update]);
      throw new Error('no log');
    };
    const outputs = await outputsOf({ progress });
    expect(updates).toEqual([['call_1', { percent: 50 }]]);
    expect(outputs).toEqual([[{ text: 'copied', notes: [] }, false]]);
  });

  test('becomes preliminary results', async () => {
    expect(await outputsOf({ progress: 'preliminary' })).toEqual([
      [{ text: '{"percent":50}', structured: { percent: 50 }, notes: [] }, true],
      [{ text: 'copied', notes: [] }, true],
      [{ text: 'copied', notes: [] }, false],
    ]);
  });

  test('of a call that fails ends with the failure', async () => {
    const turns = [call('{"paths": "a, b"}'), done];
    const { messages } = await generated(fileTools(), turns, { progress: 'preliminary' });
    expect(messages.at(-1).content).toContain('read_files was not executed.');
  });
});

describe('approval', () => {
  const refunds = (options: RegistryOptions = {}): ToolRegistry =>
    new ToolRegistry({ approval: {}, ...options }).register(
      Refund,
      toolOf(() => 'read', { name: 'read_files' }),
    );
  const asking = call('{"payment": "p1", "amount": "250"}', 'refund');
  const answer = (approvalId: string, approved: boolean): ModelMessage => ({
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId, approved }],
  });

  /** A conversation up to the question. */
  async function questionOf(registry: ToolRegistry, settings: object = {}) {
    const { server, asked: bare, outcomes } = await talk(registry, [asking, done]);
    const asked = { ...bare, ...settings };
    const messages: ModelMessage[] = [{ role: 'user', content: 'Refund.' }];
    const first = await generateText({ ...asked, messages });
    messages.push(...first.finalStep.response.messages);
    const part = first.content.find(({ type }) => type === 'tool-approval-request');
    if (part?.type !== 'tool-approval-request') throw new Error('the user was not asked');
    return { server, asked, outcomes, messages, part };
  }

  test('is asked for in the SDK’s way, about the arguments that would run; a yes runs them', async () => {
    const { server, asked, outcomes, messages, part } = await questionOf(refunds());
    expect(part.toolCall.input).toEqual({ payment: 'p1', amount: 250 });
    expect(outcomes).toEqual([]);
    messages.push(answer(part.approvalId, true));
    const second = await generateText({ ...asked, messages });
    expect(second.text).toBe('done');
    expect(outcomes).toMatchObject([{ status: 'completed', result: 'refunded 250 of p1' }]);
    expect(server.requests[1].messages.at(-1).content).toBe('refunded 250 of p1');
  });

  test('with the SDK’s secret does not count for a call that a browser has changed', async () => {
    const { asked, outcomes, messages, part } = await questionOf(refunds(), {
      experimental_toolApprovalSecret: 'a secret of the server',
    });
    const changed: ModelMessage[] = JSON.parse(
      JSON.stringify(messages).replaceAll('"amount":250', '"amount":9999'),
    );
    expect(changed).not.toEqual(messages);
    changed.push(answer(part.approvalId, true));
    await expect(generateText({ ...asked, messages: changed })).rejects.toThrow('signature');
    expect(outcomes).toEqual([]);
    messages.push(answer(part.approvalId, true));
    await generateText({ ...asked, messages });
    expect(outcomes).toMatchObject([{ status: 'completed', result: 'refunded 250 of p1' }]);
  });

  test('that is denied runs nothing', async () => {
    const { asked, outcomes, messages, part } = await questionOf(refunds());
    messages.push(answer(part.approvalId, false));
    await generateText({ ...asked, messages });
    expect(outcomes).toEqual([]);
  });

  test('is asked for in a stream too', async () => {
    const { asked, outcomes } = await talk(refunds(), [asking, done]);
    const parts = await partsOf(streamText({ ...asked, prompt: 'Refund.' }).stream);
    expect(parts.filter(({ type }) => type === 'tool-approval-request')).toHaveLength(1);
    expect(outcomes).toEqual([]);
  });

  test('is not asked for a call that would not run, or a tool that needs none', async () => {
    const turns = [call('{"payment": "p1"}', 'refund'), call('{}', 'read_files', 'call_2'), done];
    const { outcomes } = await generated(refunds(), turns);
    expect(outcomes.map(({ status }) => status)).toEqual(['invalid_arguments', 'completed']);
  });

  test('is the application’s own business without toolApproval', async () => {
    const registry = refunds();
    const { asked, outcomes } = await talk(registry, [asking, done]);
    const { toolApproval: _, ...rest } = asked;
    await generateText({ ...rest, prompt: 'Refund.' });
    const [waiting] = outcomes;
    const approval: unknown =
      waiting?.status === 'approval_required' ? waiting.approval : waiting?.status;
    const approved = await registry.resolveApproval(approval, { decision: 'approve' });
    expect(approved).toMatchObject({ status: 'completed', result: 'refunded 250 of p1' });
  });

  test('of an earlier call with the same id does not count for this one', async () => {
    const { asked, outcomes, messages, part } = await questionOf(refunds());
    const output = { type: 'text' as const, value: 'refunded' };
    messages.push(
      answer(part.approvalId, true),
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'refund', output }],
      },
      { role: 'user', content: 'Again.' },
    );
    const model = await scriptedAiModel(asking);
    const { toolApproval: _, ...rest } = asked;
    await generateText({ ...rest, model, messages });
    expect(outcomes).toMatchObject([{ status: 'approval_required' }]);
  });

  test('does not cover what an interceptor changes afterwards', async () => {
    const { asked, outcomes, messages, part } = await questionOf(
      refunds({
        interceptors: [(intercepted, next) => next({ ...intercepted.arguments, amount: 999 })],
      }),
    );
    messages.push(answer(part.approvalId, true));
    await generateText({ ...asked, messages });
    expect(outcomes).toMatchObject([{ status: 'approval_required' }]);
  });

  test('is not asked for a text whose end is missing: it is unknown yet how the answer ended', async () => {
    const { outcomes } = await generated(refunds(), [
      call('{"payment": "p1", "amount": 2', 'refund'),
      done,
    ]);
    expect(outcomes).toMatchObject([{ status: 'invalid_arguments' }]);
  });

  test('whose function throws keeps the call from running', async () => {
    const needed = (): never => {
      throw new Error('no database');
    };
    const { outcomes, messages } = await generated(refunds({ approval: { needed } }), [
      asking,
      done,
    ]);
    expect(outcomes).toMatchObject([{ status: 'failed', reason: 'exception' }]);
    expect(messages.at(-1).content).not.toContain('no database');
  });
});

test('with forceRetry, the model must call the tool again whose only call was wrong, and nothing else', async () => {
  const turns = [call('{"limit": "many"}'), call('{"paths": "a.txt"}', 'read_files', '2'), done];
  const choices = async (options?: AiSdkOptions) => {
    const { server, asked } = await talk(fileTools(), turns, options);
    await generateText({ ...asked, prompt: 'Go.' });
    return server.requests.map((request) => request.tool_choice);
  };
  const named = { type: 'function', function: { name: 'read_files' } };

  expect(await choices()).toEqual(['auto', 'auto', 'auto']);
  expect(await choices({ forceRetry: true })).toEqual(['auto', named, 'auto']);
});
