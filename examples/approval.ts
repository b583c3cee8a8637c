// Asks a person before a dangerous call runs, and runs the call after the answer.

// #region approval
import assert from 'node:assert/strict';
import { IsInt, IsString, Min } from 'class-validator';
import { Tool, toolMessage, ToolRegistry } from 'toolmend';

const refunds: string[] = [];

@Tool({ description: 'Refund a payment.', effects: 'destructive' })
class Refund {
  @IsString()
  payment!: string;

  @IsInt()
  @Min(1)
  amount!: number;

  execute(): string {
    refunds.push(`${this.payment} ${this.amount}`);
    return `Refunded ${this.amount}.`;
  }
}

const tools = new ToolRegistry({
  approval: {
    needed: ({ contract, interpretation }) =>
      contract.effects === 'destructive' && Number(interpretation.value['amount']) > 100,
    scope: (values) => String(values['tenant']),
    expiresAfter: 60 * 60_000,
  },
}).register(Refund);

const waiting = await tools.call(
  { id: 'call_1', name: 'refund', arguments: '{"payment": "p1", "amount": "250"}' },
  { context: { tenant: 'acme' } },
);
assert(waiting.status === 'approval_required');
const stored = JSON.stringify(waiting.approval); // for the page that shows its call to a person

// Later: the person approves 200.
const outcome = await tools.resolveApproval(
  JSON.parse(stored),
  { decision: 'approve', arguments: { payment: 'p1', amount: 200 } },
  { context: { tenant: 'acme' } },
);
// #endregion
assert.deepEqual(refunds, ['p1 200']);
assert.deepEqual(toolMessage(outcome), {
  text: 'Refunded 200.',
  notes: ['The application changed amount.'],
  isError: false,
});

const again = await tools.resolveApproval(
  JSON.parse(stored),
  { decision: 'approve' },
  { context: { tenant: 'acme' } },
);
assert(again.status === 'denied' && again.by === 'used');

const small = { id: 'call_2', name: 'refund', arguments: { payment: 'p2', amount: 300 } };
const forAcme = await tools.call(small, { context: { tenant: 'acme' } });
assert(forAcme.status === 'approval_required');
await assert.rejects(
  tools.resolveApproval(
    forAcme.approval,
    { decision: 'approve' },
    { context: { tenant: 'other' } },
  ),
  { name: 'RecordError' },
);

// A client changes the approval: nothing runs, and the answer has the call as it was made.
const changed = { ...forAcme.approval, call: { ...forAcme.approval.call, arguments: '{}' } };
const untouched = await tools.resolveApproval(
  changed,
  { decision: 'approve' },
  { context: { tenant: 'acme' } },
);
assert(untouched.status === 'approval_required' && untouched.why === 'changed');
assert.deepEqual(untouched.approval, forAcme.approval);

console.log(
  waiting.why,
  '-',
  toolMessage(outcome).text,
  again.status,
  untouched.why,
  refunds.length,
);
