// How do calls appear in OpenTelemetry? By the GenAI conventions for executing tools:
// https://github.com/open-telemetry/semantic-conventions-genai. Without an SDK nothing is recorded.
import {
  context,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import type { CallTelemetry, ObservedCall, ObservedEnd } from '../call-telemetry.ts';
import { epochNow } from '../epoch-now.ts';
import { callAttributes, contentAttributes, endAttributes } from './call-attributes.ts';
import { type CallMetrics, callMetrics } from './call-metrics.ts';

export interface OpenTelemetryOptions {
  /**
   * `on`: spans hold the interpreted arguments and the result as the model reads it, whatever is in them, but for a word in
   * the place of every value that a schema calls secret. Default: `off`, no value of any call is in a span or a metric.
   */
  readonly content?: 'on' | 'off';
  /** `gen_ai.agent.name`. */
  readonly agentName?: string;
}

const library = 'toolmend';

/** A span `execute_tool {tool}` for each call, its duration as a histogram, and counters of repairs and rejections. */
export function openTelemetry({ content = 'off', agentName }: OpenTelemetryOptions = {}): CallTelemetry {
  // By their provider: a program may set its SDK up after its registry.
  const tracers = new WeakMap<TracerProvider, Tracer>();
  const recorders = new WeakMap<MeterProvider, CallMetrics>();

  function begin(call: ObservedCall): Span {
    const name = call.tool === undefined ? 'execute_tool' : `execute_tool ${call.tool}`;
    const attributes = callAttributes(call, agentName);
    const { start: startTime } = call;
    const provider = trace.getTracerProvider();
    const tracer = kept(tracers, provider, () => provider.getTracer(library));
    return tracer.startSpan(name, { kind: SpanKind.INTERNAL, startTime, attributes });
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
    const provider = metrics.getMeterProvider();
    const recorder = kept(recorders, provider, () => callMetrics(provider.getMeter(library)));
    recorder.record(call, end, { seconds, agentName });
  }

  return {
    async observe(call, run, endOf) {
      const span = dropping(() => begin(call));
      try {
        const result = await runWithin(span, run);
        dropping(() => finish(span, call, endOf(result)));
        return result;
      } catch (error) {
        dropping(() => span?.end());
        throw error;
      }
    },
  };
}

/** What the tool does itself stands below its span. */
function runWithin<Result>(span: Span | undefined, run: () => Promise<Result>): Promise<Result> {
  if (span === undefined) return run();
  let running: Promise<Result> | undefined;
  dropping(() =>
    context.with(trace.setSpan(context.active(), span), () => {
      running = run();
    }),
  );
  return running ?? run();
}

function kept<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** Telemetry never changes what becomes of a call. */
function dropping<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
