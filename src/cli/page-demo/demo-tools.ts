// The tools of the made-up application that `toolmend ui --demo` shows. They change nothing.
import { ToolFailure } from '../../errors/errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { defineTool } from '../../registry/define-tool.ts';
import type { ObjectSchema } from '../../schema/from-schema-type.ts';
import type { Effects } from '../../tool/tool-contract.ts';
import type { RegisteredTool } from '../../registry/register.ts';
import type { Random } from '../../testing/sample-value.ts';

/** The versions of the application, the oldest first. */
export const demoReleases = ['1.7.4', '1.8.0', '1.8.1'] as const;

export type DemoRelease = (typeof demoReleases)[number];

/** What the next call of a tool comes to. */
export interface DemoFate {
  /** What its model reads if it fails. Undefined: it has a result. */
  failure: string | undefined;
}

/** How a tool of the application is used. */
export interface DemoUse {
  readonly tool: string;
  /** How often it is called, beside the others. */
  readonly share: number;
  /** Arguments that it accepts. */
  readonly example: (random: Random) => JsonObject;
  /** Why it fails at times. Absent: it never does. */
  readonly failure?: string;
}

/** A tool that has the same result for all arguments. */
interface DemoTool extends DemoUse {
  readonly description: string;
  readonly effects: Effects;
  readonly inputSchema: ObjectSchema;
  /** That of the first release, if it was another one. */
  readonly formerSchema?: ObjectSchema;
  readonly result: string;
}

const files = ['src/invoice.ts', 'src/cart.ts', 'test/cart.test.ts', 'README.md', 'package.json'];
const statuses = ['pending', 'in_progress', 'completed'];
const tasks = ['Read the failing test', 'Fix the rounding', 'Add a test', 'Update the changelog'];
const customers = ['Lindqvist AB', 'Harbour Books', 'Moreau et Fils', 'North Pier Ltd'];

/** One of the choices, which are never empty. */
function one<Choice>(random: Random, choices: readonly [Choice, ...Choice[]]): Choice {
  return random.pick(choices) ?? choices[0];
}

const some = (random: Random, texts: readonly string[], most: number): readonly string[] =>
  random.shuffle(texts).slice(0, random.integer(1, most));

const file = (random: Random): string => random.pick(files) ?? 'README.md';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const integer = { type: 'integer' } as const;
const boolean = { type: 'boolean' } as const;

const closedObject = <Properties extends object, Required extends keyof Properties & string>(
  properties: Properties,
  ...required: readonly Required[]
) => ({ type: 'object', properties, required, additionalProperties: false }) as const;

