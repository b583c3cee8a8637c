import {
  type Attributes,
  type Meter,
  type MeterProvider,
  type Span,
  type Tracer,
  type TracerProvider,
  context,
  metrics,
  trace,
  SpanKind,
  SpanStatusCode,
} from '@opentelemetry/api';
import { type OptionKinds, checkOptions, oneOfWords, string } from '../options/check-options.ts';
import { attempt } from '../collections/attempt.ts';
import { memoize } from '../collections/memoize.ts';
import { defined } from '../collections/objects.ts';
import { type CallTelemetry, type ObservedCall, type ObservedEnd, epochNow } from './tool-event.ts';

/** The options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /**
   * `on`: spans have the interpreted arguments (of a rejected call, those that were sent, unless its
   * tool declares secrets) and the result that the model reads, without secret
   * values. `off`: no span and no metric has a value of a call. Default: `off`.
   */
  readonly content?: 'on' | 'off';
  /** The attribute `gen_ai.agent.name`. Default: none. */
  readonly agentName?: string;
}

const optionKinds: OptionKinds<OpenTelemetryOptions> = {
  content: oneOfWords('on', 'off'),
  agentName: string,
};

const library = 'toolmend';

/**
 * The registry option `telemetry` for OpenTelemetry: a span `execute_tool {tool}` for each call, a
 * histogram of durations, counters of repairs and rejections, by the GenAI conventions
 * (https://github.com/open-telemetry/semantic-conventions-genai). Records nothing without an SDK.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): CallTelemetry {
  checkOptions('openTelemetry', options, optionKinds);
  const { content = 'off', agentName } = options;
  // By provider, because a program may set up its SDK after its registry.
  const tracerOf = memoize((provider: TracerProvider): Tracer => provider.getTracer(library));
  const metricsOf = memoize((provider: MeterProvider) =>
    callMetrics(provider.getMeter(library), agentName),
  );

  function begin(call: ObservedCall): Span {
    const name = call.tool === undefined ? 'execute_tool' : `execute_tool ${call.tool}`;
    const attributes = callAttributes(call, agentName);
    const span = { kind: SpanKind.INTERNAL, startTime: call.start, attributes };
    return tracerOf(trace.getTracerProvider()).startSpan(name, span);
  }

  function finish(span: Span | undefined, call: ObservedCall, end: ObservedEnd): void {
    const endTime = epochNow();
    if (span?.isRecording() === true) {
      span.setAttributes(endAttributes(end));
      if (content === 'on') span.setAttributes(contentAttributes(end));
      if (end.errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span?.end(endTime);
    const seconds = Math.max(0, endTime - call.start) / 1000;
    metricsOf(metrics.getMeterProvider())(call, end, seconds);
  }

  return {
    async observe(call, run, endOf) {
      const span = attempt(() => begin(call));
      try {
        const result = await runWithin(span, run);
        attempt(() => finish(span, call, endOf(result)));
        return result;
      } catch (error) {
        attempt(() => span?.end());
        throw error;
      }
    },
  };
}

/** Spans that the tool starts become children of its span. */
function runWithin<Result>(span: Span | undefined, run: () => Promise<Result>): Promise<Result> {
  if (span === undefined) return run();
  let result: Promise<Result> | undefined;
  attempt(() =>
    context.with(trace.setSpan(context.active(), span), () => {
      result = run();
    }),
  );
  return result ?? run();
}

/**
 * Set at the start, so that samplers can read them. Names are the conventions', else ours with the
 * prefix `toolmend.`.
 */
const callAttributes = (
  { callId, tool, description, model, conversation }: ObservedCall,
  agentName: string | undefined,
): Attributes =>
  defined({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool ?? unknownTool,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': callId,
    'gen_ai.tool.description': description,
    'gen_ai.request.model': model,
    'gen_ai.conversation.id': conversation,
    'gen_ai.agent.name': agentName,
  });

/** Models make up any number of names, so the name of an unknown tool is not recorded. */
const unknownTool = '(unknown tool)';

const endAttributes = ({ status, execution, rules, keywords, ...end }: ObservedEnd): Attributes =>
  defined({
    'toolmend.status': status,
    'toolmend.execution': execution,
    'error.type': end.errorType,
    'toolmend.error.id': end.errorId,
    'toolmend.repair.count': rules.length || undefined,
    'toolmend.repair.rules': rules.length === 0 ? undefined : [...new Set(rules)],
    'toolmend.rejection.keywords': keywords.length === 0 ? undefined : [...keywords],
    'toolmend.rejection.failures': end.failures,
  });

function contentAttributes({ content }: ObservedEnd): Attributes {
  const { arguments: text, result } = content();
  return defined({ 'gen_ai.tool.call.arguments': text, 'gen_ai.tool.call.result': result });
}

/** Seconds. */
const durationBounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

function callMetrics(meter: Meter, agentName: string | undefined) {
  const duration = meter.createHistogram('gen_ai.execute_tool.duration', {
    description: 'Duration of tool calls, including their interpretation.',
    unit: 's',
    advice: { explicitBucketBoundaries: durationBounds },
  });
  const repairs = meter.createCounter('toolmend.repairs', {
    description: 'Calls in which a rule repaired at least one location.',
    unit: '{call}',
  });
  const rejections = meter.createCounter('toolmend.rejections', {
    description: 'Rejected calls by keyword. A call with issues of two keywords counts for both.',
    unit: '{call}',
  });
  return (
    { tool = unknownTool, model }: ObservedCall,
    { errorType, rules, keywords }: ObservedEnd,
    seconds: number,
  ): void => {
    const attributes = { 'gen_ai.tool.name': tool, 'gen_ai.tool.type': 'function' };
    duration.record(
      seconds,
      defined({ ...attributes, 'gen_ai.agent.name': agentName, 'error.type': errorType }),
    );
    if (rules.length === 0 && keywords.length === 0) return;
    const sender = defined({ 'gen_ai.tool.name': tool, 'gen_ai.request.model': model });
    for (const rule of new Set(rules)) repairs.add(1, { ...sender, 'toolmend.repair.rule': rule });
    for (const keyword of keywords)
      rejections.add(1, { ...sender, 'toolmend.rejection.keyword': keyword });
  };
}
