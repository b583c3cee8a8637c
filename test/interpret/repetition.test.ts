import { CallMemory, standardMetaArguments, type ToolCall, ToolRegistry } from 'toolmend';
import { messageOf, read, readValue } from '../read.ts';
import { closedOf, type Schema, text, whole } from '../schemas.ts';
import { toolOf } from '../tools.ts';

const described = (schema: Schema, description: string): Schema => ({ ...schema, description });
const schema = closedOf({ path: described(text, 'Where to read.'), limit: whole }, ['path']);
const named = (name: string, inputSchema = schema) => toolOf(() => 'done', { name, inputSchema });

const tools = new ToolRegistry().register(named('read'), named('write'));
const callOf = (sent: unknown, name = 'read'): ToolCall => ({
  id: 'call_1',
  name,
  arguments: sent,
});

function messageFrom(memory: CallMemory | undefined, sent: unknown, name = 'read'): string {
  const result = tools.interpret(callOf(sent, name), memory === undefined ? {} : { memory });
  return result.status === 'invalid_arguments' ? result.message : result.status;
}

const wrong = '{"path": ["a", "b"], "limit": 5}';
const again = /This same call has now failed in the same way (\d+) times in a row\./;
const timesIn = (message: string): number => Number(again.exec(message)?.[1] ?? 1);

describe('the message', () => {
  const memory = new CallMemory();
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => messageFrom(memory, wrong));

  test('of the first failure is as without a memory', () => {
    expect(first).toBe(messageFrom(undefined, wrong));
    expect(first).toContain('Expected: { path: string, limit?: integer }');
  });

  test('of the second says so, and gives the whole schema', () => {
    expect(second?.split('\n')).toEqual([
      'read was not executed.',
      'This same call has now failed in the same way 2 times in a row.',
      '- path: expected a string, got an array of 2.',
      `Full JSON Schema of the arguments: ${JSON.stringify(schema)}`,
      'Example: {"path":"…"}',
      'Do not send the same arguments again: correct what is listed above, then send the whole call.',
    ]);
  });

  test('from the third on says to stop', () => {
    expect(third?.split('\n')).toEqual([
      'read was not executed.',
      'This same call has now failed in the same way 3 times in a row.',
      '- path: expected a string, got an array of 2.',
      'Stop trying: do not send this call again. Find another way, or say what is missing.',
    ]);
    expect(fourth).toMatch(/4 times in a row[^]*Stop trying/);
  });

  test('is the same if the program counts', () => {
    const options = { tool: 'read', failedBefore: 1 };
    expect(messageOf(read(schema, wrong, options))).toBe(second);
    const limited = messageOf(read(schema, wrong, { ...options, failureLimit: 2 }));
    expect(limited).toMatch(/2 times in a row[^]*Stop trying/);
    expect(read(schema, '{"path": "a"}', options)).toStrictEqual(read(schema, '{"path": "a"}'));
    expect(messageOf(read(schema, wrong, { shownName: 'read' }))).toBe(first);
  });

  test('of a call that has to be confirmed still says what to send', () => {
    const tool = { name: 'remove', effects: 'destructive', repair: 'lossless' } as const;
    const asked = (failedBefore: number) =>
      readValue(schema, { PATH: 'a', limit: null }, { tool, failedBefore });
    expect(asked(1)).toMatchObject({ wouldBe: { path: 'a' } });
    expect(messageOf(asked(1))).toMatch(/send exactly: \{"path":"a"\}$/);
    expect(messageOf(asked(2))).toMatch(/Stop trying[^\n]*$/);
  });

  test('shows the meta arguments that the model was shown', () => {
    const registry = new ToolRegistry({ meta: standardMetaArguments }).register(named('read'));
    const options = { memory: new CallMemory() };
    registry.interpret(callOf(wrong), options);
    const message = expect.stringContaining(JSON.stringify(registry.schemas()[0]?.inputSchema));
    expect(registry.interpret(callOf(wrong), options)).toMatchObject({ failures: 2, message });
  });
});

