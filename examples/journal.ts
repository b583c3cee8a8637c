// Keeps calls and approvals in a folder, so that a restart neither loses nor repeats one.
import { deepStrictEqual, strictEqual } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool, toolMessage, ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';

const folder = await mkdtemp(join(tmpdir(), 'agent-journal-'));
const refunds: string[] = [];

async function start(): Promise<{ tools: ToolRegistry; stop: () => Promise<void> }> {
  const journal = await openJournal({ folder }); // or { connectionString } of PostgreSQL
  const tools = new ToolRegistry({ journal, approval: {} }).register(
    defineTool<{ payment: string; amount: number }>({
      name: 'refund',
      description: 'Refund a payment.',
      inputSchema: {
        type: 'object',
        properties: { payment: { type: 'string' }, amount: { type: 'integer' } },
        required: ['payment', 'amount'],
      },
      effects: 'destructive',
      execute: ({ payment, amount }, { idempotencyKey }) => {
        refunds.push(`${payment} ${amount} ${idempotencyKey.length}`); // a payment API takes the key
        return `Refunded ${amount}.`;
      },
    }),
  );
  tools.resumeRegularly(); // takes over the calls of processes that have died
  const stop = async () => {
    await tools.close();
    await journal.close();
  };
  return { tools, stop };
}

const conversation = 'c1';
const call = { id: 'call_1', name: 'refund', arguments: '{"payment": "p1", "amount": "250"}' };

const before = await start();
const waiting = await before.tools.call(call, { conversation });
strictEqual(waiting.status, 'approval_required');
const { approval } = waiting; // show its call to a person
await before.stop();

// After a restart, or on another replica.
const after = await start();
const outcome = await after.tools.resolveApproval(approval, { decision: 'approve' });
console.log(toolMessage(outcome).text);
const twice = await after.tools.resolveApproval(approval, { decision: 'approve' });
console.log(toolMessage(twice).text);

// The next turn has the result, and a call that is sent again has its outcome.
const [late] = await after.tools.background.takeResults({ conversation });
console.log(late?.outcome.status, late?.call.id);
const again = await after.tools.call(call, { conversation });
console.log(toolMessage(again).text);
const other = { ...call, arguments: { payment: 'p1', amount: 20 } };
console.log(toolMessage(await after.tools.call(other, { conversation })).text);

deepStrictEqual(refunds, ['p1 250 36']);
await after.stop();
await rm(folder, { recursive: true });
