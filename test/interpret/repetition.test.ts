// Is a model that sends the same wrong call again told so, within bounds, and by its own conversation's memory alone?
import {
  CallMemory,
  defineTool,
  interpretArguments,
  standardMetaArguments,
  type ToolCall,
  ToolRegistry,
} from 'toolmend';
import { closedOf, listOf, objectOf, type Schema, text, whole } from '../repair/sample-schemas.ts';

const described = (schema: Schema, description: string): Schema => ({ ...schema, description });
const read = closedOf({ path: described(text, 'Where to read.'), limit: whole }, ['path']);

function registryOf(...tools: readonly (readonly [string, Schema])[]): ToolRegistry {
  const made = tools.map(([name, inputSchema]) =>
    defineTool({ name, description: 'Does it.', inputSchema, execute: () => 'done' }),
  );
  return new ToolRegistry().register(...made);
}

const tools = registryOf(['read', read], ['write', read]);
const callOf = (sent: unknown, name = 'read'): ToolCall => ({ id: 'call_1', name, arguments: sent });

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

  test('of the first time is as without a memory', () => {
    expect(first).toBe(messageFrom(undefined, wrong));
    expect(first).toContain('Expected: { path: string, limit?: integer }');
  });

  test('of the second says so, and gives the whole schema instead of the shape', () => {
    expect(second).toBe(
      [
        'read was not executed.',
        'This same call has now failed in the same way 2 times in a row.',
        '- path: expected a string, got an array of 2.',
        `Full JSON Schema of the arguments: ${JSON.stringify(read)}`,
        'Example: {"path":"…"}',
        'Do not send the same arguments again: correct what is listed above, then send the whole call.',
      ].join('\n'),
    );
  });

  test('from the third on says to stop', () => {
    expect(third).toBe(
      [
        'read was not executed.',
        'This same call has now failed in the same way 3 times in a row.',
        '- path: expected a string, got an array of 2.',
        'Stop trying: do not send this call again. Find another way, or say what is missing.',
      ].join('\n'),
    );
    expect(fourth).toContain('4 times in a row');
    expect(fourth).toContain('Stop trying');
  });

  test('for whoever counts without a memory', () => {
    const options = { tool: 'read', failedBefore: 1 };
    expect(interpretArguments(read, { text: wrong }, options)).toMatchObject({ message: second });
    expect(interpretArguments(read, { text: wrong }, { ...options, failureLimit: 2 })).toMatchObject({
      message: expect.stringContaining('2 times in a row'),
    });
    expect(interpretArguments(read, { text: wrong }, { ...options, failureLimit: 2 })).toMatchObject({
      message: expect.stringContaining('Stop trying'),
    });
    expect(interpretArguments(read, { text: '{"path": "a"}' }, options)).toMatchObject({
      status: 'unchanged',
    });
  });

  test('of a call that is to be confirmed still says what to send', () => {
    const remove = { name: 'remove', effects: 'destructive', repair: 'lossless' } as const;
    const sent = { value: { PATH: 'a', limit: null } };
    const result = interpretArguments(read, sent, { tool: remove, failedBefore: 1 });
    expect(result).toMatchObject({ wouldBe: { path: 'a' } });
    expect(Reflect.get(result, 'message')).toMatch(/send exactly: \{"path":"a"\}$/);
    expect(interpretArguments(read, sent, { tool: remove, failedBefore: 2 })).toMatchObject({
      message: expect.stringMatching(/Stop trying[^\n]*$/),
    });
  });

  test('shows the meta arguments that the model was shown', () => {
    const registry = new ToolRegistry({ meta: standardMetaArguments }).register(
      defineTool({ name: 'read', description: 'Reads.', inputSchema: read, execute: () => '' }),
    );
    const own = new CallMemory();
    registry.interpret(callOf(wrong), { memory: own });
    expect(registry.interpret(callOf(wrong), { memory: own })).toMatchObject({
      failures: 2,
      message: expect.stringContaining(JSON.stringify(registry.schemas()[0]?.inputSchema)),
    });
  });
});

