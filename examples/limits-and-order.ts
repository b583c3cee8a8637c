// Limits how many calls run at once and in one agent run, and orders calls that must not overlap.
import { deepStrictEqual } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { defineTool, toolMessage, ToolRegistry, ToolRun } from 'toolmend';

const log: string[] = [];
const inputSchema = { type: 'object', properties: { path: { type: 'string' } } } as const;
const work = async ({ path }: { path?: string }, name: string): Promise<string> => {
  log.push(`${name} ${path} starts`);
  await delay(20);
  log.push(`${name} ${path} ends`);
  return `${name} ${path}`;
};

const tools = new ToolRegistry({ concurrencyLimit: 8 }).register(
  defineTool<{ path?: string }>({
    name: 'edit',
    description: 'Edit a file.',
    inputSchema,
    concurrency: { key: ({ path }) => path }, // never two at once on one path
    execute: (values) => work(values, 'edit'),
  }),
  defineTool<{ path?: string }>({
    name: 'move_all',
    description: 'Move all files.',
    inputSchema,
    concurrency: 'exclusive', // earlier calls end first, later ones wait
    callLimit: 1,
    execute: (values) => work(values, 'move'),
  }),
);

const run = new ToolRun({ retryLimit: 2 }); // one for each run of an agent
const calls = [
  { id: '1', name: 'edit', arguments: '{"path": "a"}' },
  { id: '2', name: 'edit', arguments: '{"path": "a"}' },
  { id: '3', name: 'move_all', arguments: '{"path": "to"}' },
  { id: '4', name: 'edit', arguments: '{"path": "b"}' },
  { id: '5', name: 'move_all', arguments: '{"path": "back"}' },
];
const outcomes = await tools.callAll(calls, { run, tenant: 'Ada' }); // tenants take turns
for (const outcome of outcomes) {
  const { text, notes } = toolMessage(outcome);
  console.log([outcome.status, text, ...notes].join(' | '));
}
deepStrictEqual(
  log.map((line) => line.replace(/starts$/, '+').replace(/ends$/, '-')),
  [
    'edit a +',
    'edit a -',
    'edit a +',
    'edit a -',
    'move to +',
    'move to -',
    'edit b +',
    'edit b -',
  ],
);
