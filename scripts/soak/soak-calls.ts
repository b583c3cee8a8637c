// Which calls does the soak make? Right ones, near-misses, wrong ones, and such as end in each other way there is.
import { defineTool, type ToolCall, ToolFailure, ToolRetry, type ToolContract } from 'toolmend';

const properties = {
  path: { type: 'string' },
  lines: { type: 'array', items: { type: 'integer' } },
} as const;
const inputSchema = { type: 'object', properties, required: ['path'], additionalProperties: false } as const;

/** The same tool of the same name; its answer names who it was made for, and who it was called for. */
export const lookUp = (owner: string): ToolContract =>
  defineTool<{ readonly path: string }>({
    name: 'look_up',
    description: 'Look something up.',
    inputSchema,
    concurrency: { key: ({ path }) => path },
    execute: async ({ path }, { values, signal }) => {
      await Promise.resolve();
      if (path === 'gone') throw new ToolFailure(`Nothing of ${String(values['marker'])}.`);
      if (path === 'again') throw new ToolRetry(`Not so, ${String(values['marker'])}.`);
      if (path === 'broken') throw new Error(owner);
      if (path === 'never') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return {
        owner: owner === '' ? values['marker'] : owner,
        path,
        text: path === 'long' ? 'long '.repeat(400) : '',
      };
    },
  });

const sent: readonly string[] = [
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

/** How often in how many calls a call never ends by itself; primes, so that each meets every other kind. */
const endings = [
  ['timed_out', 97],
  ['cancelled during', 89],
  ['cancelled before', 83],
] as const;

export interface SentCall {
  readonly call: ToolCall;
  /** What ends it; undefined: its tool. */
  readonly ending: (typeof endings)[number][0] | undefined;
}

export function sentCall(marker: string, number: number): SentCall {
  const [ending] = endings.find(([, every]) => number % every === 0) ?? [];
  const name = number % 31 === 0 ? 'lookup_nothing' : number % 13 === 0 ? 'Look-Up' : 'look_up';
  const text = ending === undefined ? sent[number % sent.length] : '{"path":"never"}';
  return { call: { id: `${marker}${number}`, name, arguments: text, finishReason: 'stop' }, ending };
}
