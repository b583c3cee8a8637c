// Can an interpreted call be stored, driven again and shown to the model, with nothing lost and nothing leaked?
import {
  type AcceptedToolCall,
  type CallRecord,
  type InterpretedCall,
  RecordError,
  type ToolCall,
  ToolRegistry,
  defineTool,
  fromRecord,
  interpret,
  standardMetaArguments,
  toRecord,
} from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { trials } from '../laws/generators/trials.ts';
import {
  type Schema,
  closedOf,
  listOf,
  number,
  objectOf,
  recordOf,
  text,
  whole,
} from '../repair/sample-schemas.ts';
import { fc, propertyRuns } from '../seeded-fast-check.ts';

const command = closedOf({ command: text, retries: whole, secret: { type: 'string', writeOnly: true } }, [
  'command',
]);

function registryOf(inputSchema: Schema, meta = standardMetaArguments): ToolRegistry {
  const tool = defineTool({ name: 'run', description: 'Runs.', inputSchema, execute: (values) => values });
  return new ToolRegistry({ meta }).register(tool);
}

const callOf = (sent: unknown, more: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call_1',
  name: 'run',
  arguments: sent,
  ...more,
});

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
    expect(Object.keys(plain)).toEqual([
      'format',
      'version',
      'id',
      'tool',
      'arguments',
      'meta',
      'repairs',
      'notes',
    ]);
  });

  test('is a copy: what becomes of what was sent does not show in it', () => {
    const items = [{ n: 1 }];
    const kept = toRecord(
      accepted(registryOf(objectOf({ items: listOf(objectOf({})) })).interpret(callOf({ ITEMS: items }))),
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
    const contract = contractFromSchema({ name: 'run', inputSchema: objectOf({ n: number, m: number }) });
    const written = '{"n": 12345678901234567890, "m": 1.50}';
    const result = interpret(contract, { arguments: written }, { output: 'json' });
    if (result.status === 'rejected') throw new Error(result.message);
    const exact = toRecord({ call: callOf(written), tool: 'run', interpretation: result });
    expect(exact.arguments).toBe(written);
    expect(fromRecord(stored(exact)).arguments).toBe(exact.arguments);
  });
});

describe('driven again', () => {
  test('meta arguments come back under their own keys', () => {
    const registry = registryOf(command);
    const again = fromRecord(
      stored(toRecord(accepted(registry.interpret(callOf(sent, { model: 'qwen3', finishReason: 'stop' }))))),
    );
    expect(again).toEqual({
      id: 'call_1',
      name: 'run',
      model: 'qwen3',
      arguments: '{"command":"ls","retries":2,"_rationale":"to see","_timeout_seconds":1800}',
    });
    expect(registry.interpret(again)).toMatchObject({
      interpretation: {
        status: 'unchanged',
        value: { command: 'ls', retries: 2 },
        meta: { rationale: 'to see', timeout_seconds: 1800 },
      },
    });
  });

  test('a call without arguments that came in an answer that was cut', () => {
    const registry = registryOf(closedOf({ retries: whole }));
    const first = registry.interpret(callOf('{"retries": null}', { finishReason: 'length' }));
    const again = fromRecord(toRecord(accepted(first)));
    expect(again.arguments).toBe('{}');
    expect(registry.interpret(again)).toMatchObject({ interpretation: { status: 'unchanged', value: {} } });
  });

  test('a map keeps keys that look like meta arguments', () => {
    const registry = registryOf(recordOf(text));
    const first = accepted(registry.interpret(callOf({ TIMEOUT: '30', _rationale: 'x' })));
    expect(registry.interpret(fromRecord(toRecord(first)))).toMatchObject({
      interpretation: { status: 'unchanged', value: { TIMEOUT: '30' }, meta: { rationale: 'x' } },
    });
  });

  test('what was read out of text is no deeper than what may be sent', () => {
    const deep = objectOf({ below: { $ref: '#' }, items: listOf({}) });
    const nested = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : { below: nested(levels - 1, inner) };
    const lists = (levels: number): object => ({ items: `${'['.repeat(levels)}${']'.repeat(levels)}` });
    const registry = registryOf(deep);
    const fitting = accepted(registry.interpret(callOf(nested(30, lists(33)))));
    expect(registry.interpret(fromRecord(toRecord(fitting)))).toMatchObject({
      interpretation: { status: 'unchanged' },
    });
    expect(registry.interpret(callOf(nested(30, lists(34))))).toMatchObject({ status: 'invalid_arguments' });
  });

  test('law: whatever is accepted comes out unchanged, with the same value and meta arguments', () => {
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
    let count = 0;
    fc.assert(
      fc.property(sample, ({ schema, value, meta: said }) => {
        const registry = registryOf(schema);
        const first = registry.interpret(callOf(JSON.stringify({ ...Object(value), ...said })));
        if (first.status !== 'accepted') return;
        count += 1;
        const again = accepted(registry.interpret(fromRecord(stored(toRecord(first)))));
        // Not strictly: a value's own key `constructor` would be taken for its class.
        expect(again.interpretation).toEqual({
          ...first.interpretation,
          status: 'unchanged',
          repairs: [],
          notes: [],
        });
        const twice = toRecord(again);
        expect(twice.arguments).toBe(toRecord(first).arguments);
      }),
    );
    expect(count).toBeGreaterThan(propertyRuns / 5);
  });
});

