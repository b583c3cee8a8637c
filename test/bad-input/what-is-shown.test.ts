// Is a definition with holes refused, and are secrets, huge values and the application's own values never shown?
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  contractOf,
  DefinitionError,
  defineTool,
  FromContext,
  interpret,
  interpretArguments,
  type SchemaObject,
  Secret,
  Tool,
  toolMessage,
  ToolRegistry,
} from 'toolmend';
import { RecordingListener } from '../tools.ts';
import { closedOf, text, whole } from '../repair/sample-schemas.ts';

describe('no metadata, no tool', () => {
  test('a class without fields that are declared, a field without a type', () => {
    class Undecorated {
      path!: string;
      execute(): void {}
    }
    @Tool({ description: 'Reads.' })
    class Untyped {
      @IsOptional() path?: string;
      execute(): void {}
    }
    expect(() => contractOf(Undecorated)).toThrow(DefinitionError);
    expect(() => contractOf(Untyped)).toThrow(/Untyped\.path/);
  });

  test('unknown keys of a class are refused, never ignored', () => {
    expect(interpret(contractOf(ReadNote), { arguments: { note: 1, other: 'x' } })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'additionalProperties', key: 'other' }],
    });
  });
});

const canary = 'c4n4ry-s3cr3t';

@Tool({ description: 'Reads a note.' })
class ReadNote {
  @IsInt() note!: number;
  @IsOptional() @IsString() @Secret() pin?: string;
  @FromContext('userId') userId!: string;
  execute(): void {}
}

@Tool({ description: 'Keeps a note.' })
class KeepNote {
  @IsString() user_id!: string;
  @FromContext('owner') owner!: string;
  execute(): void {}
}

describe('secrets', () => {
  test.each<[string, unknown]>([
    ['a secret of the wrong type', { note: 1, pin: [canary, canary] }],
    ['a secret beside what fails', { note: 'x', pin: canary }],
    ['a misspelt secret', { note: 'x', PIN: canary }],
    ['a secret for a context value', { note: 'x', userId: canary }],
    ['text that was cut', `{"note": 1, "pin": "${canary}`],
    ['text that is no JSON', `pin=${canary}`],
  ])('%s is not in message, issues, notes and short forms', (_title, sent) => {
    const result = interpret(contractOf(ReadNote), { arguments: sent });
    expect(result.status).toBe('rejected');
    expect(JSON.stringify(result)).not.toContain(canary);
  });

  test('nor in the records of a call that is repaired', () => {
    const result = interpret(contractOf(ReadNote), { arguments: { note: '1', Pin: [canary] } });
    expect(result).toMatchObject({ status: 'repaired', value: { note: 1, pin: canary } });
    expect(JSON.stringify([result.notes, result.repairs.map(({ was, path }) => [was, path])])).not.toContain(
      canary,
    );
  });
});

describe('keys that are part of a secret', () => {
  const numbers = { additionalProperties: { type: 'integer' } } as const;
  const secret = { type: 'object', writeOnly: true } as const;
  const rejected: readonly [string, SchemaObject, object][] = [
    ['below a secret', { ...secret, ...numbers }, { [canary]: 'x' }],
    ['that a secret doesn’t have', { ...secret, ...closedOf({ pin: text }) }, { [canary]: 'x' }],
    ['whose names are secret', { propertyNames: { writeOnly: true, pattern: '^z' } }, { [canary]: 1 }],
    ['with a value that is wrong', { propertyNames: { writeOnly: true }, ...numbers }, { [canary]: 'x' }],
    ['of digits', { ...secret, ...numbers }, { 4929123456781234: 'x' }],
  ];
  const listener = new RecordingListener();
  const call = async (below: SchemaObject, value: object): Promise<string> => {
    const tool = defineTool({
      name: 'keep',
      description: 'x',
      inputSchema: closedOf({ below }),
      execute() {},
    });
    const tools = new ToolRegistry({ listeners: [listener] }).register(tool);
    const outcome = await tools.call({ id: 'c', name: 'keep', arguments: { below: value } });
    const issues = outcome.status === 'invalid_arguments' ? outcome.interpretation.issues : [];
    return JSON.stringify([outcome.status, toolMessage(outcome), issues, listener.events.splice(0)]);
  };

  test.each(rejected)('keys %s are not in message, issues and events', async (_title, below, value) => {
    const said = await call(below, value);
    expect(said).toContain('invalid_arguments');
    for (const key of Object.keys(value)) expect(said).not.toContain(key);
  });

  test('nor in the events of a call that is repaired; keys that the schema declares are', async () => {
    const kept = await call({ ...secret, ...numbers }, { [canary]: '5' });
    expect(kept).toContain('"repairs":[{"rule":"text_to_integer","path":"/below/(secret)"}]');
    expect(kept).not.toContain(canary);
    expect(await call({ ...secret, ...closedOf({ pin: whole }) }, { pin: 'x' })).toContain('/below/pin');
  });
});

describe('what is echoed', () => {
  const schema = closedOf({ name: text, mode: { enum: ['a', 'b'] }, limit: whole });

  test('at most 64 characters of a value, quoted, and no more for a larger one', () => {
    const messageOf = (sent: object): string =>
      String(Reflect.get(interpretArguments(schema, { value: sent }), 'message'));
    const message = messageOf({ mode: 'x'.repeat(1_000_000) });
    expect(message).toContain(`got "${'x'.repeat(63)}…".`);
    expect(message.length).toBe(messageOf({ mode: 'x'.repeat(100) }).length);
    expect(messageOf({ ['k'.repeat(1_000_000)]: 1 }).length).toBeLessThan(500);
    expect(messageOf({ name: Array(100_000).fill('x') }).length).toBeLessThan(500);
    expect(
      messageOf(Object.fromEntries(Array.from({ length: 10_000 }, (_key, index) => [`key ${index}?`, 1])))
        .length,
    ).toBeLessThan(1000);
  });
});

describe('what the application sets', () => {
  test('is not in the schema, is taken out if sent, and told', () => {
    const contract = contractOf(ReadNote);
    expect(JSON.stringify(contract.inputSchema)).not.toContain('userId');
    const result = interpret(contract, { arguments: { note: 1, userId: canary } });
    expect(result).toMatchObject({
      status: 'repaired',
      value: { note: 1 },
      repairs: [{ rule: 'context_field', path: '/userId', tell: true }],
      notes: [{ text: 'userId is set by the application; the value that was sent is ignored.' }],
    });
    expect(Object.keys(Object(Reflect.get(result, 'value')))).toEqual(['note']);
    expect(JSON.stringify(result)).not.toContain(canary);
  });

  test.each(['user_id', 'UserId', 'userid'])('%s is no way around', (key) => {
    const result = interpret(contractOf(ReadNote), { arguments: { note: 1, [key]: canary } });
    expect(JSON.stringify(Reflect.get(result, 'value') ?? {})).not.toContain(canary);
  });

  test('a declared field of another name is the tool’s', () => {
    expect(interpret(contractOf(KeepNote), { arguments: { user_id: 'x', owner: canary } })).toMatchObject({
      value: { user_id: 'x' },
    });
  });
});
