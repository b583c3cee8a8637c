import { defineTool, type ToolContract, ToolFailure, type ToolOutcome, ToolRetry } from 'toolmend';

const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
  required: ['path'],
  additionalProperties: false,
} as const;

/**
 * Tools of this name differ in their owner. The result has the owner, or the marker of the caller
 * if there is no owner.
 */
export const lookUp = (owner?: string): ToolContract =>
  defineTool<{ readonly path: string }>({
    name: 'look_up',
    description: 'Look something up.',
    inputSchema,
    concurrency: { key: ({ path }) => path },
    execute: async ({ path }, { values, signal }) => {
      const marker = String(values['marker']);
      await Promise.resolve();
      if (path === 'gone') throw new ToolFailure(`Nothing of ${marker}.`);
      if (path === 'again') throw new ToolRetry(`Not so, ${marker}.`);
      if (path === 'broken') throw new Error(marker);
      if (path === 'never')
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { owner: owner ?? marker, path, text: path === 'long' ? 'long '.repeat(400) : '' };
    },
  });

/** Valid calls, near-misses, invalid calls, and calls that fail. */
const texts: readonly string[] = [
  '{"path":"a"}',
  '{"path":"b","lines":[1,2,3]}',
  '{"Path":"c","lines":"[1,2]"}',
  '```json\n{"path":"d"}\n```',
  '{"path":"long"}',
  '{"path":"gone"}',
  '{"path":"broken"}',
  '{"path":"again"}',
  '{"lines":["x"]}',
  '{"path":"cut',
  '{"path":"e"}',
];

/** Calls that the caller ends, one in so many; primes, so that each kind meets every other. */
const endings = [
  ['timed_out', 97],
  ['cancelled during', 89],
  ['cancelled before', 83],
] as const;

/** `ending` is undefined if the tool ends the call. */
export function soakCall(marker: string, number: number) {
  const [ending] = endings.find(([, every]) => number % every === 0) ?? [];
  const name = number % 31 === 0 ? 'lookup_nothing' : number % 13 === 0 ? 'Look-Up' : 'look_up';
  const text = ending === undefined ? texts[number % texts.length] : '{"path":"never"}';
  return {
    call: { id: `${marker}${number}`, name, arguments: text, finishReason: 'stop' },
    ending,
  };
}

/** The status, with the reason or moment. */
export function statusOf(outcome: ToolOutcome): string {
  if (outcome.status === 'limit_exceeded') return `limit_exceeded: ${outcome.reason}`;
  return outcome.status === 'cancelled' ? `cancelled ${outcome.when}` : outcome.status;
}

export function countStatuses(outcomes: readonly ToolOutcome[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(outcomes, statusOf);
  return Object.fromEntries([...groups].map(([status, { length }]) => [status, length]));
}