describe('a schema that is too long', () => {
  const many = (count: number, description: string): Schema => {
    const keys = Array.from({ length: count }, (_item, at) => [
      `key_${at}`,
      described(whole, description),
    ]);
    return closedOf(Object.fromEntries(keys), ['key_0']);
  };
  const secondMessage = (of: Schema, sent: object = { key_0: 'x' }): string =>
    messageOf(readValue(of, sent, { failedBefore: 1 }));
  const storied = many(8, 'A long story. '.repeat(20));
  const wordy = many(24, 'What it means, at length and in many words.');

  test.each<[string, Schema, RegExp]>([
    [
      'without long descriptions',
      storied,
      /arguments \(without long descriptions\): \{.*A long story\..*…/,
    ],
    ['else without any', wordy, /arguments \(without descriptions\): \{"type"(?!.*What it)/],
    ['else as a shape', many(200, 'x'), /Expected: \{ key_0: integer, .*…/],
  ])('is given %s', (_title, of, shown) => {
    const message = secondMessage(of);
    expect(message).toMatch(shown);
    expect(message.length).toBeLessThanOrEqual(2000);
    expect(message).toMatch(/then send the whole call\.$/);
  });

  test('still accepts the same', () => {
    const [, given = ''] = /\(without descriptions\): (\{.*\})$/m.exec(secondMessage(wordy)) ?? [];
    expect(readValue(JSON.parse(given), { key_0: 1 })).toMatchObject({ status: 'unchanged' });
    expect(readValue(JSON.parse(given), {})).toMatchObject({ status: 'rejected' });
  });

  test('keeps a property or a default that is named like a keyword', () => {
    const description = described({ ...text, default: 'd' }, 'A long story. '.repeat(150));
    const message = secondMessage(closedOf({ title: text, description }, ['title']), {});
    expect(message).toContain(
      '"title":{"type":"string"},"description":{"type":"string","default":"d"',
    );
  });

  test.each([1, 4, 9, 50])('leaves room for at most four of %i issues', (count) => {
    const keys = Array.from({ length: count }, (_item, index) => [
      `${'long'.repeat(15)}${index}`,
      1,
    ]);
    const message = secondMessage(many(8, 'What it means.'), {
      key_0: 1,
      ...Object.fromEntries(keys),
    });
    expect(message.length).toBeLessThanOrEqual(2000);
    expect(message.match(/ is not a known property/g)).toHaveLength(Math.min(count, 4));
  });
});

describe('the same call', () => {
  const timesOf = (...calls: readonly (readonly [unknown, string?])[]): readonly number[] => {
    const memory = new CallMemory();
    return calls.map(([sent, name]) => timesIn(messageFrom(memory, sent, name)));
  };

  test.each<[string, readonly unknown[]]>([
    ['with other blanks and another order', [wrong, '{"limit":5,"path":["a","b"]}']],
    ['as text, a value and bytes', [wrong, JSON.parse(wrong), new TextEncoder().encode(wrong)]],
    ['that is not JSON', ['{"path": a', ' {"path": a ']],
    ['that is not UTF-8', [new Uint8Array([255]), new Uint8Array([255])]],
    ['that is not data', [() => 1, () => 2]],
  ])('is recognized: %s', (_title, sent) => {
    expect(timesOf(...sent.map((one) => [one] as const))).toEqual(
      sent.map((_one, index) => index + 1),
    );
  });

  test.each<[string, readonly unknown[]]>([
    ['another value', [wrong, '{"path": ["a", "c"], "limit": 5}']],
    ['another wrong key', [wrong, '{"path": ["a", "b"], "limits": 5}']],
    [
      'digits that are lost',
      ['{"limit": 12345678901234567890}', '{"limit": 12345678901234567891}'],
    ],
    ['an object for a list', [wrong, '{"path": {"0": "a", "1": "b"}, "limit": 5}']],
    ['items that are written as one', ['{"limit": [1, 2, 3]}', '{"limit": [12, 3]}']],
    ['the same items in another order', [wrong, '{"path": ["b", "a"], "limit": 5}']],
  ])('is not one with %s', (_title, sent) => {
    expect(timesOf(...sent.map((one) => [one] as const))).toEqual([1, 1]);
  });

  test('is counted in a row of its tool, under any spelling of the name, until one is accepted', () => {
    expect(timesOf([wrong], [wrong, 'write'], [wrong], ['{}'], [wrong])).toEqual([1, 1, 2, 1, 1]);
    expect(timesOf([wrong], ['{"path": "a"}'], [wrong])).toEqual([1, 1, 1]);
    expect(timesOf([wrong], [wrong, 'READ'])).toEqual([1, 2]);
  });
});

describe('a memory', () => {
  const rejected = (keyword = 'required', ...keys: readonly string[]) => ({
    status: 'rejected' as const,
    meta: {},
    repairs: [] as const,
    notes: [] as const,
    issues: keys.map((key) => ({ keyword, path: '', key })),
    message: '',
  });

  test('counts calls that would be executed', async () => {
    const memory = new CallMemory({ failureLimit: 2 });
    const call = () => tools.call(callOf(wrong), { memory });
    const outcomes = [await call(), await call()];
    expect(outcomes).toMatchObject([
      { status: 'invalid_arguments', failures: 1 },
      { failures: 2, message: expect.stringContaining('Stop trying') },
    ]);
    expect(await tools.call(callOf(wrong))).toMatchObject({ failures: 1 });
  });

  test('starts again for a call that fails in another way, or for another key', () => {
    const [memory, other] = [new CallMemory(), new CallMemory()];
    const ways = ['type', 'type', 'check', 'check'];
    expect(ways.map((way) => other.remember('read', wrong, rejected(way, 'a')))).toEqual([
      1, 2, 1, 2,
    ]);
    const times = [['a'], ['a'], ['b'], ['b'], []].map((keys) =>
      memory.remember('read', wrong, rejected('required', ...keys)),
    );
    expect(times).toEqual([1, 2, 1, 2, 1]);
    expect(memory.failedBefore('read', wrong)).toBe(1);
    expect(memory.failedBefore('read', '{}')).toBe(0);
    expect(memory.failedBefore('write', wrong)).toBe(0);
  });

  test('starts again for executed calls after a rejected one', () => {
    const memory = new CallMemory();
    memory.rememberEnding('read', wrong, 'failed');
    memory.remember('read', wrong, rejected());
    expect(memory.endedBefore('read', wrong)).toBe(0);
    expect(memory.remember('read', { path: 'a' }, readValue(schema, { path: 'a' }))).toBe(0);
    expect(memory.failedBefore('read', { path: 'a' })).toBe(0);
  });
});
