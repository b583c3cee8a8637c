// Ends calls by time limit, by cancellation and by shutdown.
import { deepStrictEqual } from 'node:assert';
import { defineTool, standardMetaArguments, TimeLimitError, ToolRegistry } from 'toolmend';

const seen: string[] = [];
const wait = defineTool({
  name: 'wait',
  description: 'Wait.',
  inputSchema: { type: 'object', properties: {} },
  timeoutMs: 30_000,
  execute: (_values, { signal }) => {
    signal.addEventListener('abort', () => {
      const { reason } = signal;
      seen.push(
        reason instanceof TimeLimitError ? `time of the ${reason.limit.setBy}` : String(reason),
      );
    });
    return new Promise(() => {}); // never ends by itself
  },
});
const tools = new ToolRegistry({ meta: standardMetaArguments }).register(wait);
const call = { id: 'call_1', name: 'wait', arguments: '{}' };

const asked = tools.call({ ...call, arguments: '{"_timeout_seconds": 1}' });
const limited = tools.call(call, { timeoutMs: 20 });
const controller = new AbortController();
const cancelled = tools.call(call, { signal: controller.signal });
controller.abort('the user left');
for (const outcome of await Promise.all([cancelled, limited, asked])) console.log(outcome.status);
deepStrictEqual(seen, ['the user left', 'time of the call', 'time of the model']);

const running = tools.call(call);
await tools.close({ timeoutMs: 10 }); // running calls may end; after 10 ms they are cancelled
const late = await tools.call(call);
console.log((await running).status, late.status === 'limit_exceeded' && late.reason);
