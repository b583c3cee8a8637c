// Makes a tool of a JSON Schema and a function, without a class.
import { defineTool, toolMessage, ToolRegistry } from 'toolmend';

const bookRoom = defineTool({
  name: 'book_room',
  description: 'Book a meeting room.',
  effects: 'write',
  inputSchema: {
    type: 'object',
    properties: {
      room: { type: 'string' },
      guests: { type: 'array', items: { type: 'string' } },
      seats: { type: 'integer' },
    },
    required: ['room', 'guests'],
    additionalProperties: false,
  },
  execute: ({ room, guests, seats = 2 }) => `${room}: ${seats} seats for ${guests.join(', ')}`,
});
const tools = new ToolRegistry().register(bookRoom);

const text = '{"room": "Blue", "guests": "[\\"Ada\\"]", "seats": "4"}';
const outcome = await tools.call({ id: 'call_1', name: 'book_room', arguments: text });
console.log(outcome.status, '-', toolMessage(outcome).text);
