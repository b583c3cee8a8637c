// Calls in OpenTelemetry, with a real SDK and without one.
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { IsOptional, IsString } from 'class-validator';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ArrayOf,
  CallMemory,
  Check,
  RepairStats,
  Secret,
  Tool,
  type RegistryOptions,
  type JsonSchema,
  type SchemaObject,
  type ToolCall,
  ToolFailure,
  toolMessage,
  ToolRegistry,
  ToolRetry,
  ToolRun,
  type ToolListener,
  type ToolOutcome,
} from 'toolmend';
import { openTelemetry, type OpenTelemetryOptions } from 'toolmend/opentelemetry';
import { callTo, RecordingListener, thrower, toolOf } from '../tools.ts';
import { wordsOf } from '../words.ts';

const canary = 'c4n4ry-v4lue';

@Tool({ name: 'read_files', description: 'Takes one path.' })
class Renamed {
  @IsString() path!: string;
  execute(): void {}
}

@Tool({ description: 'Reads files.', timeoutMs: 20 })
class ReadFiles {
  @ArrayOf(String) paths!: string[];
  @IsOptional() @IsString() @Secret() token?: string;
  @Check() isAllowed(): true | string {
    if (this.paths[0] === 'check-throws') throw new Error(canary);
    return true;
  }
  async execute(): Promise<unknown> {
    const [path = ''] = this.paths;
    if (path === 'throw') throw new TypeError(`${canary} ${this.token ?? ''}`);
    if (path === 'retry') throw new ToolRetry('Again.');
    if (path === 'fail') throw new ToolFailure('Over.');
    if (path === 'span') trace.getTracer('tool').startSpan('inner').end();
    if (path === 'slow') await delay(200);
    if (path === 'long') return 'line\n'.repeat(50);
    if (path === 'cycle') return { toJSON: () => JSON.parse(canary) };
    return `read ${this.paths.length}`;
  }
}

@Tool({ description: 'Removes files.', effects: 'destructive' })
class RemoveFiles {
  @ArrayOf(String) paths!: string[];
  @IsString() @Secret() token!: string;
  execute(): void {}
}

const spans = new InMemorySpanExporter();
const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({
  exporter: exported,
  exportIntervalMillis: 600_000,
});
const meters = new MeterProvider({ readers: [reader] });

const callOf = (args: unknown, more: Partial<ToolCall> = {}) =>
  callTo('read_files', args, { model: 'qwen3', ...more });

const registryOf = (options: OpenTelemetryOptions = {}, more: RegistryOptions = {}): ToolRegistry =>
  new ToolRegistry({ telemetry: openTelemetry(options), ...more }).register(ReadFiles);

async function spansOf(
  tools: ToolRegistry,
  ...calls: readonly ToolCall[]
): Promise<readonly ReadableSpan[]> {
  spans.reset();
  for (const call of calls) await tools.call(call);
  return spans.getFinishedSpans();
}

const attributesOf = async (...of: Parameters<typeof spansOf>) =>
  (await spansOf(...of)).map(({ attributes }) => attributes);

/** Outcomes of calls with a secret that meet a limit or are cancelled. */
async function* limitedOutcomes(options: OpenTelemetryOptions, listeners: readonly ToolListener[]) {
  const more = { listeners, concurrencyLimit: 1, queueLimit: 0 };
  const tools = registryOf(options, more).register(RemoveFiles);
  const of = (path: unknown): ToolCall => callOf({ paths: [path], token: canary });
  yield tools.call(of('long'));
  yield tools.call(of('a'), { signal: AbortSignal.abort(new Error(canary)) });
  yield tools.call(of('slow'), { signal: AbortSignal.timeout(1) });
  yield tools.call(callOf({ paths: '["a"]', token: canary }, { name: 'remove_files' }));
  yield* await tools.callAll([of('slow'), of('slow')]);
  const [failing, repeating] = [new ToolRun({ retryLimit: 1 }), new CallMemory()];
  for (let time = 0; time < 4; time += 1) {
    yield tools.call(callOf({ paths: true, token: [canary] }), { run: failing, memory: repeating });
    yield tools.call(of('throw'), { memory: repeating });
  }
  for (let time = 0; time < 4; time += 1) yield tools.call(of('throw'), { memory: repeating });
  for (const run of [new ToolRun({ callLimit: 1 }), new ToolRun({ callLimitPerTool: 1 })])
    for (let time = 0; time < 2; time += 1) yield tools.call(of('a'), { run });
  await tools.close();
  yield tools.call(of('a'));
}

