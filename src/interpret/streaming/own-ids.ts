// Which call does a result belong to, where a server gives its calls no ids, or one to several? Each gets one of its own.
import type { ToolCall } from '../tool-call.ts';

/** Characters of an id that a provider takes, with room for a number. */
const longestId = 60;

/** The same calls in their order; an id that came before gets a number, a missing one is made. */
export function withOwnIds(calls: readonly ToolCall[]): readonly ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call) => {
    const id = freeId(call.id, taken);
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (id === '') return `call_${crypto.randomUUID()}`;
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${id.slice(0, longestId)}_${count}`;
  return free;
}
