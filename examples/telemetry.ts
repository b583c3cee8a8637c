// Writes traces and metrics of calls to OpenTelemetry, here to an exporter in memory.
import assert from 'node:assert/strict';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { IsString } from 'class-validator';
import { ArrayOf, Secret, Tool, ToolRegistry } from 'toolmend';
import { openTelemetry } from 'toolmend/opentelemetry';

const spans = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
);

@Tool({ description: 'Send mail.' })
class SendMail {
  @ArrayOf(String)
  to!: string[];

  @IsString()
  @Secret()
  token!: string;

  execute(): string {
    return 'sent';
  }
}

const tools = new ToolRegistry({ telemetry: openTelemetry({ content: 'on' }) }).register(SendMail);

const sent = '{"to": "[\\"ada@example.com\\"]", "token": "s3cr3t"}';
await tools.call({ id: 'call_1', name: 'send_mail', arguments: sent, model: 'qwen3' });

const [span] = spans.getFinishedSpans();
assert(span !== undefined && !JSON.stringify(span.attributes).includes('s3cr3t'));

console.log(span.name);
console.log(span.attributes['toolmend.status'], span.attributes['toolmend.repair.rules']);
console.log(span.attributes['gen_ai.tool.call.arguments']);
