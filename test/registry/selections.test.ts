// Which tools does a conversation see and call, and does what it was shown stay in its place?
import { IsOptional, IsString } from 'class-validator';
import {
  DefinitionError,
  defineTool,
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

const named = (name: string, more: Partial<ToolDefinition> = {}) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: {} },
    execute: () => `ran ${name}`,
    ...more,
  });

const run = async (tools: ToolSet, name: string, sent: unknown = {}): Promise<readonly [string, string]> => {
  const outcome = await tools.call({ id: 'call_1', name, arguments: sent });
  return [outcome.status, toolMessage(outcome).text];
};

const shownNames = (tools: ToolSet): readonly string[] => tools.schemas().map(({ name }) => name);

test('without a word all tools are there, in their order', async () => {
  const tools = new ToolRegistry().register(named('b'), named('a'));
  const all = tools.select();
  expect(all.names()).toEqual(['b', 'a']);
  expect(all.schemas()).toEqual(tools.schemas());
  expect(await run(all, 'a')).toEqual(['completed', 'ran a']);
});

test('a filter leaves tools out: they are neither shown nor called', async () => {
  const tools = new ToolRegistry().register(
    named('read', { effects: 'read' }),
    named('drop', { effects: 'destructive' }),
  );
  const safe = tools.select({ filter: ({ effects }) => effects === 'read' });
  expect(shownNames(safe)).toEqual(['read']);
  expect(await run(safe, 'drop')).toEqual([
    'unknown_tool',
    'drop was not executed.\nThere is no tool of this name.\nThe tools are: read.',
  ]);
  expect((await run(tools, 'drop'))[0]).toBe('completed');
});

test('enabled is asked once, with the context of the registry and of the conversation', async () => {
  const seen: unknown[] = [];

  @Tool({
    description: 'Pays.',
    enabled: (values) => {
      seen.push({ ...values });
      return values['role'] === 'clerk';
    },
  })
  class Pay {
    @IsOptional() @IsString() note?: string;
    execute(): string {
      return 'paid';
    }
  }
  const tools = new ToolRegistry({ context: { role: 'guest', tenant: 'a' } }).register(Pay, named('now'));
  const guests = tools.select();
  const clerks = tools.select({ context: { role: 'clerk' } });
  expect([guests.names(), clerks.names()]).toEqual([['now'], ['pay', 'now']]);
  expect(await run(clerks, 'pay')).toEqual(['completed', 'paid']);
  expect((await run(guests, 'pay'))[0]).toBe('unknown_tool');
  expect(seen).toEqual([
    { role: 'guest', tenant: 'a' },
    { role: 'clerk', tenant: 'a' },
  ]);
});

