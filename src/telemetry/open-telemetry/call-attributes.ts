// Which attributes does a span have? The conventions' names where there is one, else ours with the prefix `toolmend.`.
import type { Attributes } from '@opentelemetry/api';
import type { ObservedCall, ObservedEnd } from '../call-telemetry.ts';

/** Known from the start, for samplers. */
export function callAttributes(call: ObservedCall, agentName: string | undefined): Attributes {
  const { callId, tool, description, model } = call;
  const attributes: Attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool ?? unknownTool,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': callId,
  };
  if (description !== undefined) attributes['gen_ai.tool.description'] = description;
  if (model !== undefined) attributes['gen_ai.request.model'] = model;
  if (agentName !== undefined) attributes['gen_ai.agent.name'] = agentName;
  return attributes;
}

/** Names that models make up have no end. */
export const unknownTool = '(unknown tool)';

export function endAttributes({ outcome, execution, rules, keywords, ...end }: ObservedEnd): Attributes {
  const attributes: Attributes = { 'toolmend.outcome': outcome, 'toolmend.execution': execution };
  if (end.errorType !== undefined) attributes['error.type'] = end.errorType;
  if (end.errorId !== undefined) attributes['toolmend.error.id'] = end.errorId;
  if (rules.length > 0) {
    attributes['toolmend.repair.count'] = rules.length;
    attributes['toolmend.repair.rules'] = [...new Set(rules)];
  }
  if (keywords.length > 0) attributes['toolmend.rejection.keywords'] = [...keywords];
  if (end.failures !== undefined) attributes['toolmend.rejection.failures'] = end.failures;
  return attributes;
}

export function contentAttributes({ content }: ObservedEnd): Attributes {
  const { arguments: text, result } = content();
  return {
    ...(text === undefined ? {} : { 'gen_ai.tool.call.arguments': text }),
    ...(result === undefined ? {} : { 'gen_ai.tool.call.result': result }),
  };
}