const plainTools: readonly DemoTool[] = [
  {
    tool: 'read_file',
    description: 'Read a text file.',
    effects: 'read',
    inputSchema: closedObject({ path: text, offset: integer, limit: integer }, 'path'),
    result: 'export const total = (prices) => …',
    share: 24,
    example: (random) => ({
      path: file(random),
      ...(random.chance(0.4)
        ? { offset: random.integer(1, 400), limit: one(random, [50, 100, 200]) }
        : {}),
    }),
    failure: 'There is no file of this path.',
  },
  {
    tool: 'edit_file',
    description: 'Replace texts in a file.',
    effects: 'write',
    inputSchema: closedObject(
      {
        path: text,
        edits: {
          type: 'array',
          items: closedObject({ oldText: text, newText: text }, 'oldText', 'newText'),
        },
      },
      'path',
      'edits',
    ),
    result: 'Edited.',
    share: 15,
    example: (random) => ({
      path: file(random),
      edits: Array.from({ length: random.integer(1, 2) }, () =>
        one(random, [
          { oldText: 'Math.round(sum)', newText: 'roundHalfEven(sum)' },
          { oldText: 'let total = 0', newText: 'let total = 0n' },
          { oldText: "it('adds'", newText: "it('adds prices'" },
        ]),
      ),
    }),
    failure: 'oldText was found 0 times. Read the file again.',
  },
  {
    tool: 'run_command',
    description: 'Run a command in the shell of the project.',
    effects: 'write',
    inputSchema: closedObject(
      { command: text, timeoutMs: integer, background: boolean },
      'command',
    ),
    result: 'Exit code 0.',
    share: 16,
    example: (random) => ({
      command: one(random, ['npm test', 'git status --short', 'npx tsc --noEmit', 'ls -la src']),
      ...(random.chance(0.5) ? { timeoutMs: one(random, [10_000, 60_000, 120_000]) } : {}),
      ...(random.chance(0.3) ? { background: random.chance(0.3) } : {}),
    }),
    failure: 'Exit code 1: 2 tests failed.',
  },
  {
    tool: 'search_code',
    description: 'Search the project with a regular expression.',
    effects: 'read',
    inputSchema: closedObject({ pattern: text, paths: texts, caseSensitive: boolean }, 'pattern'),
    result: 'src/cart.ts:14: return roundHalfEven(sum);',
    share: 14,
    example: (random) => ({
      pattern: one(random, ['roundHalf\\w+', 'TODO', 'export function total', 'currency']),
      paths: some(random, ['src', 'test', 'docs'], 2),
      ...(random.chance(0.4) ? { caseSensitive: random.chance(0.5) } : {}),
    }),
  },
  {
    tool: 'todo_write',
    description: 'Write the list of tasks.',
    effects: 'write',
    inputSchema: closedObject(
      {
        todos: {
          type: 'array',
          items: closedObject({ content: text, status: { enum: statuses } }, 'content', 'status'),
        },
      },
      'todos',
    ),
    result: 'Saved.',
    share: 14,
    example: (random) => ({
      todos: some(random, tasks, 3).map((content) => ({
        content,
        status: random.pick(statuses) ?? 'pending',
      })),
    }),
  },
  {
    tool: 'list_issues',
    description: 'List the issues of a repository.',
    effects: 'read',
    inputSchema: closedObject(
      {
        repository: text,
        state: { enum: ['open', 'closed', 'all'] },
        labels: texts,
        page: integer,
      },
      'repository',
      'state',
    ),
    result: '#41 Prices are rounded twice.',
    share: 8,
    example: (random) => ({
      repository: one(random, ['shop/cart', 'shop/invoices']),
      state: one(random, ['open', 'closed', 'all']),
      labels: some(random, ['bug', 'rounding', 'good first issue'], 2),
      ...(random.chance(0.3) ? { page: random.integer(2, 5) } : {}),
    }),
  },
  {
    tool: 'delegate',
    description: 'Give a task to another agent.',
    effects: 'write',
    inputSchema: closedObject({ prompt: text, profile: text }, 'prompt', 'profile'),
    formerSchema: closedObject({ prompt: text, agentType: text }, 'prompt', 'agentType'),
    result: 'Done: prices are rounded in src/cart.ts.',
    share: 10,
    example: (random) => ({
      prompt: one(random, [
        'Find out where prices are rounded.',
        'Review the diff, and list what is risky.',
        'Write the release notes of this week.',
      ]),
      agentType: one(random, ['explore', 'review', 'write']),
    }),
    failure: 'The agent gave up after 20 turns.',
  },
  {
    tool: 'create_invoice',
    description: 'Write an invoice.',
    effects: 'write',
    inputSchema: closedObject(
      {
        customer: text,
        lines: {
          type: 'array',
          items: closedObject(
            { item: text, quantity: integer, unitPrice: { type: 'number' } },
            'item',
            'quantity',
            'unitPrice',
          ),
        },
        dueInDays: integer,
        sendEmail: boolean,
      },
      'customer',
      'lines',
    ),
    result: 'Invoice 2026-118.',
    share: 5,
    example: (random) => ({
      customer: random.pick(customers) ?? 'North Pier Ltd',
      lines: [{ item: 'Consulting', quantity: random.integer(1, 8), unitPrice: 120.5 }],
      dueInDays: one(random, [14, 30]),
      sendEmail: random.chance(0.5),
    }),
    failure: 'The customer has no address.',
  },
  {
    tool: 'refund',
    description: 'Refund a payment, which can’t be undone.',
    effects: 'destructive',
    inputSchema: closedObject(
      {
        payment: text,
        amount: { type: 'integer', minimum: 1 },
        reason: { enum: ['duplicate', 'damaged', 'late'] },
        notify: boolean,
      },
      'payment',
      'amount',
      'reason',
    ),
    result: 'Refunded.',
    share: 1.4,
    example: (random) => ({
      payment: `pay_${random.integer(1000, 9999)}`,
      amount: random.integer(2, 60) * 10,
      reason: one(random, ['duplicate', 'damaged', 'late']),
      notify: true,
    }),
  },
];

const bookRoom: DemoUse = {
  tool: 'book_room',
  share: 0.6,
  example: (random) => ({
    day: `2026-12-${String(random.integer(1, 19)).padStart(2, '0')}`,
    people: random.integer(2, 12),
  }),
};

const bookRoomTool = defineTool<{ readonly day: string; readonly people: number }>({
  name: 'book_room',
  description: 'Book a meeting room. A person chooses which.',
  effects: 'write',
  inputSchema: closedObject({ day: text, people: integer }, 'day', 'people'),
  async execute({ day, people }, context) {
    const { room } = await context.ask({
      question: `Which room for ${people} people on ${day}?`,
      schema: {
        type: 'object',
        properties: {
          room: { enum: ['Harbour', 'Library', 'Attic'] },
          catering: { type: 'boolean', description: 'Coffee and sandwiches.' },
          note: { type: 'string', description: 'For the reception.' },
        },
        required: ['room'],
      },
    });
    return `Booked: ${room}.`;
  },
});

export const demoUses: readonly DemoUse[] = [...plainTools, bookRoom];

/** The tools as a release of the application has them. */
export const demoTools = (release: DemoRelease, fate: DemoFate): readonly RegisteredTool[] => [
  ...plainTools.map(({ tool: name, description, effects, inputSchema, formerSchema, result }) =>
    defineTool({
      name,
      description,
      effects,
      inputSchema: release === '1.7.4' ? (formerSchema ?? inputSchema) : inputSchema,
      execute: () => {
        const { failure } = fate;
        if (failure !== undefined) throw new ToolFailure(failure);
        return result;
      },
    }),
  ),
  bookRoomTool,
];
