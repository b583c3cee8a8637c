// A tool whose arguments are a zod schema: repaired by its JSON Schema, then validated by zod.
import { defineTool, ToolRegistry } from 'toolmend';
import { z } from 'zod';

const bookSeats = defineTool({
  name: 'book_seats',
  description: 'Book seats for one evening.',
  inputSchema: z.object({
    evening: z.iso.datetime().transform((text) => new Date(text)),
    seats: z.array(z.int().refine((seat) => seat !== 13, 'there is no seat 13')),
    row: z.string().default('A'),
  }),
  // The handler gets what zod returns: `evening` is a Date.
  execute: ({ evening, seats, row }) => `${row}${seats.join()} in ${evening.getUTCFullYear()}`,
});
const tools = new ToolRegistry().register(bookSeats);

for (const seats of ['"[7, 8]"', '[13]']) {
  const outcome = await tools.call({
    id: 'call_1',
    name: 'book_seats',
    arguments: `{"evening": "2026-11-22T19:30:00Z", "seats": ${seats}}`,
  });
  console.log(outcome.status === 'completed' ? outcome.result : outcome.message);
}
