// The same span and measurement with OpenTelemetry's SDK alone, without toolmend.
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, NoopSpanProcessor } from '@opentelemetry/sdk-trace-base';

/**
 * Sets the SDK up for the process: spans are made and dropped, measurements are kept and never
 * exported.
 */
export function switchOn(): void {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new NoopSpanProcessor()] }),
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 600_000 });
  meters = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(meters);
}

let meters: MeterProvider | undefined;

export async function switchOff(): Promise<void> {
  await meters?.shutdown();
  for (const api of [trace, context, metrics]) api.disable();
}

/** What a program would write around its handler by the same conventions. */
export function spanByHand(run: () => Promise<unknown>): () => Promise<unknown> {
  const tracer = trace.getTracer('by hand');
  const histogram = metrics
    .getMeter('by hand')
    .createHistogram('gen_ai.execute_tool.duration', { unit: 's' });
  const attributes = { 'gen_ai.tool.name': 'look_up', 'gen_ai.tool.type': 'function' };
  return async () => {
    const start = performance.now();
    const span = tracer.startSpan('execute_tool look_up', {
      attributes: {
        ...attributes,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.call.id': 'call_1',
        'gen_ai.tool.description': 'Looks something up.',
      },
    });
    const result = await context.with(trace.setSpan(context.active(), span), run);
    span.setAttribute('outcome', 'completed');
    span.end();
    histogram.record((performance.now() - start) / 1000, attributes);
    return result;
  };
}