describe('a schema that is too long', () => {
  const many = (count: number, description: string): Schema =>
    closedOf(
      Object.fromEntries(
        Array.from({ length: count }, (_item, index) => [`key_${index}`, described(whole, description)]),
      ),
      ['key_0'],
    );
  const messageOf = (schema: Schema, sent: object = { key_0: 'x' }): string =>
    String(Reflect.get(interpretArguments(schema, { value: sent }, { failedBefore: 1 }), 'message'));

  test.each<[string, Schema, RegExp]>([
    [
      'is given without long descriptions',
      many(8, 'A long story. '.repeat(20)),
      /arguments \(without long descriptions\): \{.*A long story\..*…/,
    ],
    [
      'else without any',
      many(24, 'What it means, at length and in many words.'),
      /arguments \(without descriptions\): \{"type"(?!.*What it)/,
    ],
    ['else its shape says more than a piece of it', many(200, 'x'), /Expected: \{ key_0: integer, .*…/],
  ])('%s', (_title, schema, shown) => {
    const message = messageOf(schema);
    expect(message).toMatch(shown);
    expect(message.length).toBeLessThanOrEqual(2000);
    expect(message).toMatch(/then send the whole call\.$/);
  });

  test('what is given is a whole schema that accepts the same', () => {
    const schema = many(24, 'What it means, at length and in many words.');
    const [, given = ''] = /\(without descriptions\): (\{.*\})$/m.exec(messageOf(schema)) ?? [];
    expect(interpretArguments(JSON.parse(given), { value: { key_0: 1 } })).toMatchObject({
      status: 'unchanged',
    });
    expect(interpretArguments(JSON.parse(given), { value: {} })).toMatchObject({ status: 'rejected' });
  });

  test('a property or a default of a keyword’s name is no keyword', () => {
    const long = 'A long story. '.repeat(150);
    const schema = closedOf({ title: text, description: { ...text, default: 'd', description: long } }, [
      'title',
    ]);
    expect(messageOf(schema, {})).toContain(
      '"title":{"type":"string"},"description":{"type":"string","default":"d"',
    );
  });

  test.each([1, 4, 9, 50])('%i issues beside it: at most four are told, in 2,000 characters', (count) => {
    const keys = Object.fromEntries(
      Array.from({ length: count }, (_item, index) => [`${'long'.repeat(15)}${index}`, 1]),
    );
    const message = messageOf(many(8, 'What it means.'), { key_0: 1, ...keys });
    expect(message.length).toBeLessThanOrEqual(2000);
    expect(message.split('\n').filter((line) => line.includes(' is not a known property'))).toHaveLength(
      Math.min(count, 4),
    );
  });
});

describe('the same call', () => {
  const timesOf = (...calls: readonly (readonly [unknown, string?])[]): readonly number[] => {
    const memory = new CallMemory();
    return calls.map(([sent, name]) => timesIn(messageFrom(memory, sent, name)));
  };

  test.each<[string, readonly unknown[], readonly number[]]>([
    ['in other blanks and another order', [wrong, '{"limit":5,"path":["a","b"]}'], [1, 2]],
    [
      'as text, as a value and as bytes',
      [wrong, JSON.parse(wrong), new TextEncoder().encode(wrong)],
      [1, 2, 3],
    ],
    ['that is no JSON', ['{"path": a', ' {"path": a '], [1, 2]],
    ['that is no data', [() => 1, () => 2], [1, 2]],
  ])('%s', (_title, sent, times) => {
    expect(timesOf(...sent.map((one) => [one] as const))).toEqual(times);
  });

  test.each<[string, readonly unknown[]]>([
    ['another value', [wrong, '{"path": ["a", "c"], "limit": 5}']],
    ['another wrong key', [wrong, '{"path": ["a", "b"], "limits": 5}']],
    [
      'digits that JavaScript does not keep',
      ['{"limit": 12345678901234567890}', '{"limit": 12345678901234567891}'],
    ],
    ['an object for a list', [wrong, '{"path": {"0": "a", "1": "b"}, "limit": 5}']],
    ['items that are written as one', ['{"limit": [1, 2, 3]}', '{"limit": [12, 3]}']],
    ['the same items in another order', [wrong, '{"path": ["b", "a"], "limit": 5}']],
  ])('is not one with %s', (_title, sent) => {
    expect(timesOf(...sent.map((one) => [one] as const))).toEqual([1, 1]);
  });

  test('in a row: calls of other tools don’t count, others of the same tool do', () => {
    expect(timesOf([wrong], [wrong, 'write'], [wrong], ['{}'], [wrong])).toEqual([1, 1, 2, 1, 1]);
  });

  test('a call that is accepted ends the row', () => {
    expect(timesOf([wrong], ['{"path": "a"}'], [wrong])).toEqual([1, 1, 1]);
  });

  test('under a name that is only spelled differently', () => {
    expect(timesOf([wrong], [wrong, 'READ'])).toEqual([1, 2]);
  });
});

describe('a memory', () => {
  test('is its conversation’s own: interleaved conversations don’t count for each other', () => {
    const memories = Array.from({ length: 50 }, () => new CallMemory());
    for (let round = 1; round <= 4; round += 1) {
      for (const memory of memories) expect(timesIn(messageFrom(memory, wrong))).toBe(round);
    }
    expect(timesIn(messageFrom(new CallMemory(), wrong))).toBe(1);
    expect(timesIn(messageFrom(undefined, wrong))).toBe(1);
  });

  test('is used by calls that would be executed, and told in the outcome', async () => {
    const memory = new CallMemory({ failureLimit: 2 });
    expect(await tools.call(callOf(wrong), { memory })).toMatchObject({
      status: 'invalid_arguments',
      failures: 1,
    });
    expect(await tools.call(callOf(wrong), { memory })).toMatchObject({
      status: 'invalid_arguments',
      failures: 2,
      message: expect.stringContaining('Stop trying'),
    });
    expect(await tools.call(callOf(wrong))).toMatchObject({ status: 'invalid_arguments', failures: 1 });
  });

  test('counts a call that fails in another way from the start', () => {
    const memory = new CallMemory();
    const byWay = (keyword: string): number =>
      memory.remember('read', wrong, {
        status: 'rejected',
        meta: {},
        repairs: [],
        notes: [],
        issues: [{ keyword, path: '' }],
        message: '',
      });
    expect([byWay('type'), byWay('type'), byWay('check'), byWay('check')]).toEqual([1, 2, 1, 2]);
  });

  const rejected = (...keys: readonly string[]) => ({
    status: 'rejected' as const,
    meta: {},
    repairs: [] as const,
    notes: [] as const,
    issues: keys.map((key) => ({ keyword: 'required', path: '', key })),
    message: '',
  });

  test('counts a call that fails for another key from the start', () => {
    const memory = new CallMemory();
    const times = [['a'], ['a'], ['b'], ['b'], []].map((keys) =>
      memory.remember('read', wrong, rejected(...keys)),
    );
    expect(times).toEqual([1, 2, 1, 2, 1]);
    expect(memory.failedBefore('read', wrong)).toBe(1);
    expect(memory.failedBefore('read', '{}')).toBe(0);
    expect(memory.failedBefore('write', wrong)).toBe(0);
  });

  test('a call that is refused ends a row of those that were executed', () => {
    const memory = new CallMemory();
    memory.rememberEnding('read', wrong, 'failed');
    memory.remember('read', wrong, rejected());
    expect(memory.endedBefore('read', wrong)).toBe(0);
    const unchanged = interpretArguments(read, { value: { path: 'a' } });
    expect(memory.remember('read', { path: 'a' }, unchanged)).toBe(0);
    expect(memory.failedBefore('read', { path: 'a' })).toBe(0);
  });

  test('is bounded, and forgets what is oldest', () => {
    const names = Array.from({ length: 300 }, (_item, index) => `tool_${index}`);
    const registry = registryOf(
      ...names.map((name) => [name, objectOf({ a: listOf(whole) }, ['a'])] as const),
    );
    const memory = new CallMemory();
    for (const name of names) registry.interpret(callOf('{}', name), { memory });
    const failures = (name: string): unknown =>
      Reflect.get(registry.interpret(callOf('{}', name), { memory }), 'failures');
    expect(failures('tool_299')).toBe(2);
    expect(failures('tool_0')).toBe(1);
  });
});
