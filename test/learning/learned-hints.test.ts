// A model that errs less if a description has the sentence: what is counted, shown and reported.
import { DefinitionError, ToolRegistry, defineTool, type ToolSet } from 'toolmend';
import { ScriptedModel, playScript } from 'toolmend/testing';
import { type HintCounts, MemoryHintCounts } from '../../src/store/hint-counts.ts';
import { ErringModel } from './erring-model.ts';

const readFiles = defineTool<{ readonly paths: readonly string[] }>({
  name: 'read_files',
  description: 'Read text files.',
  effects: 'read',
  inputSchema: {
    type: 'object',
    properties: { paths: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
    required: ['paths'],
    additionalProperties: false,
  },
  execute: ({ paths }) => paths.join(' '),
});

const sentence = 'paths is a JSON array of strings: ["…"].';

/** One conversation of ten calls. */
async function converse(registry: ToolRegistry, model: ErringModel, conversation: string) {
  const tools = registry.select({ model: model.name, conversation });
  const description = descriptionIn(tools);
  const calls = Array.from({ length: 10 }, () => ({
    calls: [{ name: 'read_files', arguments: model.argumentsFor(description) }],
  }));
  await playScript(new ScriptedModel(calls, model.name), tools);
  expect(descriptionIn(tools)).toBe(description);
  return description;
}

const descriptionIn = (tools: ToolSet): string => tools.schemas()[0]?.description ?? '';

/** Conversations until the hint is kept or dropped. */
async function converseToTheEnd(registry: ToolRegistry, model: ErringModel) {
  const descriptions: string[] = [];
  for (let at = 0; at < 500; at += 1) {
    descriptions.push(await converse(registry, model, `conversation ${at}`));
    const [hint] = await registry.learnedHints();
    if (hint?.state === 'kept' || hint?.state === 'dropped') break;
  }
  return descriptions;
}

describe('hints that learn', () => {
  test('every call counts, however many come before the counts are read', async () => {
    const registry = new ToolRegistry({ hints: { learn: 'report' } }).register(readFiles);
    for (let at = 0; at < 2_100; at += 1) {
      const paths = at % 7 === 0 ? '["a.txt"]' : ['a.txt'];
      await registry.call({
        id: `call_${at}`,
        name: 'read_files',
        arguments: JSON.stringify({ paths }),
      });
    }
    const hints = await registry.learnedHints();
    expect(hints).toMatchObject([{ field: '/paths', without: { calls: 2_100, misses: 300 } }]);
  });

  test('keys that models make up count for the sentence about the keys, however many there are', async () => {
    const registry = new ToolRegistry().register(readFiles);
    for (let at = 0; at < 300; at += 1)
      registry.interpret({
        id: `call_${at}`,
        name: 'read_files',
        arguments: JSON.stringify({ paths: ['a.txt'], [`made up ${at}`]: 1, [`also ${at}`]: 2 }),
      });
    expect(await registry.learnedHints()).toMatchObject([
      { kind: 'keys', field: '', without: { calls: 300, misses: 300 } },
    ]);
  });

  test('calls that come while counts are written are in the counts that are read', async () => {
    const store = new MemoryHintCounts();
    const writing = Promise.withResolvers<void>();
    const counts: HintCounts = {
      async exchange(changes) {
        await writing.promise;
        return store.exchange(changes);
      },
    };
    const registry = new ToolRegistry({ hints: { counts } }).register(readFiles);
    const call = { id: 'call_1', name: 'read_files', arguments: '{"paths":"[\\"a.txt\\"]"}' };
    registry.interpret(call);
    void registry.learnedHints();
    registry.interpret(call);
    const hints = registry.learnedHints();
    writing.resolve();
    expect(await hints).toMatchObject([{ without: { calls: 2 } }]);
  });

  test('each of many models has counts of its own', async () => {
    const registry = new ToolRegistry().register(readFiles);
    for (let at = 0; at < 3_000; at += 1)
      registry.interpret({
        id: `call_${at}`,
        name: 'read_files',
        arguments: '{"paths":"[\\"a.txt\\"]"}',
        model: `model ${at % 1_500}`,
      });
    const hints = await registry.learnedHints();
    expect(hints).toHaveLength(1_500);
    for (const { without } of hints) expect(without).toMatchObject({ calls: 2, misses: 2 });
  });

  test('a model that reads the sentence errs less: the hint is kept', async () => {
    const registry = new ToolRegistry({ hints: { learn: 'on' } }).register(readFiles);
    const model = new ErringModel({ sentence, rate: 0.2, rateWithSentence: 0.02 });
    const descriptions = await converseToTheEnd(registry, model);
    const [hint, ...others] = await registry.learnedHints();
    const first = descriptions.findIndex((description) => description.includes(sentence));
    const after = descriptions.slice(first);
    const shown = after.filter((description) => description.includes(sentence)).length;

    expect(others).toEqual([]);
    expect(hint).toMatchObject({
      model: model.name,
      tool: 'read_files',
      kind: 'form',
      field: '/paths',
      sentence,
      state: 'kept',
    });
    expect(descriptions[0]).toBe('Read text files.\npaths is a JSON array of strings.');
    // 10 calls a conversation: the first look is at 100. The conversation after it sees hints.
    expect(first).toBe(10);
    expect(shown / after.length).toBeGreaterThan(0.7);
    expect(shown / after.length).toBeLessThan(0.9);
    expect(hint?.with?.calls).toBe(shown * 10);
    expect(hint?.without.calls).toBe((descriptions.length - shown) * 10);
    expect(hint?.with?.interval.most).toBeLessThan(hint?.without.interval.least ?? 0);
  });

  test('a model that errs as often as before: the hint goes, and does not come again', async () => {
    const registry = new ToolRegistry({ hints: { learn: 'on' } }).register(readFiles);
    const model = new ErringModel({ sentence, rate: 0.2, rateWithSentence: 0.2 });
    await converseToTheEnd(registry, model);
    const [hint] = await registry.learnedHints();
    const later = await converse(registry, model, 'later');

    expect(hint?.state).toBe('dropped');
    expect(later).not.toContain(sentence);
  });

  test('by default, what would be on is reported, and no description changes', async () => {
    const registry = new ToolRegistry().register(readFiles);
    const model = new ErringModel({ sentence, rate: 0.2, rateWithSentence: 0.02 });
    const descriptions: string[] = [];
    for (let at = 0; at < 30; at += 1)
      descriptions.push(await converse(registry, model, `conversation ${at}`));
    const [hint] = await registry.learnedHints();

    expect(hint).toMatchObject({ state: 'trial', without: { calls: 300 } });
    expect(hint?.with).toBeUndefined();
    expect(new Set(descriptions).size).toBe(1);
  });

  test('repaired and rejected calls are misses of one place', async () => {
    const registry = new ToolRegistry().register(readFiles);
    const run = (text: string) =>
      registry.call({ id: '1', name: 'read_files', arguments: text, model: 'm' });
    await run('{"paths":["a"]}');
    await run('{"paths":"a"}');
    await run('{"paths":7}');
    await run('{"paths":["a"],"limit":"5"}');
    await run('{"pathss":["a"],"bogus":1}');
    const hints = await registry.learnedHints();
    const missesIn = hints.map(({ kind, field, without }) => [kind, field, without.misses]);

    expect(missesIn).toEqual([
      ['form', '/paths', 2],
      ['form', '/limit', 1],
      ['send', '/paths', 1],
      ['keys', '', 1],
    ]);
    expect(hints.map(({ without }) => without.calls)).toEqual([5, 5, 5, 5]);
  });

  test('counts of two registries with the same store are added up', async () => {
    const counts = new MemoryHintCounts();
    const registries = [1, 2].map(() =>
      new ToolRegistry({ hints: { counts } }).register(readFiles),
    );
    for (const registry of registries) {
      await registry.call({ id: '1', name: 'read_files', arguments: { paths: 'a' } });
      await registry.close();
    }
    const [hint] = await new ToolRegistry({ hints: { counts } }).register(readFiles).learnedHints();

    expect(hint?.without).toMatchObject({ calls: 2, misses: 2 });
  });

  test('nothing is counted if hints are off', async () => {
    for (const hints of ['off', { learn: 'off' }] as const) {
      const registry = new ToolRegistry({ hints }).register(readFiles);
      await registry.call({ id: '1', name: 'read_files', arguments: { paths: 'a' } });
      expect(await registry.learnedHints()).toEqual([]);
    }
  });

  test('sentences by the name of a tool come after those of its author', () => {
    const hints = { tools: { 'read_*': ['Paths are absolute.'], write: ['Never.'] } };
    const registry = new ToolRegistry({ hints }).register(readFiles);

    expect(descriptionIn(registry)).toBe(
      'Read text files.\nPaths are absolute.\npaths is a JSON array of strings.',
    );
  });

  test.each([
    [{ learn: 'sometimes' }, 'hints.learn'],
    [{ counts: {} }, 'openHintFile'],
    [{ tools: { a: 'b' } }, 'write an array of sentences'],
  ])('%j is refused', (hints, what) => {
    const make = (): unknown => Reflect.construct(ToolRegistry, [{ hints }]);

    expect(make).toThrow(DefinitionError);
    expect(make).toThrow(what);
  });
});
