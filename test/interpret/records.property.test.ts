import {
  type AcceptedToolCall,
  type CallRecord,
  type InterpretedCall,
  type ToolCall,
  type ToolDefinition,
  RecordError,
  ToolRegistry,
  fromRecord,
  interpret,
  standardMetaArguments,
  toRecord,
} from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { trials } from '../laws/generators/trials.ts';
import { closedOf, listOf, number, objectOf, type Schema, text, whole } from '../schemas.ts';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { callOf as callOfAny, thrower, toolOf } from '../tools.ts';

const command = closedOf({ command: text, retries: whole, secret: { ...text, writeOnly: true } }, [
  'command',
]);

const registryOf = (inputSchema: Schema, meta = standardMetaArguments): ToolRegistry =>
  new ToolRegistry({ meta }).register(toolOf((values) => values, { name: 'run', inputSchema }));

const callOf = (written: unknown, more: Partial<ToolCall> = {}) =>
  callOfAny({ name: 'run', arguments: written, ...more });

function accepted(interpreted: InterpretedCall): AcceptedToolCall {
  if (interpreted.status !== 'accepted') throw new Error(JSON.stringify(interpreted));
  return interpreted;
}

const stored = (record: CallRecord): unknown => JSON.parse(JSON.stringify(record));

const sent = '{"command": "ls", "retries": "2", "Timeout": 1800.0, "_rationale": "to see"}';

describe('a record', () => {
  const registry = registryOf(command);
  const call = callOf(sent, { name: 'Run', model: 'qwen3', finishReason: 'stop' });
  const record = toRecord(accepted(registry.interpret(call)));

  test('holds the call as it was interpreted, its meta arguments beside it', () => {
    expect(record).toEqual({
      format: 'toolmend.call',
      version: 1,
      id: 'call_1',
      tool: 'run',
      requested: 'Run',
      model: 'qwen3',
      finishReason: 'stop',
      arguments: '{"command":"ls","retries":2}',
      meta: { rationale: 'to see', timeout_seconds: 1800 },
      repairs: [
        expect.objectContaining({ rule: 'meta_key', path: '/Timeout' }),
        expect.objectContaining({ rule: 'text_to_integer', path: '/retries' }),
      ],
      notes: [],
    });
    expect(stored(record)).toEqual(record);
  });

  test('of a valid call says no more than there is', () => {
    const plain = toRecord(accepted(registry.interpret(callOf({ command: 'ls' }))));
    expect(Object.keys(plain).join()).toBe('format,version,id,tool,arguments,meta,repairs,notes');
  });

  test('is a copy: what becomes of what was sent does not show in it', () => {
    const items = [{ n: 1 }];
    const kept = toRecord(
      accepted(
        registryOf(objectOf({ items: listOf(objectOf({})) })).interpret(callOf({ ITEMS: items })),
      ),
    );
    items.push({ n: 2 });
    expect(kept.arguments).toBe('{"items":[{"n":1}]}');
    expect(JSON.stringify(kept)).not.toContain('"n":2');
    expect(Object.isFrozen(kept) && Object.isFrozen(kept.repairs)).toBe(true);
  });

  test('of an outcome is the same as of the call that was to be executed', async () => {
    const outcome = await registry.call(call);
    if (outcome.status !== 'completed') throw new Error(outcome.status);
    expect(toRecord(outcome)).toEqual(record);
  });

  test('keeps every digit of arguments that are passed on', () => {
    const contract = contractFromSchema({
      name: 'run',
      inputSchema: objectOf({ n: number, m: number }),
    });
    const written = '{"n": 12345678901234567890, "m": 1.50}';
    const result = interpret(contract, { arguments: written }, { output: 'json' });
    if (result.status === 'rejected') throw new Error(result.message);
    const exact = toRecord({ call: callOf(written), tool: 'run', interpretation: result });
    expect(exact.arguments).toBe(written);
    expect(fromRecord(stored(exact)).arguments).toBe(exact.arguments);
  });
});

