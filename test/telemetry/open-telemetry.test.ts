// What does OpenTelemetry see of calls, with a real SDK, without one, and never?
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
  defineTool,
  RepairStats,
  Secret,
  Tool,
  type CallTelemetry,
  type RegistryOptions,
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
import { RecordingListener } from '../tools.ts';

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
const reader = new PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 600_000 });
const meters = new MeterProvider({ readers: [reader] });

const callOf = (sent: unknown, more: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call_1',
  name: 'read_files',
  arguments: sent,
  model: 'qwen3',
  ...more,
});

const registryOf = (options: OpenTelemetryOptions = {}, more: RegistryOptions = {}): ToolRegistry =>
  new ToolRegistry({ telemetry: openTelemetry(options), ...more }).register(ReadFiles);

async function spansOf(tools: ToolRegistry, ...calls: readonly ToolCall[]): Promise<readonly ReadableSpan[]> {
  spans.reset();
  for (const call of calls) await tools.call(call);
  return spans.getFinishedSpans();
}

/** Outcomes of calls with a secret that meet a limit or are cancelled. */
async function* limitedOutcomes(
  options: OpenTelemetryOptions,
  listeners: readonly ToolListener[],
): AsyncGenerator<ToolOutcome> {
  const more = { listeners, concurrencyLimit: 1, queueLimit: 0 };
  const tools = registryOf(options, more).register(RemoveFiles);
  const of = (path: unknown, rest: object = {}): ToolCall =>
    callOf({ paths: [path], token: canary, ...rest });
  for (const [call, how] of [
    [of('long'), {}],
    [of('a'), { signal: AbortSignal.abort(new Error(canary)) }],
    [of('slow'), { signal: AbortSignal.timeout(1) }],
    [callOf({ paths: '["a"]', token: canary }, { name: 'remove_files' }), {}],
  ] as const)
    yield tools.call(call, how);
  yield* await tools.callAll([of('slow'), of('slow')]);
  const [failing, repeating, full] = [
    new ToolRun({ retryLimit: 1 }),
    new CallMemory(),
    new ToolRun({ callLimit: 1 }),
  ];
  for (let time = 0; time < 4; time += 1) {
    yield tools.call(callOf({ paths: true, token: [canary] }), { run: failing, memory: repeating });
    yield tools.call(of('throw'), { memory: repeating });
  }
  for (let time = 0; time < 4; time += 1) yield tools.call(of('throw'), { memory: repeating });
  for (let time = 0; time < 2; time += 1) yield tools.call(of('a'), { run: full });
  const single = new ToolRun({ callLimitPerTool: 1 });
  for (let time = 0; time < 2; time += 1) yield tools.call(of('a'), { run: single });
  await tools.close();
  yield tools.call(of('a'));
}

const everyWay = [
  'approval_required',
  'cancelled',
  'completed',
  'denied',
  'failed declared',
  'failed exception',
  'failed result',
  'invalid_arguments',
  'limit_exceeded busy',
  'limit_exceeded call_limit',
  'limit_exceeded closed',
  'limit_exceeded repeated',
  'limit_exceeded retry_limit',
  'limit_exceeded run_limit',
  'retry',
  'timed_out',
  'unknown_tool',
];

test('without an SDK calls go on as ever', async () => {
  const outcome = await registryOf({ content: 'on' }).call(callOf({ paths: ['a'] }));
  expect(toolMessage(outcome).text).toBe('read 1');
});