describe('deferred tools', () => {
  const tools = new ToolRegistry().register(
    named('now'),
    named('create_issue', { deferred: true, description: 'Opens a new issue.' }),
    named('list_issues', { deferred: true, description: 'Shows the issues of a repository.' }),
    named('sendMail', {
      deferred: true,
      description: 'Writes to somebody.',
      inputSchema: { type: 'object', properties: { recipient: { type: 'string' } } },
    }),
    named('today'),
  );

  test('are found, and stand behind what was shown before', async () => {
    const set = tools.select();
    expect(shownNames(set)).toEqual(['now', 'today', 'find_tools']);
    const before = JSON.stringify(set.schemas()).slice(0, -1);
    expect((await run(set, 'list_issues'))[1]).toContain('The tools are: now, today, find_tools.');
    expect(await run(set, 'find_tools', { query: 'show issues' })).toEqual([
      'completed',
      JSON.stringify([
        { name: 'list_issues', description: 'Shows the issues of a repository.' },
        { name: 'create_issue', description: 'Opens a new issue.' },
      ]),
    ]);
    expect(shownNames(set)).toEqual(['now', 'today', 'find_tools', 'list_issues', 'create_issue']);
    expect(JSON.stringify(set.schemas()).startsWith(before)).toBe(true);
    expect(await run(set, 'list_issues')).toEqual(['completed', 'ran list_issues']);
    await run(set, 'find_tools', { query: 'recipients' });
    await run(set, 'find_tools', { query: 'issue' });
    expect(shownNames(set).slice(3)).toEqual(['list_issues', 'create_issue', 'sendMail']);
    const again = JSON.stringify(tools.select({ loaded: set.names() }).schemas());
    expect(again).toBe(JSON.stringify(set.schemas()));
  });

  test('of one conversation are not those of another', async () => {
    const [one, other] = [tools.select(), tools.select()];
    await run(one, 'find_tools', { query: 'mail' });
    expect(one.names()).toContain('sendMail');
    expect(other.names()).not.toContain('sendMail');
  });

  test('what nobody has is told, and a search is repaired as any call is', async () => {
    const set = tools.select();
    expect(await run(set, 'find_tools', { query: 'weather' })).toEqual([
      'completed',
      'No tool fits. Try other words.',
    ]);
    expect((await run(set, 'findTools', { Query: 'mail' }))[0]).toBe('completed');
    expect((await run(set, 'find_tools', {}))[0]).toBe('invalid_arguments');
    expect(set.names()).toHaveLength(4);
  });

  test('a tool that is not enabled is never found', async () => {
    const hidden = new ToolRegistry().register(
      named('pay', { deferred: true, enabled: () => false }),
      named('mail', { deferred: true }),
    );
    const set = hidden.select();
    await run(set, 'find_tools', { query: 'pay mail does' });
    expect(set.names()).toEqual(['find_tools', 'mail']);
    expect(hidden.select({ loaded: ['pay'] }).names()).toEqual(['find_tools']);
  });

  test('the search has the meta arguments, works with pins, and can have another name', async () => {
    const later = named('later', { deferred: true });
    const pinned = new ToolRegistry({ pins: new ToolRegistry().register(later).digests() }).register(later);
    expect((await run(pinned.select(), 'find_tools', { query: 'later' }))[0]).toBe('completed');
    const meta = new ToolRegistry({ meta: requireMeta(standardMetaArguments, 'rationale') }).register(later);
    expect((await run(meta.select(), 'find_tools', { query: 'later' }))[0]).toBe('invalid_arguments');
    const taken = new ToolRegistry().register(later, named('find_tools'));
    expect(() => taken.select()).toThrow(DefinitionError);
    expect(taken.select({ searchName: 'more_tools' }).names()).toEqual(['find_tools', 'more_tools']);
  });
});

describe('prefixes', () => {
  class NoteArguments {
    @IsOptional() @IsString() note?: string;
  }

  class Repository {
    @ToolMethod(NoteArguments, { description: 'Tells the status.' })
    status(): string {
      return 'clean';
    }
  }

  test('keep two sources apart', async () => {
    const tools = new ToolRegistry().register(
      ...withPrefix('git_', Repository),
      ...withPrefix('shop_', named('status')),
    );
    expect(tools.names()).toEqual(['git_status', 'shop_status']);
    expect(await run(tools, 'git_status')).toEqual(['completed', 'clean']);
    expect(await run(tools, 'shop_status')).toEqual(['completed', 'ran status']);
    expect((await run(tools, 'status'))[0]).toBe('unknown_tool');
  });

  test('count under the new name, and change nothing of the tool', async () => {
    const stats = new RepairStats();
    const tools = new ToolRegistry({ listeners: [stats] }).register(
      ...withPrefix('git_', Repository),
      Repository,
    );
    await run(tools, 'git_status');
    expect(Object.keys(stats.snapshot()['(unknown model)'] ?? {})).toEqual(['git_status']);
    expect(tools.names()).toEqual(['git_status', 'status']);
  });

  test('that make impossible names, and classes that cannot be constructed, are refused at once', () => {
    class NeedsStock {
      constructor(readonly stock: object) {}
      @ToolMethod(NoteArguments, { description: 'Counts.' })
      count(): number {
        return 1;
      }
    }
    expect(() => withPrefix('git/', Repository)).toThrow(DefinitionError);
    expect(() => withPrefix('x'.repeat(64), Repository)).toThrow(DefinitionError);
    expect(() => new ToolRegistry().register(...withPrefix('a_', NeedsStock))).toThrow(/constructor/);
  });
});
