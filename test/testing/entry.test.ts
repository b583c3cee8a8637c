import { IsInt, IsOptional, IsString } from 'class-validator';
import { ArrayOf, DefinitionError, Tool, ToolmendError, ToolRegistry } from 'toolmend';
import {
  brokenCalls,
  faultKinds,
  type OutcomeMatchers,
  outcomeMatchers,
  playScript,
  ScriptedModel,
  validCalls,
} from 'toolmend/testing';
import { listOf, number, objectOf, whole } from '../schemas.ts';
import { toolOf } from '../tools.ts';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any -- vitest declares it so
  interface Matchers<T = any> extends OutcomeMatchers<T> {}
}

expect.extend(outcomeMatchers);

@Tool({ description: 'Finds notes.' })
class FindNotes {
  @ArrayOf(String) words!: string[];
  @IsOptional() @IsInt() limit?: number;
  @IsOptional() @IsString() folder?: string;
  execute(): string {
    return this.words.join(' ');
  }
}

const tools = new ToolRegistry().register(FindNotes);
const interpreted = (sent: unknown, name = 'find_notes') =>
  tools.interpret({ id: 'call_1', name, arguments: sent });

const mixed = ['echoed_schema', 'list_for_one', 'number_as_text', 'notation_qwen_xml'];

describe('generated calls', () => {
  test('valid ones are unchanged', () => {
    const calls = validCalls(FindNotes, { seed: 7, count: 30 });
    expect(calls).toHaveLength(30);
    for (const call of calls) expect(tools.interpret(call)).toBeUnchanged();
  });

  test('broken ones are not valid, and mean what they state', () => {
    const calls = brokenCalls(FindNotes, { seed: 7, count: 60, faults: 2 });
    expect(calls).toHaveLength(60);
    for (const { call, meant, faults } of calls) {
      expect(faults).toHaveLength(2);
      expect(tools.interpret(call)).not.toBeUnchanged();
      expect(tools.interpret(call)).toMean(meant);
    }
  });

  test('two faults in one call leave one meaning', () => {
    const inputSchema = objectOf({ x: number, rows: listOf(whole) }, ['x', 'rows']);
    const measure = toolOf(() => {}, { name: 'measure', inputSchema });
    const registry = new ToolRegistry().register(measure);
    const calls = brokenCalls(measure, { seed: 1, count: 300, faults: 2, kinds: mixed });
    expect(calls.some(({ faults }) => faults.includes('notation_qwen_xml'))).toBe(true);
    for (const { call, meant } of calls) expect(registry.interpret(call)).toMean(meant);
  });

  test('a seed and kinds determine the calls', () => {
    const chosen = brokenCalls(FindNotes, { seed: 5, count: 10, kinds: ['fenced'] });
    expect(chosen.flatMap(({ faults }) => faults)).toEqual(
      Array.from({ length: 10 }, () => 'fenced'),
    );
    expect(brokenCalls(FindNotes, { seed: 5, count: 10, kinds: ['fenced'] })).toEqual(chosen);
    expect(brokenCalls(FindNotes, { seed: 6 })).not.toEqual(brokenCalls(FindNotes, { seed: 7 }));
    expect(faultKinds).toContain('fenced');
  });

  test('a tool without arguments has valid calls, and no place for some faults', () => {
    const now = toolOf(() => 1, { inputSchema: objectOf({}) });
    expect(validCalls(now, { count: 2 }).map(({ arguments: sent }) => sent)).toEqual(['{}', '{}']);
    expect(brokenCalls(now, { kinds: ['null_as_word'], count: 2 })).toEqual([]);
  });

  test('an unknown kind is refused', () => {
    expect(() => brokenCalls(FindNotes, { kinds: ['nonsense'] })).toThrow(DefinitionError);
  });
});

describe('matchers', () => {
  const valid = interpreted({ words: ['a'] });
  const repaired = interpreted({ words: '["a"]', limit: '3' });
  const rejected = interpreted({ words: ['a'], limit: 'x' });
  const unknown = interpreted({}, 'nothing');

  test('pass', async () => {
    expect(valid).toBeUnchanged();
    expect(valid).not.toBeRejectedFor('type');
    expect(repaired).toBeRepairedBy('json_text_to_array', 'text_to_integer');
    expect(repaired).toMean({ words: ['a'], limit: 3 });
    expect(rejected).toBeRejectedFor('type');
    expect(rejected).toBeRejectedFor('type', '/limit');
    expect(rejected).not.toBeRejectedFor('type', '/words');
    expect(unknown).not.toMean({});
    const words = ['a'];
    expect(await tools.call({ id: 'c', name: 'find_notes', arguments: { words } })).toMean({
      words,
    });
  });

  test.each([
    [
      () => expect(repaired).toBeUnchanged(),
      'unchanged; it means {"words":["a"],"limit":3}, repaired by',
    ],
    [() => expect(valid).not.toBeUnchanged(), 'not to be unchanged'],
    [
      () => expect(valid).toMean({ words: ['b'] }),
      'to mean {"words":["b"]}; it means {"words":["a"]}',
    ],
    [() => expect(valid).toBeRepairedBy('drop_null'), 'to be repaired by drop_null'],
    [() => expect(valid).toBeRepairedBy(), 'to be repaired by'],
    [() => expect(rejected).toBeUnchanged(), 'it was rejected: type at /limit'],
    [() => expect(valid).toBeRejectedFor('type', ''), 'to be rejected for type at the root'],
    [() => expect(unknown).toMean({}), 'it names an unknown tool'],
    [() => expect('text').toMean({}), 'it is not an outcome of a call'],
  ])('fail with a sentence, %#', (check, message) => {
    expect(check).toThrow(message);
  });
});

describe('a scripted model', () => {
  test('follows its script and calls real tools', async () => {
    const model = new ScriptedModel([
      { calls: [{ name: 'find_notes', arguments: '{"words": "tea", "limit": "x"}' }] },
      ([result]) => ({
        calls: [{ name: 'find_notes', arguments: { words: [String(result?.isError)] } }],
      }),
      { text: 'Done.' },
      { calls: [{ name: 'never', arguments: {} }] },
    ]);
    const outcomes = await playScript(model, tools);
    expect(outcomes.map(({ status }) => status)).toEqual(['invalid_arguments', 'completed']);
    const second = { id: 'call_2', model: 'scripted', finishReason: 'tool_calls' };
    expect(outcomes[1]).toMatchObject({ result: 'true', call: second });
    expect(model.received.map((results) => results.length)).toEqual([0, 1, 1]);
    expect(model.isOver).toBe(false);
  });

  test('has a memory of its own: repeated failures are counted', async () => {
    const wrong = { calls: [{ name: 'find_notes', arguments: '{}' }] };
    const outcomes = await playScript(new ScriptedModel([wrong, wrong]), tools);
    expect(outcomes).toMatchObject([{ failures: 1 }, { failures: 2 }]);
  });

  test('may be cut off, and ends with its script', async () => {
    const model = new ScriptedModel([
      { calls: [{ name: 'find_notes', arguments: '{"words": ["a"]' }], finishReason: 'length' },
    ]);
    expect(await playScript(model, tools)).toMatchObject([{ status: 'invalid_arguments' }]);
    expect(() => model.answer()).toThrow(ToolmendError);
  });
});