describe('what is no record', () => {
  const record = toRecord(accepted(registryOf(command).interpret(callOf(sent))));
  const without = (member: string): unknown =>
    Object.fromEntries(Object.entries(record).filter(([key]) => key !== member));
  const proxy: unknown = new Proxy(record, {});

  test.each<[string, unknown, string]>([
    ['nothing', undefined, ''],
    ['text', JSON.stringify(record), ''],
    ['a list', [record], ''],
    [
      'an object with code',
      {
        ...record,
        get id() {
          throw new Error('was run');
        },
      },
      '',
    ],
    ['a proxy', proxy, ''],
    ['of another program', { ...record, format: 'other' }, 'format'],
    ['of a later version', { ...record, version: 2 }, 'version'],
    ['without an id', without('id'), 'id'],
    ['without a tool', { ...record, tool: 5 }, 'tool'],
    ['a model that is no text', { ...record, model: null }, 'model'],
    ['arguments as a value', { ...record, arguments: { command: 'ls' } }, 'arguments'],
    ['arguments that are no JSON', { ...record, arguments: '{"command": "ls"' }, 'arguments'],
    ['arguments that are no object', { ...record, arguments: '[]' }, 'arguments'],
    ['arguments with a key twice', { ...record, arguments: '{"a":1,"a":1}' }, 'arguments'],
    ['without meta arguments', without('meta'), 'meta'],
    ['meta arguments as a list', { ...record, meta: [] }, 'meta'],
    ['without repairs', without('repairs'), 'repairs'],
    ['notes that are none', { ...record, notes: [1] }, 'notes'],
  ])('%s', (_title, data, member) => {
    const read = (): unknown => fromRecord(data);
    expect(read).toThrow(RecordError);
    expect(read).toThrow(expect.objectContaining({ code: 'record', member }));
  });

  test.each<[string, unknown, string]>([
    [
      'nothing',
      undefined,
      'The record is not a record: pass the object that toRecord made, parsed from JSON.',
    ],
    [
      'of another program',
      { ...record, format: 'other' },
      "The record's format is not toolmend.call: pass what toRecord made.",
    ],
    [
      'of a later version',
      { ...record, version: 2 },
      "The record's version is not 1: read it with the toolmend that wrote it, or a newer one.",
    ],
    [
      'notes without a rule',
      { ...record, notes: [{}] },
      "The record's notes is not a list of what was done to the call: pass the record as toRecord made it.",
    ],
    [
      'a name that is no text',
      { ...record, requested: 5 },
      "The record's requested is not a string: pass the record as toRecord made it.",
    ],
    [
      'arguments that are no object',
      { ...record, arguments: '[]' },
      "The record's arguments is not JSON text of an object: pass the record as toRecord made it.",
    ],
    [
      'no meta arguments',
      { ...record, meta: 5 },
      "The record's meta is not an object of values: pass the record as toRecord made it.",
    ],
    [
      'an end that is no text',
      { ...record, finishReason: 5 },
      "The record's finishReason is not a string: pass the record as toRecord made it.",
    ],
  ])('%s: what is wrong is said, and what to do', (_title, data, message) => {
    expect(() => fromRecord(data)).toThrow(message);
  });

  test('arguments that are no longer right are the seam’s to refuse', () => {
    const changed = fromRecord({ ...record, arguments: '{"command":5.5}', meta: { timeout_seconds: -1 } });
    expect(registryOf(command).interpret(changed)).toMatchObject({
      status: 'invalid_arguments',
      interpretation: { issues: [{ keyword: 'meta', path: '/_timeout_seconds' }] },
    });
  });
});

