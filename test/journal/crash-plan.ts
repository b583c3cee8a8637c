// What the processes of the crash test and the process that starts them know.
export const conversation = 'crash';
export const leaseMs = 400;

const tools = ['charge', 'read', 'refund', 'put'] as const;

/** Calls of each tool alternate. */
export const toolOfCall = (index: number): (typeof tools)[number] => tools[(index >> 2) % 4] ?? 'read';

/** Whether a call of the tool may run twice. */
export const mayRunTwice = (tool: string): boolean => tool === 'read' || tool === 'put';

const methods = ['begin', 'end', 'openApproval', 'useApproval', 'takeAbandoned', 'doubt'];

/** Where a process is killed: around each write, and around the work of a tool. */
export const points: readonly string[] = [
  'before effect',
  'after effect',
  ...methods.flatMap((method) => [`before ${method}`, `during ${method}`, `after ${method}`]),
];
