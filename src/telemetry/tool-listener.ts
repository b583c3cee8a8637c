// How do events reach the program without any way back into the call?
import type { SchemaWarning } from './schema-warning.ts';
import { tell } from './tell.ts';
import type { ToolError, ToolEvent } from './tool-event.ts';

/** Told of every call. Not waited for; what it throws or rejects with is dropped. */
export interface ToolListener {
  onEvent?(event: ToolEvent): unknown;
  /** For the program's own log: the exception behind an error id, or what a check threw instead of judging. */
  onError?(error: ToolError): unknown;
  /** When a tool is registered whose schema can't be used in full. */
  onWarning?(warning: SchemaWarning): unknown;
}

export function tellEvent(listeners: readonly ToolListener[], event: ToolEvent): void {
  for (const listener of listeners) tell(() => listener.onEvent?.(event));
}

export function tellError(listeners: readonly ToolListener[], error: ToolError): void {
  for (const listener of listeners) tell(() => listener.onError?.(error));
}
