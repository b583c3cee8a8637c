// Which attributes does a span have? The conventions' names where there is one, else ours with the prefix `toolmend.`.
import type { Attributes } from '@opentelemetry/api';
import type { ObservedCall, ObservedEnd } from '../call-telemetry.ts';

/** Known from the start, for samplers. */
export const callAttributes = ({ callId, tool, description, model }: ObservedCall): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': tool ?? unknownTool,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': callId,
  ...(description === undefined ? {} : { 'gen_ai.tool.description': description }),
  ...(model === undefined ? {} : { 'gen_ai.request.model': model }),
});

/** Names that models make up have no end. */
export const unknownTool = '(unknown tool)';

export const endAttributes = (end: ObservedEnd): Attributes => ({
  'toolmend.outcome': end.outcome,
  ...(end.errorType === undefined ? {} : { 'error.type': end.errorType }),
  ...(end.errorId === undefined ? {} : { 'toolmend.error.id': end.errorId }),
  ...(end.rules.length === 0
    ? {}
    : {
        'toolmend.repair.count': end.rules.length,
        'toolmend.repair.rules': [...new Set(end.rules)],
      }),
  ...(end.keywords.length === 0 ? {} : { 'toolmend.rejection.keywords': [...end.keywords] }),
  ...(end.failures === undefined ? {} : { 'toolmend.rejection.failures': end.failures }),
});

export function contentAttributes({ content }: ObservedEnd): Attributes {
  const { arguments: text, result } = content();
  return {
    ...(text === undefined ? {} : { 'gen_ai.tool.call.arguments': text }),
    ...(result === undefined ? {} : { 'gen_ai.tool.call.result': result }),
  };
}
