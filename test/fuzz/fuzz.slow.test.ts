// Does fuzzing find what is there to be found? Bugs are planted in a copy of the engine; and its parts do what they say.
import { countBranches, countersName } from '../../scripts/fuzz/count-branches.ts';
import { fuzz, type FuzzOutcome } from '../../scripts/fuzz/fuzz.ts';
import { mutateText } from '../../scripts/fuzz/mutate-text.ts';
import { Random } from '../../scripts/fuzz/random.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { mutate, type SourceMutant } from '../laws/source-mutant.ts';

const fuzzWith = (planted: SourceMutant): Promise<FuzzOutcome> =>
  fuzz({
    folder: temporaryFolder(),
    // It ends as soon as something is found; with one seed that is after the same number of runs everywhere.
    seconds: 300,
    seed: 5,
    tools: 20,
    change: (path, source) => (path === planted.file ? mutate(planted, source) : source),
  });

test('a crash behind two conditions that no recorded call meets is found, and made short', async () => {
  const original = '  propose({ text, end, maxDepth }) {';
  const planted = "if (text.includes('#')) { if (text.includes('/*')) throw new Error('planted'); }";
  const { found } = await fuzzWith({
    file: 'src/repair/text-rules/loose-json.ts',
    original,
    mutated: `${original} ${planted}`,
  });
  expect(found?.law).toBe('never_throws');
  expect(found?.message).toContain('planted');
  expect(found?.input.text.length).toBeLessThan(10);
}, 320_000);

test('a record that is wrong only far below the root is found', async () => {
  const { found } = await fuzzWith({
    file: 'src/repair/edits.ts',
    original: "op: 'replace', path, value",
    mutated: "op: 'replace', path: path.split('/').length > 3 ? '' : path, value",
  });
  expect(found?.law).toBe('records_say_all');
}, 320_000);

describe('counted branches', () => {
  test('every way has a counter, and the program does what it did', () => {
    const source = `
      const sign = (n: number): string => n > 0 ? 'plus' : n < 0 ? 'minus' : 'zero';
      function count(list: readonly number[]) { let seen = 0; for (const n of list) seen += n; return seen && sign(seen); }
      return [count([1, 2]), count([-1]), count([])];`;
    const { code, used } = countBranches('src/a.ts', `(function () {${source}})()`, 2);
    expect(used).toBe(9);
    for (let at = 2; at < 11; at += 1) expect(code).toContain(`globalThis.${countersName}[${at}]++`);
  });
});

describe('mutated texts', () => {
  const texts = (seed: number): readonly string[] => {
    const random = new Random(seed);
    return Array.from({ length: 200 }, () =>
      mutateText('{"path": "a.ts", "lines": [1, 2]}', random, '{"b": true}'),
    );
  };

  test('are the same for the same seed', () => {
    expect(texts(1)).toEqual(texts(1));
    expect(texts(1)).not.toEqual(texts(2));
  });

  test('are many, JSON and not', () => {
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const all = texts(3);
    expect(new Set(all).size).toBeGreaterThan(150);
    expect(all.filter(isJson).length).toBeGreaterThan(20);
    expect(all.filter((text) => !isJson(text)).length).toBeGreaterThan(50);
  });
});
