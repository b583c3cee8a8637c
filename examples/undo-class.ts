// A tool class with a call that undoes it.

// #region class
import { defineTool, Field, Tool, ToolRegistry, ToolRun } from 'toolmend';

@Tool({
  description: 'Book a flight.',
  effects: 'write',
  undo: ({ city }: BookFlight) => ({ tool: 'cancel_flight', arguments: { city } }),
})
class BookFlight {
  @Field({ type: String })
  city!: string;

  execute() {
    return `flight to ${this.city}`;
  }
}

const cancelFlight = defineTool({
  name: 'cancel_flight',
  description: 'Cancel a flight.',
  effects: 'write',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }) => `flight to ${city} canceled`,
});

const tools = new ToolRegistry({ approval: {} }).register(BookFlight, cancelFlight);
const run = new ToolRun();
await tools.call({ id: 'call_1', name: 'book_flight', arguments: { city: 'Graz' } }, { run });
for (const outcome of await tools.undo(run))
  if (outcome.status === 'approval_required')
    console.log(outcome.approval.call.tool, outcome.approval.call.arguments);
// #endregion
