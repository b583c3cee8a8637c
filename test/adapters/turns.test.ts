// What all adapters for loops of the program's own have in common, with each SDK against a server
// on loopback.
import { ToolRegistry } from 'toolmend';
import { closedTool } from '../tools.ts';
import { startBodyServer } from './scripted-server.ts';
import { type SentCall, truncated, type Wire, wires } from './wires.ts';

const ran: string[] = [];
beforeEach(() => ran.splice(0));

const tools = new ToolRegistry({ hints: 'off' }).register(
  closedTool(
    'read_files',
    (values) => {
      ran.push('read_files');
      return values;
    },
    { paths: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
    { required: ['paths'] },
  ),
  closedTool('now', () => {
    ran.push('now');
    return 'noon';
  }),
);

const read = (id: unknown, args: unknown): SentCall => ({
  id,
  name: 'read_files',
  arguments: args,
});
const now = (id: unknown, args: unknown = {}): SentCall => ({ id, name: 'now', arguments: args });
const nearMiss = '{"paths":["a"],"limit":"2"}';
const transportOf = ({ transport }: Wire) => (transport === undefined ? {} : { as: transport });
const modelOf = ({ isUnnamed }: Wire) => (isUnnamed === true ? {} : { model: 'scripted' });
const ownId = expect.stringMatching(/^[a-z\d]{9}$/);

describe.each(wires)('$name', (wire) => {
  const [reason] = wire.normalReasons;

  it.each(['whole', 'stream', 'helper'] as const)(
    'runs calls side by side, in order: %s',
    async (how) => {
      const calls = [read('call_1', nearMiss), now('call_2', '{}')];
      const whole = { json: wire.answer(reason, ...calls) };
      const stream = { events: wire.events(reason, ...calls), end: wire.streamEnd };
      const body = { ...(how === 'whole' ? whole : stream), ...transportOf(wire) };
      const { origin, requests } = await startBodyServer(body);

      const { outcomes, calls: history, results } = await wire.ask(tools, origin, how);

      expect(JSON.stringify(requests[0])).toContain('"name":"now"');
      expect(outcomes).toMatchObject([
        { status: 'completed', call: { id: 'call_1', ...modelOf(wire), finishReason: reason } },
        { status: 'completed', call: { id: 'call_2' } },
      ]);
      expect(history).toEqual([
        { id: 'call_1', name: 'read_files', arguments: { paths: ['a'], limit: 2 } },
        { id: 'call_2', name: 'now', arguments: {} },
      ]);
      expect(results).toMatchObject([
        { id: 'call_1', text: '{"paths":["a"],"limit":2}', notes: [] },
        { id: 'call_2', text: 'noon', notes: [] },
      ]);
    },
  );

  it('gives the calls to a program that runs them itself, with provider, model and end', () => {
    const answer = wire.answer(reason, now('call_1'));
    const calls = wire.calls(tools, answer, false);
    const facts = { ...modelOf(wire), finishReason: reason, provider: expect.any(String) };
    expect(calls).toMatchObject([{ id: 'call_1', name: 'now', arguments: {}, ...facts }]);
    if (wire.hasStrict)
      expect(wire.calls(tools, answer, true)).toMatchObject([
        { provider: `${calls[0]?.provider}-strict` },
      ]);
  });

  it('gives each call an id of its own, in the history and in the results', async () => {
    const answer = wire.answer(
      reason,
      now(undefined),
      now('a'),
      now('a'),
      now(''),
      now(5),
      now({}),
    );
    const { calls, results } = await wire.read(tools, answer);
    expect(calls.map(({ id }) => id)).toEqual([ownId, 'a', 'a_2', ownId, '5', ownId]);
    expect(results.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 6 }, () => 'noon'));
  });

  it('takes arguments as an object, null, or absent', async () => {
    const sent = [
      read('1', { paths: 'a' }),
      now('2', null),
      { id: '3', name: 'now' },
      read('4', null),
    ];
    const { calls, outcomes } = await wire.read(tools, wire.answer(reason, ...sent));
    const statuses = ['completed', 'completed', 'completed', 'invalid_arguments'];
    expect(outcomes).toMatchObject(statuses.map((status) => ({ status })));
    // Providers refuse a history with arguments that are not an object.
    expect(calls.map((call) => call.arguments)).toEqual([
      { paths: ['a'] },
      {},
      {},
      expect.any(Object),
    ]);
  });

  it('answers calls without a name, with a name that is not text, and of an unknown tool', async () => {
    const names = [undefined, null, 7, {}, 'write'];
    const sent = names.map((name, index) => ({ id: `${index}`, name, arguments: {} }));
    const { calls, outcomes, results } = await wire.read(tools, wire.answer(reason, ...sent));
    expect(outcomes.map(({ status }) => status)).toEqual(names.map(() => 'unknown_tool'));
    expect(results.at(0)?.text).toContain('"" was not executed.');
    expect(results.at(-1)?.text).toContain('write was not executed.');
    expect(calls.map(({ name }) => name)).toEqual(['unknown', 'unknown', '7', 'unknown', 'write']);
  });

  it.each(wire.cutReasons)(
    'cut off by %s: the last value may be half, others are whole',
    async (cut) => {
      const answer = wire.answer(cut, now('1'), read('2', { paths: ['half'] }));
      expect((await wire.read(tools, answer)).outcomes).toMatchObject([
        { status: 'completed' },
        truncated,
      ]);
    },
  );

  it.each(wire.normalReasons)('ended by %s: the last value is whole', async (end) => {
    const { outcomes } = await wire.read(tools, wire.answer(end, read('1', { paths: ['a'] })));
    expect(outcomes).toMatchObject([
      { status: 'completed', interpretation: { status: 'unchanged' } },
    ]);
  });

  it.each(wire.emptyAnswers)('has no outcomes for %j', async (answer) => {
    expect(await wire.read(tools, answer)).toEqual({ outcomes: [], calls: [], results: [] });
    expect(wire.calls(tools, answer, false)).toEqual([]);
  });

  it.each(wire.emptyEvents)('ignores the event %j', async (empty) => {
    const [first, ...events] = wire.events(reason, read('call_1', nearMiss));
    const { outcomes } = await wire.collect(tools, [
      first,
      ...events.flatMap((event) => [event, empty]),
    ]);
    const args = wire.streamsObjects === true ? JSON.parse(nearMiss) : nearMiss;
    expect(outcomes).toMatchObject([
      { status: 'completed', call: { id: 'call_1', arguments: args } },
    ]);
  });

  it.each([
    ['JSON with faults, which an SDK alone would lose', "{'paths': ['a',]}", { paths: ['a'] }],
    ['an empty text', '', {}],
  ])('reads streamed arguments: %s', async (_title, text, args) => {
    const call = { id: '1', name: text === '' ? 'now' : 'read_files', arguments: text };
    const { calls, outcomes } = await wire.collect(tools, wire.events(reason, call));
    expect(outcomes).toMatchObject([{ status: 'completed' }]);
    expect(calls).toMatchObject([{ arguments: args }]);
  });

  it('counts a stream that ends without a word as cut off: only whole calls run', async () => {
    const events = wire.events(undefined, read('1', nearMiss), read('2', '{"paths":["a"'));
    const { outcomes } = await wire.collect(tools, events);
    expect(outcomes).toMatchObject([{ status: 'completed' }, truncated]);
  });

  it('rejects for a connection that breaks, and nothing has run', async () => {
    const events = wire.events(undefined, read('1', nearMiss));
    const { origin } = await startBodyServer({ events, end: 'break', ...transportOf(wire) });
    await expect(wire.ask(tools, origin, 'stream')).rejects.toThrow();
    expect(ran).toEqual([]);
  });

  it('rejects for a stream that was aborted, even if all calls had arrived', async () => {
    const events = wire.events(undefined, read('1', nearMiss), now('2', '{}'));
    const { origin } = await startBodyServer({ events, end: 'open', ...transportOf(wire) });
    await expect(wire.ask(tools, origin, { abortAfter: events.length })).rejects.toThrow('aborted');
    expect(ran).toEqual([]);
  });
});
