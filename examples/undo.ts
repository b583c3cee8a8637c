// A run that fails: the calls that undo what it has done wait for approval, the last one first.

// #region undo
import { defineTool, ToolRegistry, ToolRun } from 'toolmend';

const text = { type: 'string' } as const;
const bookings = new Set<string>();

const bookHotel = defineTool({
  name: 'book_hotel',
  description: 'Book a hotel.',
  effects: 'write',
  inputSchema: { type: 'object', properties: { city: text }, required: ['city'] },
  execute({ city }) {
    bookings.add(`hotel in ${city}`);
    return { booking: `hotel in ${city}` };
  },
  undo: ({ city }) => ({ tool: 'cancel_booking', arguments: { booking: `hotel in ${city}` } }),
});

const cancelBooking = defineTool({
  name: 'cancel_booking',
  description: 'Cancel a booking.',
  effects: 'write',
  inputSchema: { type: 'object', properties: { booking: text }, required: ['booking'] },
  execute: ({ booking }) => bookings.delete(booking),
});

const tools = new ToolRegistry({ approval: {} }).register(bookHotel, cancelBooking);
const run = new ToolRun();
const book = (id: string, city: string) =>
  tools.call({ id, name: 'book_hotel', arguments: { city } }, { run });
await book('call_1', 'Graz');
await book('call_2', 'Ghent');

// The flight is full, and the run ends.
const offered = await tools.undo(run);
for (const outcome of offered) {
  if (outcome.status !== 'approval_required') continue;
  const { approval } = outcome; // show a person what would be undone
  console.log(approval.call.tool, approval.call.arguments);
  await tools.resolveApproval(approval, { decision: 'approve' });
}
// #endregion
console.log([...bookings]);
