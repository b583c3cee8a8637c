// Commits a refund together with its outcome, so that a crash never leaves it in doubt.
import { deepStrictEqual } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool, toolMessage, ToolFailure, ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';

const folder = await mkdtemp(join(tmpdir(), 'agent-journal-'));
const journal = await openJournal({ folder }); // or { connectionString } of PostgreSQL
await journal.sql?.query('create table refunds (payment text primary key, amount integer)');

const refund = defineTool<{ payment: string; amount: number }>({
  name: 'refund',
  description: 'Refund a payment.',
  inputSchema: {
    type: 'object',
    properties: { payment: { type: 'string' }, amount: { type: 'integer' } },
    required: ['payment', 'amount'],
  },
  transactional: true,
  async execute({ payment, amount }, { transaction }) {
    await transaction.query('insert into refunds values ($1, $2)', [payment, amount]);
    if (amount > 1_000) throw new ToolFailure('Refunds of more than 1000 need a person.');
    return `Refunded ${amount}.`;
  },
});
const tools = new ToolRegistry({ journal }).register(refund);
tools.resumeRegularly(); // runs the calls again whose process has died

for (const [id, amount] of [
  ['p1', 250],
  ['p2', 5_000],
] as const) {
  const call = { id, name: 'refund', arguments: { payment: id, amount } };
  console.log(toolMessage(await tools.call(call)).text);
}

// The second insert was rolled back.
deepStrictEqual(await journal.sql?.query('select * from refunds', []), [
  { payment: 'p1', amount: 250 },
]);
await tools.close();
await journal.close();
await rm(folder, { recursive: true });
