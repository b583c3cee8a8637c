import { IsInt, IsOptional, IsString } from 'class-validator';
import { ArrayOf, DefinitionError, defineTool, Tool, ToolmendError, ToolRegistry } from 'toolmend';
import {
  brokenCalls,
  faultKinds,
  type OutcomeMatchers,
  outcomeMatchers,
  playScript,
  ScriptedModel,
  validCalls,
} from 'toolmend/testing';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- @types/jest has its matchers in one
  namespace jest {
    interface Matchers<R> extends OutcomeMatchers<R> {}
  }
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

const mixed = ['echoed_schema', 'list_for_one', 'number_as_text', 'call_markup'];

describe('generated calls', () => {
  test('valid ones are unchanged', () => {
    const calls = validCalls(FindNotes, { seed: 7, count: 30 });
    expect(calls).toHaveLength(30);
    for (const call of calls) expect(tools.interpret(call)).toBeUnchanged();
  });

  test('broken ones are not valid, and mean what they say', () => {
    const calls = brokenCalls(FindNotes, { seed: 7, count: 60, faults: 2 });
    expect(calls).toHaveLength(60);
    for (const { call, meant, faults } of calls) {
      expect(faults).toHaveLength(2);
      expect(tools.interpret(call)).not.toBeUnchanged();
      expect(tools.interpret(call)).toMean(meant);
    }
  });

  test('faults beside each other leave one meaning: markup has no word for an object in the place of a number', () => {
    const measure = defineTool({
      name: 'measure',
      description: 'Measures.',
      inputSchema: {
        type: 'object',
        properties: { x: { type: 'number' }, rows: { type: 'array', items: { type: 'integer' } } },
        required: ['x', 'rows'],
      },
      execute() {},
    });
    const registry = new ToolRegistry().register(measure);
    const calls = brokenCalls(measure, { seed: 1, count: 300, faults: 2, kinds: mixed });
    expect(calls.some(({ faults }) => faults.includes('call_markup'))).toBe(true);
    for (const { call, meant } of calls) expect(registry.interpret(call)).toMean(meant);
  });

  test('the same for the same seed, of the chosen kinds only', () => {
    const [kind = ''] = brokenCalls(FindNotes, { seed: 3, count: 1 })[0]?.faults ?? [];
    const chosen = brokenCalls(FindNotes, { seed: 5, count: 10, kinds: [kind] });
    expect(chosen.flatMap(({ faults }) => faults)).toEqual(Array.from({ length: 10 }, () => kind));
    expect(brokenCalls(FindNotes, { seed: 5, count: 10, kinds: [kind] })).toEqual(chosen);
    expect(brokenCalls(FindNotes, { seed: 6 })).not.toEqual(brokenCalls(FindNotes, { seed: 7 }));
    expect(faultKinds).toContain(kind);
  });

  test('a defined tool is one too, a kind that there is not is refused, and a tool without places has no calls', () => {
    const now = defineTool({
      name: 'now',
      description: 'Tells.',
      inputSchema: { type: 'object', properties: {} },
      execute: () => 1,
    });
    expect(validCalls(now, { count: 2 }).map(({ arguments: sent }) => sent)).toEqual(['{}', '{}']);
    expect(
      brokenCalls(now, { kinds: ['null_word'].filter((kind) => faultKinds.includes(kind)), count: 2 }),
    ).toEqual([]);
    expect(() => brokenCalls(FindNotes, { kinds: ['nonsense'] })).toThrow(DefinitionError);
  });
});

describe('matchers', () => {
  const failure = (check: () => unknown): string => {
    try {
      check();
    } catch (error) {
      return String(error);
    }
    return '';
  };

  test('of what was accepted', async () => {
    expect(interpreted({ words: ['a'] })).toBeUnchanged();
    expect(interpreted({ words: '["a"]', limit: '3' })).toBeRepairedBy(
      'json_text_to_array',
      'text_to_integer',
    );
    expect(interpreted({ words: '["a"]' })).toMean({ words: ['a'] });
    expect(await tools.call({ id: 'c', name: 'find_notes', arguments: { words: ['a'] } })).toMean({
      words: ['a'],
    });
    expect(failure(() => expect(interpreted({ words: '["a"]' })).toBeUnchanged())).toBe(
      'Error: expected the call to be unchanged; it means {"words":["a"]}, repaired by json_text_to_array',
    );
    expect(failure(() => expect(interpreted({ words: ['a'] })).toMean({ words: ['b'] }))).toContain(
      'to mean {"words":["b"]}; it means {"words":["a"]}',
    );
    expect(failure(() => expect(interpreted({ words: ['a'] })).toBeRepairedBy('drop_null'))).toContain(
      'drop_null',
    );
    expect(failure(() => expect(interpreted({ words: ['a'] })).toBeRepairedBy())).not.toBe('');
    expect(failure(() => expect(interpreted({ words: ['a'] })).not.toBeUnchanged())).toContain(
      'not to be unchanged',
    );
  });

  test('of what was not', () => {
    expect(interpreted({})).toBeRejectedFor('required');
    expect(interpreted({ words: ['a'], limit: 'x' })).toBeRejectedFor('type', '/limit');
    expect(interpreted({ words: ['a'], limit: 'x' })).not.toBeRejectedFor('type', '/words');
    expect(interpreted({ words: ['a'] })).not.toBeRejectedFor('type');
    expect(interpreted({}, 'nothing')).not.toMean({});
    expect(failure(() => expect(interpreted({})).toBeUnchanged())).toContain('it was rejected: required at');
    expect(failure(() => expect(interpreted({}, 'nothing')).toMean({}))).toContain('names an unknown tool');
    expect(failure(() => expect('text').toMean({}))).toContain('is not an outcome');
  });
});

describe('a scripted model', () => {
  test('follows its script, reads the results, and the tools are real', async () => {
    const model = new ScriptedModel([
      { calls: [{ name: 'find_notes', arguments: '{"words": "tea", "limit": "x"}' }] },
      ([result]) => ({ calls: [{ name: 'find_notes', arguments: { words: [String(result?.isError)] } }] }),
      { text: 'Done.' },
      { calls: [{ name: 'never', arguments: {} }] },
    ]);
    const outcomes = await playScript(model, tools);
    expect(outcomes.map(({ status }) => status)).toEqual(['invalid_arguments', 'completed']);
    expect(outcomes[1]).toMatchObject({
      result: 'true',
      call: { id: 'call_2', model: 'scripted', finishReason: 'tool_calls' },
    });
    expect(model.received.map((results) => results.length)).toEqual([0, 1, 1]);
    expect(model.isOver).toBe(false);
  });

  test('one that repeats itself is told so', async () => {
    const wrong = { calls: [{ name: 'find_notes', arguments: '{}' }] };
    const outcomes = await playScript(new ScriptedModel([wrong, wrong]), tools);
    expect(outcomes).toMatchObject([{ failures: 1 }, { failures: 2 }]);
  });

  test('an answer that was cut off is no call, and a script ends', async () => {
    const model = new ScriptedModel([
      { calls: [{ name: 'find_notes', arguments: '{"words": ["a"]' }], finishReason: 'length' },
    ]);
    expect(await playScript(model, tools)).toMatchObject([{ status: 'invalid_arguments' }]);
    expect(() => model.answer()).toThrow(ToolmendError);
  });
});
