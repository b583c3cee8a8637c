// Selects the tools of one conversation, and lets the model search for more.
import assert from 'node:assert/strict';
import { IsString } from 'class-validator';
import { defineTool, Tool, toolMessage, ToolRegistry, withPrefix } from 'toolmend';

@Tool({ description: 'Answer a customer.', enabled: (values) => values['role'] === 'clerk' })
class AnswerCustomer {
  @IsString()
  text!: string;

  execute(): string {
    return 'answered';
  }
}

const inputSchema = { type: 'object', properties: {} } as const;
const listIssues = defineTool({
  name: 'list_issues',
  description: 'Show the issues of a repository.',
  inputSchema,
  deferred: true, // not shown until it was found
  execute: () => ['#1'],
});
const now = defineTool({
  name: 'now',
  description: 'Tell the time.',
  inputSchema,
  execute: () => 'noon',
});

// #region select
const tools = new ToolRegistry().register(
  AnswerCustomer,
  now,
  ...withPrefix('github_', listIssues),
);

const guest = tools.select({ context: { role: 'guest' } });
const clerk = tools.select({
  context: { role: 'clerk' },
  filter: ({ effects }) => effects !== 'destructive',
});
// #endregion
assert.deepEqual(guest.names(), ['now', 'find_tools']);
assert.deepEqual(clerk.names(), ['answer_customer', 'now', 'find_tools']);

const search = { id: 'call_1', name: 'find_tools', arguments: '{"query": "issues on github"}' };
console.log(toolMessage(await clerk.call(search)).text);
assert.deepEqual(clerk.names(), ['answer_customer', 'now', 'find_tools', 'github_list_issues']);
assert.deepEqual(guest.names(), ['now', 'find_tools']);

const found = await clerk.call({ id: 'call_2', name: 'github_list_issues', arguments: '{}' });
console.log(found.status);
