// What do guards, interceptors and filters know of the call that they stand around?
import type { ArgumentsHost } from '@nestjs/common';
import type { InterceptedCall } from '../../registry/intercept/interceptor.ts';

/** What `context.getType()` says in a guard, interceptor or filter around a tool call. */
export const toolContextType = 'toolmend';

/** A call whose arguments were accepted; frozen. */
export type ToolExecution = Omit<InterceptedCall, 'deny' | 'answer'>;

/**
 * The tool call that a guard, interceptor, filter or parameter decorator stands around; undefined around anything else,
 * as an HTTP request.
 */
export function toolExecutionOf(host: ArgumentsHost): ToolExecution | undefined {
  return host.getType<string>() === toolContextType ? host.getArgByIndex<ToolExecution>(1) : undefined;
}

export function executionOf(call: InterceptedCall): ToolExecution {
  const {
    call: sent,
    tool,
    contract,
    interpretation,
    arguments: interpreted,
    values,
    signal,
    approval,
  } = call;
  const facts = { call: sent, tool, contract, interpretation, values, signal, approval };
  return Object.freeze({ ...facts, arguments: interpreted });
}
