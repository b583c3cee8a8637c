import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  contractOf,
  FromContext,
  interpret,
  Secret,
  Tool,
  toolMessage,
  ToolRegistry,
} from 'toolmend';
import { closedOf, type Schema, text, whole } from '../schemas.ts';
import { callOf, RecordingListener, toolOf } from '../tools.ts';
import { messageOf, readValue, repairedTo, valueOf } from '../read.ts';

const canary = 'c4n4ry-s3cr3t';

@Tool({ description: 'Reads a note.' })
class ReadNote {
  @IsInt() note!: number;
  @IsOptional() @IsString() @Secret() pin?: string;
  @FromContext('userId') userId!: string;
  execute(): void {}
}

const readNote = (sent: unknown) => interpret(contractOf(ReadNote), { arguments: sent });

describe('secrets', () => {
  test.each<[string, unknown]>([
    ['of the wrong type', { note: 1, pin: [canary, canary] }],
    ['beside an invalid value', { note: 'x', pin: canary }],
    ['with a misspelt name', { note: 'x', PIN: canary }],
    ['sent for a context value', { note: 'x', userId: canary }],
    ['in text that was cut off', `{"note": 1, "pin": "${canary}`],
    ['in text that is not JSON', `pin=${canary}`],
  ])('%s are not in the result of a rejected call', (_title, sent) => {
    const result = readNote(sent);
    expect(result.status).toBe('rejected');
    expect(JSON.stringify(result)).not.toContain(canary);
  });

  test('are not in the records of a repaired call', () => {
    const result = readNote({ note: '1', Pin: [canary] });
    expect(result).toMatchObject(repairedTo({ note: 1, pin: canary }));
    const shown = [result.notes, result.repairs.map(({ was, path }) => [was, path])];
    expect(JSON.stringify(shown)).not.toContain(canary);
  });
});

describe('keys that are part of a secret', () => {
  const numbers = { additionalProperties: whole };
  const secret: Schema = { type: 'object', writeOnly: true };
  const listener = new RecordingListener();

  /** All that is said of a call with `value` in the argument `below`. */
  async function call(below: Schema, value: object): Promise<string> {
    const tool = toolOf(() => {}, { inputSchema: closedOf({ below }) });
    const tools = new ToolRegistry({ listeners: [listener] }).register(tool);
    const outcome = await tools.call(callOf({ arguments: { below: value } }));
    const issues = outcome.status === 'invalid_arguments' ? outcome.interpretation.issues : [];
    return JSON.stringify([
      outcome.status,
      toolMessage(outcome),
      issues,
      listener.events.splice(0),
    ]);
  }

  test.each<[string, Schema, object]>([
    ['below a secret', { ...secret, ...numbers }, { [canary]: 'x' }],
    ['that a secret doesn’t have', { ...secret, ...closedOf({ pin: text }) }, { [canary]: 'x' }],
    [
      'whose names are secret',
      { propertyNames: { writeOnly: true, pattern: '^z' } },
      { [canary]: 1 },
    ],
    [
      'with an invalid value',
      { propertyNames: { writeOnly: true }, ...numbers },
      { [canary]: 'x' },
    ],
    ['of digits', { ...secret, ...numbers }, { 4929123456781234: 'x' }],
  ])('%s are not in message, issues and events', async (_title, below, value) => {
    const said = await call(below, value);
    expect(said).toContain('invalid_arguments');
    for (const key of Object.keys(value)) expect(said).not.toContain(key);
  });

  test('are not in the events of a repaired call, unless the schema declares them', async () => {
    const kept = await call({ ...secret, ...numbers }, { [canary]: '5' });
    expect(kept).toContain('"repairs":[{"rule":"text_to_integer","path":"/below/(secret)"}]');
    expect(kept).not.toContain(canary);
    expect(await call({ ...secret, ...closedOf({ pin: whole }) }, { pin: 'x' })).toContain(
      '/below/pin',
    );
  });
});

test('a message repeats at most 64 characters of a value, and stays short', () => {
  const schema = closedOf({ name: text, mode: { enum: ['a', 'b'] }, limit: whole });
  const messageFor = (sent: object): string => messageOf(readValue(schema, sent));
  const message = messageFor({ mode: 'x'.repeat(1_000_000) });
  expect(message).toContain(`got "${'x'.repeat(63)}…".`);
  expect(message.length).toBe(messageFor({ mode: 'x'.repeat(100) }).length);
  expect(messageFor({ ['k'.repeat(1_000_000)]: 1 }).length).toBeLessThan(500);
  expect(messageFor({ name: Array(100_000).fill('x') }).length).toBeLessThan(500);
  const manyKeys = Array.from({ length: 10_000 }, (_key, index) => [`key ${index}?`, 1]);
  expect(messageFor(Object.fromEntries(manyKeys)).length).toBeLessThan(1000);
});

describe('what the application sets', () => {
  test('is not in the schema; a value that is sent for it is removed, and the model is told', () => {
    expect(JSON.stringify(contractOf(ReadNote).inputSchema)).not.toContain('userId');
    const result = readNote({ note: 1, userId: canary });
    expect(result).toMatchObject({
      ...repairedTo({ note: 1 }),
      repairs: [{ rule: 'context_field', path: '/userId', shownToModel: true }],
      notes: [{ text: 'userId is set by the application; the value that was sent is ignored.' }],
    });
    expect(Object.keys(Object(valueOf(result)))).toEqual(['note']);
    expect(JSON.stringify(result)).not.toContain(canary);
  });

  test.each(['user_id', 'UserId', 'userid'])('can’t be sent as %s', (key) => {
    expect(JSON.stringify(valueOf(readNote({ note: 1, [key]: canary })) ?? {})).not.toContain(
      canary,
    );
  });

  test('leaves a declared field alone whose name is like the context’s', () => {
    @Tool({ description: 'Keeps a note.' })
    class KeepNote {
      @IsString() user_id!: string;
      @FromContext('userId') owner!: string;
      execute(): void {}
    }
    const sent = { user_id: 'x', owner: canary };
    const value = { user_id: 'x' };
    expect(interpret(contractOf(KeepNote), { arguments: sent })).toMatchObject({ value });
  });
});
