import { IsOptional, IsString } from 'class-validator';
import {
  DefinitionError,
  RepairStats,
  requireMeta,
  standardMetaArguments,
  Tool,
  type ToolDefinition,
  toolMessage,
  ToolMethod,
  ToolRegistry,
  type ToolSet,
  withPrefix,
} from 'toolmend';
import { toolOf } from '../tools.ts';

const named = (name: string, more: Partial<ToolDefinition> = {}) =>
  toolOf(() => `ran ${name}`, { name, description: `Does ${name}.`, ...more });

const run = async (
  tools: ToolSet,
  name: string,
  sent: unknown = {},
): Promise<readonly [string, string]> => {
  const outcome = await tools.call({ id: 'call_1', name, arguments: sent });
  return [outcome.status, toolMessage(outcome).text];
};

const statusOf = async (...call: Parameters<typeof run>): Promise<string> =>
  (await run(...call))[0];

const shownNames = (tools: ToolSet): readonly string[] => tools.schemas().map(({ name }) => name);

test('a selection has all tools in their order by default', async () => {
  const tools = new ToolRegistry().register(named('b'), named('a'));
  const all = tools.select();
  expect([all.names(), all.schemas()]).toEqual([['b', 'a'], tools.schemas()]);
  expect(await run(all, 'a')).toEqual(['completed', 'ran a']);
});

test('tools that the filter leaves out are neither shown nor called', async () => {
  const drop = named('drop', { effects: 'destructive' });
  const tools = new ToolRegistry().register(named('read', { effects: 'read' }), drop);
  const safe = tools.select({ filter: ({ effects }) => effects === 'read' });
  expect(shownNames(safe)).toEqual(['read']);
  const text = 'drop was not executed.\nThere is no tool of this name.\nThe tools are: read.';
  expect(await run(safe, 'drop')).toEqual(['unknown_tool', text]);
  expect((await run(tools, 'drop'))[0]).toBe('completed');
});

test('enabled is called once per selection, with the context of the registry and of the selection', async () => {
  const seen: unknown[] = [];
  const enabled = (values: Readonly<Record<string, unknown>>): boolean =>
    seen.push({ ...values }) > 0 && values['role'] === 'clerk';
  @Tool({ description: 'Pays.', enabled })
  class Pay {
    execute(): void {}
  }
  const tools = new ToolRegistry({ context: { role: 'guest', tenant: 'a' } }).register(
    Pay,
    named('now'),
  );
  const [guests, clerks] = [tools.select(), tools.select({ context: { role: 'clerk' } })];
  expect([guests.names(), clerks.names()]).toEqual([['now'], ['pay', 'now']]);
  expect(await statusOf(clerks, 'pay')).toBe('completed');
  expect(await statusOf(guests, 'pay')).toBe('unknown_tool');
  expect(seen).toEqual(['guest', 'clerk'].map((role) => ({ role, tenant: 'a' })));
});

