// Tools, calls and a listener that many tests use. A test names only what it is about; the rest are defaults.
import {
  defineTool,
  type JsonObject,
  type ToolCall,
  type ToolContract,
  type ToolDefinition,
  type ToolError,
  type ToolEvent,
  type ToolListener,
  type ToolOutcome,
} from 'toolmend';

/** The tool `work`, which takes any object and runs `execute`. */
export const toolOf = <Values extends object = JsonObject>(
  execute: ToolDefinition<Values>['execute'],
  options: Partial<ToolDefinition<Values>> = {},
): ToolContract =>
  defineTool<Values>({
    name: 'work',
    description: 'Works.',
    inputSchema: { type: 'object' },
    ...options,
    execute,
  });

/** A call of the tool `work` without arguments. */
export const callOf = (call: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call_1',
  name: 'work',
  arguments: {},
  ...call,
});

export const never = (): Promise<never> => new Promise(() => {});

export const thrower = (error: unknown) => (): never => {
  throw error;
};

/** The statuses of outcomes that are still to come. */
export const statusesOf = async (outcomes: Iterable<Promise<ToolOutcome>>): Promise<readonly string[]> =>
  (await Promise.all(outcomes)).map(({ status }) => status);

/** Runs `work` and returns the promises that were rejected unhandled meanwhile. */
export async function unhandledDuring(work: () => unknown): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const remember = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', remember);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', remember);
  return unhandled;
}

/** Records what a registry reports. */
export class RecordingListener implements ToolListener {
  readonly events: ToolEvent[] = [];
  readonly errors: ToolError[] = [];

  onEvent(event: ToolEvent): void {
    this.events.push(event);
  }

  onError(error: ToolError): void {
    this.errors.push(error);
  }
}