const everyEnd = wordsOf(`
  approval_required cancelled completed denied failed/declared failed/exception failed/result invalid_arguments
  limit_exceeded/busy limit_exceeded/call_limit limit_exceeded/closed limit_exceeded/repeated
  limit_exceeded/retry_limit limit_exceeded/run_limit retry timed_out unknown_tool
`);

test('without an SDK calls run as usual', async () => {
  const outcome = await registryOf({ content: 'on' }).call(callOf({ paths: ['a'] }));
  expect(toolMessage(outcome).text).toBe('read 1');
});

describe('with an SDK', () => {
  beforeAll(() => {
    const spanProcessors = [new SimpleSpanProcessor(spans)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    metrics.setGlobalMeterProvider(meters);
  });

  afterAll(async () => {
    await meters.shutdown();
    for (const api of [trace, context, metrics]) api.disable();
  });

  test('a call is a span of the semantic conventions', async () => {
    const [span, ...others] = await spansOf(
      registryOf({ agentName: 'clerk' }),
      callOf({ paths: ['a'] }),
    );
    expect(others).toEqual([]);
    expect(span).toMatchObject({ name: 'execute_tool read_files', kind: 0, status: { code: 0 } });
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read_files',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.tool.description': 'Reads files.',
      'gen_ai.request.model': 'qwen3',
      'gen_ai.agent.name': 'clerk',
      'toolmend.status': 'completed',
      'toolmend.execution': 'ran',
    });
  });

  test.each<[string, ToolCall, RegistryOptions?]>([
    ['ran', callOf({ paths: ['fail'] })],
    ['ran', callOf({ paths: ['slow'] })],
    ['none', callOf({})],
    ['none', callOf({ paths: ['a'] }), { interceptors: [(call) => call.answer('kept')] }],
  ])('a span says whether the tool was executed: %s %j', async (execution, call, options = {}) => {
    const attributes = await attributesOf(registryOf({}, options), call);
    expect(attributes).toMatchObject([{ 'toolmend.execution': execution }]);
  });

  test('every span of a tool has its description', async () => {
    const tools = registryOf({}, { approval: { needed: () => true } });
    const outcome = await tools.call(callOf({ paths: ['a'] }));
    tools.replace(Renamed);
    await spansOf(tools, callOf({ paths: 5 }), callOf({}, { name: 'nothing' }));
    await tools.resolveApproval(Reflect.get(outcome, 'approval'), { decision: 'approve' });
    const all = spans
      .getFinishedSpans()
      .map(({ attributes }) => attributes['gen_ai.tool.description']);
    expect(all).toEqual(['Takes one path.', undefined, 'Takes one path.']);
  });

  test('spans of the tool itself are children', async () => {
    const [inner, outer] = await spansOf(registryOf(), callOf({ paths: ['span'] }));
    expect([inner?.name, outer?.name]).toEqual(['inner', 'execute_tool read_files']);
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  const id = expect.stringMatching(/^[0-9a-f]{8}$/);
  const rules = ['tool_name', 'drop_null', 'json_text_to_array'];
  const ofRepair = { 'toolmend.repair.count': 3, 'toolmend.repair.rules': rules };
  const ofRejection = {
    'error.type': 'invalid_arguments',
    'toolmend.rejection.keywords': ['additionalProperties', 'type'],
    'toolmend.rejection.failures': 1,
  };
  const ofUnknown = { 'gen_ai.tool.name': '(unknown tool)', 'error.type': 'unknown_tool' };
  test.each<[string, ToolCall, object]>([
    ['a repaired call', callOf({ paths: '["a"]', token: null }, { name: 'ReadFiles' }), ofRepair],
    ['a rejected call', callOf({ paths: true, more: 1 }), ofRejection],
    ['a tool that is not there', callOf({}, { name: 'rm_rf' }), ofUnknown],
    [
      'an exception',
      callOf({ paths: ['throw'] }),
      { 'error.type': 'TypeError', 'toolmend.error.id': id },
    ],
    ['a retry', callOf({ paths: ['retry'] }), { 'error.type': 'tool_retry' }],
    ['a failure', callOf({ paths: ['fail'] }), { 'error.type': 'tool_failed' }],
    ['a result that has no form', callOf({ paths: ['cycle'] }), { 'error.type': 'invalid_result' }],
    [
      'a timeout',
      callOf({ paths: ['slow'] }),
      { 'error.type': 'timeout', 'toolmend.status': 'timed_out' },
    ],
  ])('a span has the attributes of %s', async (_title, call, attributes) => {
    const [span] = await spansOf(registryOf(), call);
    expect(span?.attributes).toMatchObject(attributes);
    expect(span?.status.code).toBe('error.type' in attributes ? 2 : 0);
  });

  test('a call that waits for a person, or goes on in the background, has no error', async () => {
    const sizeSchema = { type: 'object', properties: { size: { type: 'string' } } } as const;
    const tools = registryOf({}, { approval: {} }).register(
      RemoveFiles,
      toolOf((_values, call) => call.ask({ question: 'Which size?', schema: sizeSchema }), {
        name: 'ask_size',
      }),
      toolOf(() => 'built', { name: 'build', background: 'always' }),
    );
    const removal = callTo('remove_files', { paths: ['a'], token: canary });
    const endedSpans = await spansOf(tools, removal, callTo('ask_size'), callTo('build'));
    const endings = endedSpans.map(({ attributes }) => [
      attributes['toolmend.status'],
      attributes['error.type'],
    ]);
    expect(endings).toEqual([
      ['approval_required', undefined],
      ['input_required', undefined],
      ['in_background', undefined],
    ]);
  });

  test('a refused call is a span, without content', async () => {
    const tools = registryOf({ content: 'on' });
    await tools.close();
    const [span] = await spansOf(tools, callOf({ paths: '["a"]' }));
    const limits = { 'toolmend.status': 'limit_exceeded', 'error.type': 'limit_exceeded' };
    const attributes = { ...limits, 'toolmend.repair.rules': ['json_text_to_array'] };
    expect(span).toMatchObject({ attributes, status: { code: 2 } });
    expect(span?.attributes).not.toHaveProperty('gen_ai.tool.call.result');
  });

  test('content is recorded if it is switched on, without secrets', async () => {
    const call = callOf({ paths: ['a'], token: canary });
    const maskedText = '{"paths":["a"],"token":"(as you sent it)"}';
    const content = {
      'gen_ai.tool.call.arguments': maskedText,
      'gen_ai.tool.call.result': 'read 1',
    };
    expect(await attributesOf(registryOf({ content: 'on' }), call)).toMatchObject([content]);
  });

  test('a rejected call has the arguments as sent if its tool declares no secret, and content is on', async () => {
    const plain = toolOf(() => 'done', {
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
    });
    const sentText = '{"n": "many"}';
    const sent = callTo('work', sentText);

    for (const [content, text] of [
      ['on', sentText],
      ['off', undefined],
    ] as const) {
      const [attributes] = await attributesOf(registryOf({ content }).register(plain), sent);
      expect(attributes?.['toolmend.status']).toBe('invalid_arguments');
      expect(attributes?.['gen_ai.tool.call.arguments']).toBe(text);
    }
    const [secret] = await attributesOf(
      registryOf({ content: 'on' }),
      callOf({ paths: true, token: canary }),
    );
    expect(secret?.['toolmend.status']).toBe('invalid_arguments');
    expect(secret).not.toHaveProperty(['gen_ai.tool.call.arguments']);
  });

  test('a span has the conversation of its call', async () => {
    spans.reset();
    await registryOf().call(callOf({ paths: ['a'] }), { conversation: 'c1' });
    expect(spans.getFinishedSpans()[0]?.attributes['gen_ai.conversation.id']).toBe('c1');
  });

  test('an approval is two spans, and repairs are counted once', async () => {
    const tools = registryOf({}, { approval: { needed: () => true } });
    spans.reset();
    const outcome = await tools.call(callOf({ paths: '["a"]' }));
    for (const decision of ['approve', 'approve'] as const)
      await tools.resolveApproval(Reflect.get(outcome, 'approval'), { decision });
    const keys = ['toolmend.status', 'error.type', 'toolmend.repair.count'];
    const finishedSpans = spans.getFinishedSpans();
    expect(finishedSpans.map(({ attributes }) => keys.map((key) => attributes[key]))).toEqual([
      ['approval_required', undefined, 1],
      ['completed', undefined, undefined],
      ['denied', 'denied', undefined],
    ]);
    spans.reset();
    await expect(tools.resolveApproval({}, { decision: 'approve' })).rejects.toThrow('approval');
    expect(spans.getFinishedSpans()).toEqual([]);
  });

  test('durations, repairs and rejections are counted by tool, model and rule', async () => {
    const tools = registryOf();
    exported.reset();
    await tools.call(callOf({ paths: '["a"]' }, { model: 'glm' }));
    await tools.call(callOf({ paths: true }, { model: 'glm' }));
    await reader.forceFlush();
    const points = exported
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const tool = { 'gen_ai.tool.name': 'read_files' };
    const ofCall = { ...tool, 'gen_ai.request.model': 'glm' };
    const failureAttributes = {
      ...tool,
      'gen_ai.tool.type': 'function',
      'error.type': 'invalid_arguments',
    };
    for (const [name, unit, attributes] of [
      ['toolmend.repairs', '{call}', { ...ofCall, 'toolmend.repair.rule': 'json_text_to_array' }],
      ['toolmend.rejections', '{call}', { ...ofCall, 'toolmend.rejection.keyword': 'type' }],
      ['gen_ai.execute_tool.duration', 's', failureAttributes],
    ] as const) {
      const metric = points.find(({ descriptor }) => descriptor.name === name);
      expect(metric?.descriptor.unit).toBe(unit);
      const countValue = name.startsWith('gen_ai') ? {} : { value: 1 };
      expect(metric?.dataPoints).toContainEqual(
        expect.objectContaining({ ...countValue, attributes }),
      );
    }
  });

  const secret = { writeOnly: true } as const;
  const anything = {};
  const token = { properties: { token: secret } };
  const list = (schema: JsonSchema): SchemaObject => ({ properties: { list: schema } });
  const annotations = [{ 'x-toolmend': { verbatim: true } }, { 'x-toolmend': { secret: true } }];
  const patterns = (schema: JsonSchema): SchemaObject => ({ patternProperties: { '^t': schema } });
  const properties = { token: { $ref: '#/$defs/key', title: 'x' } };
  const reference = { $defs: { key: { format: 'password' } }, properties };

  test.each<[string, SchemaObject, unknown?]>([
    ['of a pattern', patterns(secret)],
    ['of another pattern', { patternProperties: { '^t': anything, n$: secret } }],
    ['of a pattern beside a declaration', { properties: { token: anything }, ...patterns(secret) }],
    ['of a pattern in one of several schemas', { allOf: [patterns(anything), patterns(secret)] }],
    ['of other keys', { additionalProperties: secret }],
    ['of unevaluated keys', { unevaluatedProperties: secret }],
    ['of keys', { propertyNames: secret }, { [canary]: 1 }],
    ['of elements', list({ items: secret }), { list: [canary] }],
    [
      'of elements in one of several schemas',
      list({ allOf: [{}, { items: secret }] }),
      { list: [canary] },
    ],
    ['of the first element', list({ prefixItems: [secret] }), { list: [canary] }],
    [
      'of additionalItems',
      list({ items: [anything], additionalItems: secret }),
      { list: [1, canary] },
    ],
    ['of unevaluated elements', list({ unevaluatedItems: secret }), { list: [canary] }],
    ['of one element', list({ contains: secret }), { list: [canary] }],
    ['in if', { if: token }],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    ['in if beside then', { if: token, then: { minProperties: 1 } }],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    ['in then', { if: anything, then: token }],
    ['in else', { if: false, else: token }],
    ['in dependentSchemas', { dependentSchemas: { token } }],
    ['in not', { not: { properties: { token: { ...secret, const: 1 } } } }],
    ['in a branch', { anyOf: [token, { required: ['other'] }] }],
    ['in a branch of the second of two unions', { anyOf: [anything], oneOf: [token] }],
    [
      'inside a text',
      { properties: { a: { contentSchema: token } } },
      { a: `{"token": "${canary}"}` },
    ],
    ['beside another annotation', { properties: { token: { allOf: annotations } } }],
    ['behind a reference', reference],
  ])(
    'a secret is hidden wherever a schema has it: %s',
    async (_title, schema, value = { token: canary }) => {
      const ofObject: SchemaObject = { type: 'object', ...schema };
      const echo = toolOf((values) => values, { inputSchema: ofObject, outputSchema: ofObject });
      const tools = registryOf({ content: 'on' }).register(echo);
      const [attributes] = await attributesOf(tools, callOf(value, { name: 'work' }));
      expect(attributes).toMatchObject({ 'toolmend.status': 'completed' });
      expect(attributes).toHaveProperty(['gen_ai.tool.call.arguments']);
      expect(attributes).toHaveProperty(['gen_ai.tool.call.result']);
      expect(JSON.stringify(attributes)).not.toContain(canary);
    },
  );

  test.each(['off', 'on'] as const)(
    'a secret is in no span, metric, event or message, with content %s',
    async (content) => {
      const paths = ['a', 'throw', 'retry', 'slow', 'cycle', 'check-throws'];
      const calls: readonly ToolCall[] = [
        ...paths.map((path) => callOf({ paths: [path], token: canary })),
        callOf({ paths: ['fail'], Token: [canary] }),
        callOf({ paths: true, token: [canary, canary] }),
        callOf({ path: 'a', tokn: canary }),
        callOf(`{"paths": ["a"], "token": "${canary}`),
        callOf(`{"paths": "[\\"a\\"]", "token": {"type": "string", "value": "${canary}"}}`),
        callOf({ token: canary }, { name: 'read' }),
      ];
      const listener = new RecordingListener();
      const stats = new RepairStats();
      exported.reset();
      const values: unknown[] = [];
      const ends = new Set<string>();
      const hear = (outcome: ToolOutcome): void => {
        values.push(toolMessage(outcome));
        ends.add('reason' in outcome ? `${outcome.status}/${outcome.reason}` : outcome.status);
      };
      for (const more of [
        {},
        { interceptors: [(call) => call.deny('no')] },
        { interceptors: [(_call, next) => next({ paths: ['a'], token: `${canary}2` })] },
        { interceptors: [() => Promise.reject(new Error(canary))] },
        { interceptors: [(call, next) => next({ ...call.arguments, extra: canary })] },
        { approval: { needed: () => true } },
      ] satisfies readonly RegistryOptions[]) {
        const tools = registryOf({ content }, { ...more, listeners: [listener, stats] });
        spans.reset();
        for (const call of calls) {
          const outcome = await tools.call(call);
          hear(outcome);
          if (outcome.status !== 'approval_required') continue;
          for (const editedCall of [
            { paths: [], token: 1, more: canary },
            { paths: ['a'], token: canary },
          ])
            hear(
              await tools.resolveApproval(outcome.approval, {
                decision: 'approve',
                arguments: editedCall,
              }),
            );
        }
        const spanTexts = spans
          .getFinishedSpans()
          .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
        expect(spanTexts.length).toBeGreaterThanOrEqual(calls.length);
        expect(JSON.stringify(spanTexts)).not.toContain(canary);
      }
      spans.reset();
      for await (const outcome of limitedOutcomes({ content }, [listener, stats])) hear(outcome);
      const spanTexts = spans
        .getFinishedSpans()
        .map(({ name, attributes, status }) => [name, attributes, status]);
      expect(JSON.stringify(spanTexts)).not.toContain(canary);
      expect([...ends].toSorted()).toEqual(everyEnd);
      await reader.forceFlush();
      expect(JSON.stringify(exported.getMetrics())).not.toContain(canary);
      expect(JSON.stringify([values, listener.events, stats.snapshot()])).not.toContain(canary);
    },
  );
});

test('telemetry that throws changes nothing', async () => {
  const refuse = thrower(new Error('no'));
  trace.setGlobalTracerProvider({ getTracer: refuse });
  metrics.setGlobalMeterProvider({ getMeter: refuse });
  expect((await registryOf({ content: 'on' }).call(callOf({ paths: ['a'] }))).status).toBe(
    'completed',
  );
  for (const api of [trace, metrics]) api.disable();
});