describe('a call from a record', () => {
  test('has its meta arguments under their own keys', () => {
    const registry = registryOf(command);
    const first = accepted(
      registry.interpret(callOf(sent, { model: 'qwen3', finishReason: 'stop' })),
    );
    const again = fromRecord(stored(toRecord(first)));
    const written = '{"command":"ls","retries":2,"_rationale":"to see","_timeout_seconds":1800}';
    expect(again).toEqual({ id: 'call_1', name: 'run', model: 'qwen3', arguments: written });
    const meta = { rationale: 'to see', timeout_seconds: 1800 };
    expect(registry.interpret(again)).toMatchObject({
      interpretation: { status: 'unchanged', value: { command: 'ls', retries: 2 }, meta },
    });
  });

  test('without arguments is accepted, although the answer was cut off', () => {
    const registry = registryOf(closedOf({ retries: whole }));
    const first = registry.interpret(callOf('{"retries": null}', { finishReason: 'length' }));
    const again = fromRecord(toRecord(accepted(first)));
    expect(again.arguments).toBe('{}');
    expect(registry.interpret(again)).toMatchObject({
      interpretation: { status: 'unchanged', value: {} },
    });
  });

  test('is no deeper than what can be sent', () => {
    const deep = objectOf({ below: { $ref: '#' }, items: listOf({}) });
    const nested = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : { below: nested(levels - 1, inner) };
    const lists = (levels: number): object => ({
      items: `${'['.repeat(levels)}${']'.repeat(levels)}`,
    });
    const registry = registryOf(deep);
    const fitting = accepted(registry.interpret(callOf(nested(30, lists(33)))));
    const again = registry.interpret(fromRecord(toRecord(fitting)));
    expect(again).toMatchObject({ interpretation: { status: 'unchanged' } });
    expect(registry.interpret(callOf(nested(30, lists(34))))).toMatchObject({
      status: 'invalid_arguments',
    });
  });

  test('is unchanged, with the same value and meta arguments, whatever was accepted', () => {
    const meta = fc.record(
      {
        _rationale: fc.constantFrom('to see', 'a "quoted" one', '\ud800', '}'),
        Timeout: fc.constantFrom(5, '5', 300),
        background: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const sample = fc.tuple(trials, fc.nat(), meta).map(([{ schema, valid, faulty }, at, said]) => {
      const made = faulty.flatMap(({ sent: call }) =>
        typeof call.arguments === 'string' ? [] : [call.arguments],
      );
      const all: readonly unknown[] = [valid, ...made];
      return { schema, value: all[at % all.length], meta: said };
    });
    const valid = { status: 'unchanged', repairs: [], notes: [] };
    let count = 0;
    fc.assert(
      fc.property(sample, ({ schema, value, meta: said }) => {
        const registry = registryOf(schema);
        const first = registry.interpret(callOf(JSON.stringify({ ...Object(value), ...said })));
        if (first.status !== 'accepted') return;
        count += 1;
        const again = accepted(registry.interpret(fromRecord(stored(toRecord(first)))));
        // Not strictly: a value's own key `constructor` would be taken for its class.
        expect(again.interpretation).toEqual({ ...first.interpretation, ...valid });
        const twice = toRecord(again);
        expect(twice.arguments).toBe(toRecord(first).arguments);
      }),
    );
    expect(count).toBeGreaterThan(propertyRuns / 10);
  });
});

describe('data that is not a record', () => {
  const record = toRecord(accepted(registryOf(command).interpret(callOf(sent))));
  const without = (member: string): unknown =>
    Object.fromEntries(Object.entries(record).filter(([key]) => key !== member));
  const getter = Object.defineProperty({ ...record }, 'id', {
    enumerable: true,
    get: thrower('run'),
  });
  const asMade = 'pass the record as toRecord made it.';
  const otherFormat = "The record's format is not toolmend.call: pass what toRecord made.";
  const otherVersion =
    "The record's version is not 1: read it with the toolmend that wrote it, or a newer one.";
  const notString = (member: string) => `The record's ${member} is not a string: ${asMade}`;
  const notMade =
    'The record is not a record: pass the object that toRecord made, parsed from JSON.';
  const notObject = `The record's arguments is not JSON text of an object: ${asMade}`;
  const notList = (member: string) =>
    `The record's ${member} is not a list of what was done to the call: ${asMade}`;
  const notValues = `The record's meta is not an object of values: ${asMade}`;

  test.each<[string, unknown, string, string]>([
    ['nothing', undefined, '', notMade],
    ['text', JSON.stringify(record), '', notMade],
    ['an array', [record], '', notMade],
    ['an object with code', getter, '', notMade],
    ['a proxy', new Proxy(record, {}), '', notMade],
    ['of another program', { ...record, format: 'other' }, 'format', otherFormat],
    ['of a later version', { ...record, version: 2 }, 'version', otherVersion],
    ['without an id', without('id'), 'id', notString('id')],
    ['without a tool', { ...record, tool: 5 }, 'tool', notString('tool')],
    [
      'a requested name of another type',
      { ...record, requested: 5 },
      'requested',
      notString('requested'),
    ],
    ['a model that is not a string', { ...record, model: null }, 'model', notString('model')],
    [
      'a reason of another type',
      { ...record, finishReason: 5 },
      'finishReason',
      notString('finishReason'),
    ],
    [
      'parsed arguments',
      { ...record, arguments: { command: 'ls' } },
      'arguments',
      notString('arguments'),
    ],
    [
      'arguments that are not JSON',
      { ...record, arguments: '{"command": "ls"' },
      'arguments',
      notObject,
    ],
    ['arguments that are not an object', { ...record, arguments: '[]' }, 'arguments', notObject],
    [
      'arguments with a duplicate key',
      { ...record, arguments: '{"a":1,"a":1}' },
      'arguments',
      notObject,
    ],
    ['without meta arguments', without('meta'), 'meta', notValues],
    ['meta arguments as an array', { ...record, meta: [] }, 'meta', notValues],
    ['without repairs', without('repairs'), 'repairs', notList('repairs')],
    ['notes of numbers', { ...record, notes: [1] }, 'notes', notList('notes')],
    ['notes without a rule', { ...record, notes: [{}] }, 'notes', notList('notes')],
  ])('is refused: %s', (_title, data, member, message) => {
    expect(() => fromRecord(data)).toThrow(RecordError);
    expect(() => fromRecord(data)).toThrow(
      expect.objectContaining({ code: 'record', member, message }),
    );
  });

  test('does not include arguments that are invalid by now: the call is rejected', () => {
    const changed = fromRecord({
      ...record,
      arguments: '{"command":5.5}',
      meta: { timeout_seconds: -1 },
    });
    const interpretation = {
      status: 'rejected',
      issues: [{ keyword: 'meta', path: '/_timeout_seconds' }],
    };
    expect(registryOf(command).interpret(changed)).toMatchObject({ interpretation });
  });
});

describe('the history for the model', () => {
  const required = { ...command, required: ['command', '_rationale'] };

  test('shows arguments as interpreted, and no meta arguments', () => {
    const registry = registryOf(command);
    const history = registry.history(registry.interpret(callOf(sent, { name: 'Run' })));
    expect(history).toEqual({
      id: 'call_1',
      name: 'run',
      arguments: '{"command":"ls","retries":2}',
    });
  });

  test('shows only those meta arguments that the schema requires', async () => {
    const registry = registryOf(required);
    const shown = registry.history(await registry.call(callOf(sent)));
    expect(shown.arguments).toBe('{"command":"ls","retries":2,"_rationale":"to see"}');
    expect(registry.interpret(shown)).toMatchObject({ interpretation: { status: 'unchanged' } });
  });

  const deepText = (half: string, blank: string) =>
    `{"command":${blank}${'['.repeat(30)}"${half}"${']'.repeat(30)}}`;
  test.each<[string, unknown, string]>([
    ['text of an object as it came', '{"command": [5.50, 6]}', '{"command": [5.50, 6]}'],
    ['a value as text', { command: [5.5, 6] }, '{"command":[5.5,6]}'],
    ['text that is not JSON', '{"comm', '{"unreadable_arguments":"{\\"comm"}'],
    ['nothing', undefined, '{"unreadable_arguments":""}'],
    ['an array', '[1]', '{"unreadable_arguments":"[1]"}'],
    ['a lone surrogate far inside', deepText('\\ud800', ' '), deepText('\ufffd', '')],
    ['a lone surrogate', '{"command": ["\\ud800", 6]}', '{"command":["\ufffd",6]}'],
  ])('shows of a rejected call %s', (_title, raw, shown) => {
    const registry = registryOf(command);
    const history = registry.history(registry.interpret(callOf(raw)));
    expect(history).toEqual({ id: 'call_1', name: 'run', arguments: shown });
  });

  const strip = { unknownArguments: 'strip' } as const;
  test.each<[string, Partial<ToolDefinition>]>([
    ['beside a missing key', { effects: 'read', inputSchema: closedOf({ note: text }, ['note']) }],
    ['if unknown keys are removed', { ...strip, inputSchema: closedOf({ note: text }) }],
  ])(
    'has a placeholder for unreadable text, which is rejected if it comes back: %s',
    (_title, options) => {
      const registry = new ToolRegistry().register(
        toolOf(() => 'ran', { name: 'run', ...options }),
      );
      const shown = registry.history(registry.interpret(callOf('{"note": ["a')));
      expect(shown.arguments).toBe('{"unreadable_arguments":"{\\"note\\": [\\"a"}');
      for (const back of [shown.arguments, JSON.parse(shown.arguments)]) {
        const issues = [{ keyword: 'not_json', path: '' }];
        expect(registry.interpret(callOf(back))).toMatchObject({ interpretation: { issues } });
      }
    },
  );

  test.each<[string, object, object]>([
    ['a number', { unreadable_arguments: 5 }, {}],
    ['beside an argument', { unreadable_arguments: 'a', note: 'b' }, { note: 'b' }],
    ['absent', { extra: 'a' }, {}],
  ])('has no placeholder that is %s', (_title, raw, value) => {
    const tool = toolOf(() => 'ran', {
      name: 'run',
      ...strip,
      inputSchema: closedOf({ note: text }),
    });
    const interpretation = { status: 'repaired', value };
    expect(new ToolRegistry().register(tool).interpret(callOf(raw))).toMatchObject({
      interpretation,
    });
  });

  test('has no placeholder if the tool declares an argument of that name', () => {
    const registry = registryOf(closedOf({ unreadable_arguments: text }));
    const interpretation = { status: 'unchanged' };
    expect(registry.interpret(callOf({ unreadable_arguments: 'a' }))).toMatchObject({
      interpretation,
    });
  });

  test('shows an unknown tool under a name that servers accept', () => {
    const registry = registryOf(command);
    const call = callOf('{}', { name: 'functions.run it'.repeat(8) });
    expect(registry.history(registry.interpret(call)).name).toMatch(/^functions_run_it[\w-]{48}$/);
    expect(registry.history(registry.interpret({ ...call, name: '' })).name).toBe('unknown');
  });
});

const secondTimeout = { ...standardMetaArguments[1], key: '_timeout', name: 'timeout' };
test.each<[string, readonly unknown[]]>([
  ['a name that is not its key', [{ ...standardMetaArguments[0], name: 'reason' }]],
  ['two of one spelling', [...standardMetaArguments, secondTimeout]],
])('meta arguments that could not be put back are refused: %s', (_title, meta) => {
  expect(() => Reflect.construct(ToolRegistry, [{ meta }])).toThrow(/meta argument/);
});

test('only accepted calls are stored', () => {
  const tools = registryOf(command);
  for (const refused of [
    tools.interpret(callOf('{}')),
    tools.interpret(callOf('{}', { name: 'other' })),
  ]) {
    const store = (): unknown => Reflect.apply(toRecord, undefined, [refused]);
    expect(store).toThrow(RecordError);
    expect(store).toThrow(expect.objectContaining({ member: 'interpretation' }));
    expect(store).toThrow('Only accepted calls can be stored, and this one was not accepted');
  }
});