describe('the history that the model is sent', () => {
  const required = { ...command, required: ['command', '_rationale'] };

  test('shows arguments as interpreted, and no meta arguments', () => {
    const registry = registryOf(command);
    expect(registry.history(registry.interpret(callOf(sent, { name: 'Run' })))).toEqual({
      id: 'call_1',
      name: 'run',
      arguments: '{"command":"ls","retries":2}',
    });
  });

  test('shows the rationale where the schema requires one, and no other', async () => {
    const registry = registryOf(required);
    const shown = registry.history(await registry.call(callOf(sent)));
    expect(shown.arguments).toBe('{"command":"ls","retries":2,"_rationale":"to see"}');
    expect(registry.interpret(shown)).toMatchObject({ interpretation: { status: 'unchanged' } });
  });

  test.each<[string, unknown, string]>([
    ['text of an object as it came', '{"command": [5.50, 6]}', '{"command": [5.50, 6]}'],
    ['a value as text', { command: [5.5, 6] }, '{"command":[5.5,6]}'],
    ['text that is no JSON, which servers refuse', '{"comm', '{"unreadable_arguments":"{\\"comm"}'],
    ['nothing', undefined, '{"unreadable_arguments":""}'],
    ['a list, which servers refuse too', '[1]', '{"unreadable_arguments":"[1]"}'],
    [
      'half of a character far inside',
      `{"command": ${'['.repeat(30)}"\\ud800"${']'.repeat(30)}}`,
      `{"command":${'['.repeat(30)}"\ufffd"${']'.repeat(30)}}`,
    ],
    ['half of a character', '{"command": ["\\ud800", 6]}', '{"command":["\ufffd",6]}'],
  ])('shows of a rejected call %s', (_title, raw, shown) => {
    const registry = registryOf(command);
    expect(registry.history(registry.interpret(callOf(raw)))).toEqual({
      id: 'call_1',
      name: 'run',
      arguments: shown,
    });
  });

  test.each<[string, object]>([
    [
      'the only key beside the missing one',
      { effects: 'read', inputSchema: closedOf({ note: text }, ['note']) },
    ],
    ['a key that is dropped', { unknownArguments: 'strip', inputSchema: closedOf({ note: text }) }],
  ])('what stands there for text that nobody could read is no argument: %s', (_title, how) => {
    const registry = new ToolRegistry().register(
      Reflect.apply(defineTool, undefined, [
        { name: 'run', description: 'Runs.', execute: () => 'ran', ...how },
      ]),
    );
    const shown = registry.history(registry.interpret(callOf('{"note": ["a')));
    expect(shown.arguments).toBe('{"unreadable_arguments":"{\\"note\\": [\\"a"}');
    for (const back of [shown.arguments, JSON.parse(shown.arguments)]) {
      expect(registry.interpret(callOf(back))).toMatchObject({
        status: 'invalid_arguments',
        interpretation: { issues: [{ keyword: 'not_json', path: '' }] },
      });
    }
  });

  test.each<[string, object, object]>([
    ['no text', { unreadable_arguments: 5 }, {}],
    ['text beside an argument', { unreadable_arguments: 'a', note: 'b' }, { note: 'b' }],
    ['absent', { extra: 'a' }, {}],
  ])('what is %s stands for nothing', (_title, raw, value) => {
    const tool = defineTool({
      name: 'run',
      description: 'Runs.',
      unknownArguments: 'strip',
      inputSchema: closedOf({ note: text }),
      execute: () => 'ran',
    });
    expect(new ToolRegistry().register(tool).interpret(callOf(raw))).toMatchObject({
      interpretation: { status: 'repaired', value },
    });
  });

  test('an argument of that name is one where the tool says so', () => {
    const registry = registryOf(closedOf({ unreadable_arguments: text }));
    expect(registry.interpret(callOf({ unreadable_arguments: 'a' }))).toMatchObject({
      interpretation: { status: 'unchanged' },
    });
  });

  test('shows of an unknown tool a name that servers take', () => {
    const registry = registryOf(command);
    const call = callOf('{}', { name: 'functions.run it'.repeat(8) });
    expect(registry.history(registry.interpret(call)).name).toMatch(/^functions_run_it[\w-]{48}$/);
    expect(registry.history(registry.interpret({ ...call, name: '' })).name).toBe('unknown');
  });
});

test.each<[string, readonly unknown[]]>([
  ['a name that is not its key', [{ ...standardMetaArguments[0], name: 'reason' }]],
  [
    'two of one spelling',
    [...standardMetaArguments, { ...standardMetaArguments[1], key: '_timeout', name: 'timeout' }],
  ],
])('meta arguments that could not be put back are refused: %s', (_title, meta) => {
  expect(() => Reflect.construct(ToolRegistry, [{ meta }])).toThrow(/meta argument/);
});

test('only what was accepted is stored', () => {
  const tools = registryOf(command);
  for (const refused of [tools.interpret(callOf('{}')), tools.interpret(callOf('{}', { name: 'other' }))]) {
    const store = (): unknown => Reflect.apply(toRecord, undefined, [refused]);
    expect(store).toThrow(RecordError);
    expect(store).toThrow(expect.objectContaining({ member: 'interpretation' }));
    expect(store).toThrow('Only accepted calls can be stored, and this one was not accepted');
  }
});
