// Tools that say more than a function has: strict mode, a grammar, and members of one provider.
import { defineTool, textTool, ToolRegistry } from 'toolmend';

/** `marksOf` finds what it says of providers. */
const findOrder = defineTool({
  name: 'find_order',
  title: 'Find an order',
  description: 'Find an order.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  },
  providerOptions: {
    anthropic: { cache_control: { type: 'ephemeral', ttl: '1h' } },
    openai: { allowed_callers: ['programmatic'] },
    mcp: { icons: [{ src: 'https://a.test/order.svg' }], _meta: { team: 'orders' } },
  },
  effects: 'read',
  execute: ({ id }) => id,
});

const grammar = { syntax: 'lark', definition: 'start: /[^]+/' } as const;

const applyPatch = textTool({
  name: 'apply_patch',
  description: 'Apply a patch.',
  argument: 'patch',
  grammar,
  execute: (patch) => patch,
});

export const offeredContracts = [findOrder, applyPatch] as const;

export const offeredTools = (): ToolRegistry =>
  new ToolRegistry({ hints: 'off' }).register(...offeredContracts);

const marks: readonly unknown[] = [
  'Find an order',
  '1h',
  'programmatic',
  'https://a.test/order.svg',
  'orders',
];

type Leaf = readonly [path: string, value: unknown];

function leavesOf(value: unknown, path: string): readonly Leaf[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) =>
        leavesOf(member, path === '' ? key : `${path}.${key}`),
      )
    : [[path, value]];
}

/** What a provider gets of a tool, as it is written to it. */
const writtenLeaves = (tool: unknown): readonly Leaf[] =>
  leavesOf(JSON.parse(JSON.stringify(tool)), '');

/** Where the members of one provider stand in a tool, and no others. */
export const marksOf = (tool: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(writtenLeaves(tool).filter(([, value]) => marks.includes(value)));

/** Where a tool says that it is strict. */
export const strictPaths = (tool: unknown): readonly string[] =>
  writtenLeaves(tool).flatMap(([path, value]) =>
    value === true && /(?:^|\.)strict$/.test(path) ? [path] : [],
  );

/** Where a tool has its grammar as such. */
export const grammarPaths = (tool: unknown): readonly string[] =>
  writtenLeaves(tool).flatMap(([path, value]) => (value === grammar.definition ? [path] : []));
