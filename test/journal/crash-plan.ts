// What the processes of the crash test and the process that starts them know.
export const conversation = 'crash';
export const leaseMs = 400;

const tools = ['charge', 'read', 'refund', 'put', 'book', 'order', 'lapse', 'seat'] as const;

/** Calls of each tool alternate. */
export const toolOfCall = (index: number): (typeof tools)[number] =>
  tools[(index >> 2) % tools.length] ?? 'read';

/** Whether a call of the tool may run twice. */
export const mayRunTwice = (tool: string): boolean => tool === 'read' || tool === 'put';

/** Whether the work of the tool is committed with the outcome. */
export const isTransactional = (tool: string): boolean => tool === 'book' || tool === 'seat';

/** Whether the tool asks a person. Nobody answers `lapse`, which goes on when its time is over. */
export const asks = (tool: string): boolean => ['order', 'lapse', 'seat'].includes(tool);
export const isAnswered = (tool: string): boolean => tool !== 'lapse';

const methods = [
  'begin',
  'runInTransaction',
  'end',
  'openApproval',
  'useApproval',
  'takeAbandoned',
  'doubt',
];

/** Where a process is killed: around each write, and around the work of a tool. */
export const points: readonly string[] = [
  'before effect',
  'after effect',
  ...methods.flatMap((method) => [`before ${method}`, `during ${method}`, `after ${method}`]),
];
