// Tools, calls and a listener that many tests use. A test names only what it is about; the rest are
// defaults.
import {
  defineTool,
  type JsonObject,
  type SchemaObject,
  type ToolCall,
  type ToolContract,
  type ToolDefinition,
  type ToolError,
  type ToolEvent,
  type ToolListener,
  type ToolOutcome,
} from 'toolmend';

const workTool = { name: 'work', description: 'Works.', inputSchema: { type: 'object' } } as const;
const workCall = { id: 'call_1', name: 'work', arguments: {} };

/** The tool `work`, which takes any object and runs `execute`. */
export const toolOf = <Values extends object = JsonObject>(
  execute: ToolDefinition<Values>['execute'],
  options: Partial<ToolDefinition<Values>> = {},
): ToolContract => defineTool<Values>({ ...workTool, ...options, execute });

/** A call of the tool `work` without arguments. */
export const callOf = (call: Partial<ToolCall> = {}): ToolCall => ({ ...workCall, ...call });

/** A call of a tool with these arguments, as a value or as text. */
export const callTo = (name: string, sent: unknown = {}, more: Partial<ToolCall> = {}): ToolCall =>
  callOf({ name, arguments: sent, ...more });

/** The tool `name`, which takes these properties and no others. */
export const closedTool = <Values extends object = JsonObject>(
  name: string,
  execute: ToolDefinition<Values>['execute'],
  properties: NonNullable<SchemaObject['properties']> = {},
  options: Partial<ToolDefinition<Values>> & { readonly required?: readonly string[] } = {},
): ToolContract => {
  const { required = [], ...rest } = options;
  const inputSchema = {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  } as const;
  return toolOf<Values>(execute, { name, inputSchema, ...rest });
};

/** The handle of a call that runs in the background. */
export function handleOf(outcome: ToolOutcome | undefined): string {
  if (outcome?.status !== 'in_background') throw new Error(outcome?.status);
  return outcome.handle;
}

export const never = (): Promise<never> => new Promise(() => {});

export const thrower = (error: unknown) => (): never => {
  throw error;
};

/** The statuses of outcomes that are still to come. */
export const statusesOf = async (
  outcomes: Iterable<Promise<ToolOutcome>>,
): Promise<readonly string[]> => (await Promise.all(outcomes)).map(({ status }) => status);

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