describe('deferred tools', () => {
  const later = (name: string, description: string, more: Partial<ToolDefinition> = {}) =>
    named(name, { deferred: true, description, ...more });
  const recipient = { type: 'object', properties: { recipient: { type: 'string' } } } as const;
  const tools = new ToolRegistry().register(
    named('now'),
    later('create_issue', 'Opens a new issue.'),
    later('list_issues', 'Shows the issues of a repository.'),
    later('sendMail', 'Writes to a person.', { inputSchema: recipient }),
    named('today'),
  );

  test('are found by a search, and then come after the tools that were shown before', async () => {
    const set = tools.select();
    expect(shownNames(set)).toEqual(['now', 'today', 'find_tools']);
    const before = JSON.stringify(set.schemas()).slice(0, -1);
    expect((await run(set, 'list_issues'))[1]).toContain('The tools are: now, today, find_tools.');
    const found = [
      { name: 'list_issues', description: 'Shows the issues of a repository.' },
      { name: 'create_issue', description: 'Opens a new issue.' },
    ];
    const answer = await run(set, 'find_tools', { query: 'show issues' });
    expect(answer).toEqual(['completed', JSON.stringify(found)]);
    expect(shownNames(set)).toEqual(['now', 'today', 'find_tools', 'list_issues', 'create_issue']);
    expect(JSON.stringify(set.schemas()).startsWith(before)).toBe(true);
    expect(await run(set, 'list_issues')).toEqual(['completed', 'ran list_issues']);
    await run(set, 'find_tools', { query: 'recipients' });
    await run(set, 'find_tools', { query: 'issue' });
    expect(shownNames(set).slice(3)).toEqual(['list_issues', 'create_issue', 'sendMail']);
    expect(tools.select().names()).not.toContain('sendMail');
    const again = JSON.stringify(tools.select({ loaded: set.names() }).schemas());
    expect(again).toBe(JSON.stringify(set.schemas()));
  });

  test('a search without a match says so, and its calls are repaired', async () => {
    const set = tools.select();
    const nothing = 'No tool fits. Try other words.';
    expect(await run(set, 'find_tools', { query: 'weather' })).toEqual(['completed', nothing]);
    expect(await statusOf(set, 'findTools', { Query: 'mail' })).toBe('completed');
    expect(await statusOf(set, 'find_tools', {})).toBe('invalid_arguments');
    expect(set.names()).toHaveLength(4);
  });

  test('that are not enabled are never found', async () => {
    const pay = named('pay', { deferred: true, enabled: () => false });
    const hidden = new ToolRegistry().register(pay, named('mail', { deferred: true }));
    const set = hidden.select();
    await run(set, 'find_tools', { query: 'pay mail does' });
    expect(set.names()).toEqual(['find_tools', 'mail']);
    expect(hidden.select({ loaded: ['pay'] }).names()).toEqual(['find_tools']);
  });

  test('the search has the meta arguments, works with pins, and can have another name', async () => {
    const tool = named('later', { deferred: true });
    const pinned = new ToolRegistry({ pins: new ToolRegistry().register(tool).digests() }).register(
      tool,
    );
    const meta = new ToolRegistry({
      meta: requireMeta(standardMetaArguments, 'rationale'),
    }).register(tool);
    const searched = [pinned, meta].map((each) =>
      statusOf(each.select(), 'find_tools', { query: 'later' }),
    );
    expect(await Promise.all(searched)).toEqual(['completed', 'invalid_arguments']);
    const taken = new ToolRegistry().register(tool, named('find_tools'));
    expect(() => taken.select()).toThrow(DefinitionError);
    expect(taken.select({ searchName: 'more_tools' }).names()).toEqual([
      'find_tools',
      'more_tools',
    ]);
  });
});

describe('prefixes', () => {
  class NoteArguments {
    @IsOptional() @IsString() note?: string;
  }

  class Repository {
    @ToolMethod(NoteArguments, { description: 'Shows the status.' })
    status(): void {}
  }

  test('keep tools of two sources apart', async () => {
    const stats = new RepairStats();
    const tools = new ToolRegistry({ listeners: [stats] });
    tools.register(...withPrefix('git_', Repository), ...withPrefix('shop_', named('status')));
    expect(await run(tools, 'git_status')).toEqual(['completed', 'Done. There is no output.']);
    expect(await run(tools, 'shop_status')).toEqual(['completed', 'ran status']);
    expect(await statusOf(tools, 'status')).toBe('unknown_tool');
    const counted = Object.keys(stats.snapshot()['(unknown model)'] ?? {});
    expect(counted).toEqual(['(unknown tool)', 'git_status', 'shop_status']);
    expect(tools.register(Repository).names()).toEqual(['git_status', 'shop_status', 'status']);
  });

  test('that make impossible names, and classes that cannot be constructed, are refused at once', () => {
    class NeedsStock {
      constructor(readonly stock: object) {}
      @ToolMethod(NoteArguments, { description: 'Counts.' })
      count(): void {}
    }
    expect(() => withPrefix('git/', Repository)).toThrow(DefinitionError);
    expect(() => withPrefix('x'.repeat(64), Repository)).toThrow(DefinitionError);
    expect(() => new ToolRegistry().register(...withPrefix('a_', NeedsStock))).toThrow(
      /constructor/,
    );
  });
});