describe('with an SDK', () => {
  beforeAll(() => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
    );
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    metrics.setGlobalMeterProvider(meters);
  });

  afterAll(async () => {
    await meters.shutdown();
    for (const api of [trace, context, metrics]) api.disable();
  });

  test('a call is a span by the conventions', async () => {
    const [span, ...others] = await spansOf(registryOf({ agentName: 'clerk' }), callOf({ paths: ['a'] }));
    expect(others).toEqual([]);
    expect(span?.name).toBe('execute_tool read_files');
    expect(span?.kind).toBe(0);
    expect(span?.status).toEqual({ code: 0 });
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

  test('a span says whether the tool was executed', async () => {
    const executionOf = async (tools: ToolRegistry, call: ToolCall): Promise<unknown> =>
      (await spansOf(tools, call))[0]?.attributes['toolmend.execution'];
    const answering = registryOf({}, { interceptors: [(call) => call.answer('kept')] });
    expect([
      await executionOf(registryOf(), callOf({ paths: ['fail'] })),
      await executionOf(registryOf(), callOf({ paths: ['slow'] })),
      await executionOf(registryOf(), callOf({})),
      await executionOf(registryOf(), callOf({}, { name: 'nothing' })),
      await executionOf(answering, callOf({ paths: ['a'] })),
    ]).toEqual(['ran', 'ran', 'none', 'none', 'none']);
  });

  test('the description of the tool stands on every span of it', async () => {
    const tools = registryOf({}, { approval: { needed: () => true } });
    const waiting = await tools.call(callOf({ paths: ['a'] }));
    tools.replace(Renamed);
    const found = await spansOf(tools, callOf({ paths: 5 }), callOf({}, { name: 'nothing' }));
    spans.reset();
    if (waiting.status === 'approval_required')
      await tools.resolveApproval(waiting.approval, { decision: 'approve' });
    expect(
      [...found, ...spans.getFinishedSpans()].map(({ attributes }) => [
        attributes['toolmend.status'],
        attributes['gen_ai.tool.description'],
      ]),
    ).toEqual([
      ['invalid_arguments', 'Takes one path.'],
      ['unknown_tool', undefined],
      ['invalid_arguments', 'Takes one path.'],
    ]);
  });

  test('what the tool does stands below it', async () => {
    const [inner, outer] = await spansOf(registryOf(), callOf({ paths: ['span'] }));
    expect([inner?.name, outer?.name]).toEqual(['inner', 'execute_tool read_files']);
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  test.each<[string, ToolCall, object]>([
    [
      'a repaired call',
      callOf({ paths: '["a"]', token: null }, { name: 'ReadFiles' }),
      {
        'toolmend.repair.count': 3,
        'toolmend.repair.rules': ['tool_name', 'drop_null', 'json_text_to_array'],
      },
    ],
    [
      'a rejected call',
      callOf({ paths: true, more: 1 }),
      {
        'error.type': 'invalid_arguments',
        'toolmend.rejection.keywords': ['additionalProperties', 'type'],
        'toolmend.rejection.failures': 1,
      },
    ],
    [
      'a tool that is not there',
      callOf({}, { name: 'rm_rf' }),
      { 'gen_ai.tool.name': '(unknown tool)', 'error.type': 'unknown_tool' },
    ],
    [
      'an exception',
      callOf({ paths: ['throw'] }),
      { 'error.type': 'TypeError', 'toolmend.error.id': expect.any(String) },
    ],
    ['a retry', callOf({ paths: ['retry'] }), { 'error.type': 'tool_retry' }],
    ['a failure', callOf({ paths: ['fail'] }), { 'error.type': 'tool_failed' }],
    ['a result that has no form', callOf({ paths: ['cycle'] }), { 'error.type': 'invalid_result' }],
    [
      'a time limit',
      callOf({ paths: ['slow'] }),
      { 'error.type': 'timeout', 'toolmend.status': 'timed_out' },
    ],
  ])('%s', async (_title, call, attributes) => {
    const [span] = await spansOf(registryOf(), call);
    expect(span?.attributes).toMatchObject(attributes);
    expect(span?.status.code).toBe('error.type' in attributes ? 2 : 0);
  });

  test('a call that is not let in is a span of its own', async () => {
    const tools = registryOf({ content: 'on' });
    await tools.close();
    const [span] = await spansOf(tools, callOf({ paths: '["a"]' }));
    expect(span?.attributes).toMatchObject({
      'toolmend.status': 'limit_exceeded',
      'error.type': 'limit_exceeded',
      'toolmend.repair.rules': ['json_text_to_array'],
    });
    expect(span?.attributes).not.toHaveProperty('gen_ai.tool.call.result');
    expect(span?.status.code).toBe(2);
  });

  test('content is there when it is switched on, without secrets', async () => {
    const [span] = await spansOf(registryOf({ content: 'on' }), callOf({ paths: ['a'], token: canary }));
    expect(span?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"paths":["a"],"token":"(as you sent it)"}',
      'gen_ai.tool.call.result': 'read 1',
    });
  });

  test('an approval is two spans, and what was repaired is counted once', async () => {
    const tools = registryOf({}, { approval: { needed: () => true } });
    spans.reset();
    const waiting = await tools.call(callOf({ paths: '["a"]' }));
    if (waiting.status !== 'approval_required') throw new Error(waiting.status);
    await tools.resolveApproval(waiting.approval, { decision: 'approve' });
    await tools.resolveApproval(waiting.approval, { decision: 'approve' });
    expect(
      spans
        .getFinishedSpans()
        .map(({ attributes }) => [
          attributes['toolmend.status'],
          attributes['error.type'],
          attributes['toolmend.repair.count'],
        ]),
    ).toEqual([
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
    const found = exported
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const pointsOf = (name: string) =>
      found.filter(({ descriptor }) => descriptor.name === name).flatMap(({ dataPoints }) => [...dataPoints]);
    const repaired = {
      'gen_ai.tool.name': 'read_files',
      'gen_ai.request.model': 'glm',
      'toolmend.repair.rule': 'json_text_to_array',
    };
    expect(pointsOf('toolmend.repairs')).toContainEqual(
      expect.objectContaining({ value: 1, attributes: repaired }),
    );
    const rejected = {
      'gen_ai.tool.name': 'read_files',
      'gen_ai.request.model': 'glm',
      'toolmend.rejection.keyword': 'type',
    };
    expect(pointsOf('toolmend.rejections')).toContainEqual(
      expect.objectContaining({ value: 1, attributes: rejected }),
    );
    const durations = pointsOf('gen_ai.execute_tool.duration');
    expect(durations.map(({ attributes }) => attributes)).toContainEqual({
      'gen_ai.tool.name': 'read_files',
      'gen_ai.tool.type': 'function',
      'error.type': 'invalid_arguments',
    });
    expect(
      found.find(({ descriptor }) => descriptor.name === 'gen_ai.execute_tool.duration')?.descriptor.unit,
    ).toBe('s');
  });

  const secret = { writeOnly: true } as const;
  const anything = {};
  test.each<[string, SchemaObject, unknown]>([
    ['of a pattern', { patternProperties: { '^t': secret } }, { token: canary }],
    ['of another pattern', { patternProperties: { '^t': anything, n$: secret } }, { token: canary }],
    [
      'of a pattern beside a declaration',
      { properties: { token: anything }, patternProperties: { '^t': secret } },
      { token: canary },
    ],
    [
      'of a pattern in one of several schemas',
      { allOf: [{ patternProperties: { '^t': anything } }, { patternProperties: { '^t': secret } }] },
      { token: canary },
    ],
    ['of other keys', { additionalProperties: secret }, { token: canary }],
    ['of keys that nothing speaks of', { unevaluatedProperties: secret }, { token: canary }],
    ['of keys', { propertyNames: secret }, { [canary]: 1 }],
    ['of elements', { properties: { list: { items: secret } } }, { list: [canary] }],
    [
      'of elements in one of several schemas',
      { properties: { list: { allOf: [{ items: anything }, { items: secret }] } } },
      { list: [canary] },
    ],
    ['of the first element', { properties: { list: { prefixItems: [secret] } } }, { list: [canary] }],
    [
      'of the elements after the first, as draft-07 says it',
      { properties: { list: { items: [anything], additionalItems: secret } } },
      { list: [1, canary] },
    ],
    [
      'of elements that nothing speaks of',
      { properties: { list: { unevaluatedItems: secret } } },
      { list: [canary] },
    ],
    ['of one element', { properties: { list: { contains: secret } } }, { list: [canary] }],
    ['in a condition', { if: { properties: { token: secret } } }, { token: canary }],
    [
      'in a condition with consequences',
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      { if: { properties: { token: secret } }, then: { minProperties: 1 } },
      { token: canary },
    ],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    ['on a condition', { if: anything, then: { properties: { token: secret } } }, { token: canary }],
    ['else', { if: false, else: { properties: { token: secret } } }, { token: canary }],
    ['on a key', { dependentSchemas: { token: { properties: { token: secret } } } }, { token: canary }],
    ['in what must not be', { not: { properties: { token: { ...secret, const: 1 } } } }, { token: canary }],
    [
      'in a branch',
      { anyOf: [{ properties: { token: secret } }, { required: ['other'] }] },
      { token: canary },
    ],
    [
      'in a branch of the second of two unions',
      { anyOf: [anything], oneOf: [{ properties: { token: secret } }] },
      { token: canary },
    ],
    [
      'of what a text holds',
      { properties: { text: { contentSchema: { properties: { token: secret } } } } },
      { text: `{"token": "${canary}"}` },
    ],
    [
      'beside another annotation',
      {
        properties: {
          token: { allOf: [{ 'x-toolmend': { verbatim: true } }, { 'x-toolmend': { secret: true } }] },
        },
      },
      { token: canary },
    ],
    [
      'behind a reference',
      { $defs: { key: { format: 'password' } }, properties: { token: { $ref: '#/$defs/key', title: 'x' } } },
      { token: canary },
    ],
  ])('a secret is one wherever a schema says it: %s', async (_title, schema, value) => {
    const tools = new ToolRegistry({ telemetry: openTelemetry({ content: 'on' }) }).register(
      defineTool({
        name: 'keep',
        description: 'Keeps.',
        inputSchema: { type: 'object', ...schema },
        outputSchema: { type: 'object', ...schema },
        execute: (values) => values,
      }),
    );
    spans.reset();
    expect((await tools.call({ id: 'c', name: 'keep', arguments: value })).status).toBe('completed');
    const [span] = spans.getFinishedSpans();
    expect(span?.attributes).toHaveProperty(['gen_ai.tool.call.arguments']);
    expect(span?.attributes).toHaveProperty(['gen_ai.tool.call.result']);
    expect(JSON.stringify(span?.attributes)).not.toContain(canary);
  });

  test('a canary is in nothing that leaves, on any path, with content only where it is no secret', async () => {
    const sent: readonly ToolCall[] = [
      callOf({ paths: ['a'], token: canary }),
      callOf({ paths: ['throw'], token: canary }),
      callOf({ paths: ['retry'], token: canary }),
      callOf({ paths: ['fail'], Token: [canary] }),
      callOf({ paths: ['slow'], token: canary }),
      callOf({ paths: ['cycle'], token: canary }),
      callOf({ paths: ['check-throws'], token: canary }),
      callOf({ paths: true, token: [canary, canary] }),
      callOf({ path: 'a', tokn: canary }),
      callOf(`{"paths": ["a"], "token": "${canary}`),
      callOf(`{"paths": "[\\"a\\"]", "token": {"type": "string", "value": "${canary}"}}`),
      callOf({ token: canary }, { name: 'read' }),
    ];
    for (const content of ['off', 'on'] as const) {
      const listener = new RecordingListener();
      const stats = new RepairStats();
      exported.reset();
      const read: unknown[] = [];
      const ways = new Set<string>();
      const hear = (outcome: ToolOutcome): void => {
        read.push(toolMessage(outcome));
        ways.add('reason' in outcome ? `${outcome.status} ${outcome.reason}` : outcome.status);
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
        for (const call of sent) {
          const outcome = await tools.call(call);
          hear(outcome);
          if (outcome.status !== 'approval_required') continue;
          for (const edited of [
            { paths: [], token: 1, more: canary },
            { paths: ['a'], token: canary },
          ]) {
            hear(await tools.resolveApproval(outcome.approval, { decision: 'approve', arguments: edited }));
          }
        }
        const seen = spans
          .getFinishedSpans()
          .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
        expect(seen.length).toBeGreaterThanOrEqual(sent.length);
        expect(JSON.stringify(seen)).not.toContain(canary);
      }
      spans.reset();
      for await (const outcome of limitedOutcomes({ content }, [listener, stats])) hear(outcome);
      const seen = spans.getFinishedSpans().map(({ name, attributes, status }) => [name, attributes, status]);
      expect(JSON.stringify(seen)).not.toContain(canary);
      expect([...ways].toSorted()).toEqual(everyWay);
      await reader.forceFlush();
      expect(JSON.stringify(exported.getMetrics())).not.toContain(canary);
      expect(JSON.stringify([read, listener.events, stats.snapshot()])).not.toContain(canary);
    }
  });
});

test('telemetry that throws changes nothing', async () => {
  const refuse = (): never => {
    throw new Error('no');
  };
  trace.setGlobalTracerProvider({ getTracer: refuse });
  metrics.setGlobalMeterProvider({ getMeter: refuse });
  expect((await registryOf({ content: 'on' }).call(callOf({ paths: ['a'] }))).status).toBe('completed');
  for (const api of [trace, metrics]) api.disable();
});

test('another library can stand there', async () => {
  const told: unknown[] = [];
  const telemetry: CallTelemetry = {
    async observe(call, run, endOf) {
      const result = await run();
      told.push(call.tool, endOf(result).status);
      return result;
    },
  };
  await new ToolRegistry({ telemetry }).register(ReadFiles).call(callOf({ paths: ['a'] }));
  expect(told).toEqual(['read_files', 'completed']);
});
