import { readFileSync } from 'node:fs';
import { argumentsText, interpretArguments } from 'toolmend/repair';
import { textNearMisses, valueNearMisses } from '../../bench/near-misses.ts';
import { ruleIds } from '../../src/tool/rule-choice.ts';
import { type Hunk, jsonDifference, jsonLines, textDifference } from '../../src/page/difference.ts';
import { repairGroups } from '../../page/repair-groups.ts';

const shown = (lines: readonly { indent: number; key: string; value: string }[]) =>
  lines.map(({ indent, key, value }) => '  '.repeat(indent) + key + value);

test('JSON is shown in lines, with numbers as they are written', () => {
  const text = '{"a":{"b":[1e400,12345678901234567890],"c":{}},"d/e":"x \\" ,"}';
  expect(shown(jsonLines(text))).toEqual([
    '{',
    '  "a": {',
    '    "b": [',
    '      1e400,',
    '      12345678901234567890',
    '    ],',
    '    "c": {}',
    '  },',
    '  "d/e": "x \\" ,"',
    '}',
  ]);
  expect(jsonLines(text).map(({ path }) => path)).toEqual([
    '',
    '/a',
    '/a/b',
    '/a/b/0',
    '/a/b/1',
    '/a/b',
    '/a/c',
    '/a',
    '/d~1e',
    '',
  ]);
});

test('lines that changed have the number of their repair', () => {
  const hunks = jsonDifference(
    '{"path":"a","is_new":"true","limit":3}',
    '{"path":"a","isNew":true,"limit":3}',
    [[{ op: 'move', from: '/is_new', path: '/isNew' }], [{ op: 'replace', path: '/isNew' }]],
  );
  const changed = hunks.filter(({ isSame }) => !isSame);
  expect(changed).toHaveLength(1);
  expect(changed[0]?.left.map(({ key, value, marks }) => [key + value, marks])).toEqual([
    ['"is_new": "true",', [1, 2]],
  ]);
  expect(changed[0]?.right.map(({ key, value, marks }) => [key + value, marks])).toEqual([
    ['"isNew": true,', [1, 2]],
  ]);
});

test('text that is not JSON is compared word by word', () => {
  const { left, right } = textDifference("{path: 'a'}", '{\n  "path": "a"\n}');
  const changed = (pieces: typeof left) => pieces.filter((piece) => piece.isChanged);
  expect(changed(left).map(({ text }) => text.trim())).toEqual(["'", "'"]);
  expect(right.map(({ text }) => text).join('')).toBe('{\n  "path": "a"\n}');
});

/** The lines of a difference after its changes were made. A line that stays may lose its comma. */
function applied(hunks: readonly Hunk[]): string {
  const bare = (lines: readonly string[]) => lines.map((line) => line.trim().replace(/,$/, ''));
  for (const { isSame, left, right } of hunks)
    if (isSame) expect(bare(shown(left))).toEqual(bare(shown(right)));
  return shown(hunks.flatMap(({ right }) => right)).join('\n');
}

interface Case {
  readonly schema: object;
  readonly input?: unknown;
  readonly inputText?: string;
}

const reported: readonly Case[] = ['reported', 'reported-2', 'systems', 'ours'].flatMap((name) =>
  readFileSync(`test/cases/${name}.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
);

test('the shown difference makes the shown value of what was sent, for every reported repair', () => {
  const rules = new Set<string>();
  const unmarked: unknown[] = [];
  for (const { schema, input } of reported) {
    if (input === undefined) continue;
    const result = interpretArguments(schema, { value: input });
    if (result.status !== 'repaired') continue;
    const groups = repairGroups(result.repairs);
    const operations = groups.map(({ repairs }) => repairs.flatMap((one) => one.operations));
    const hunks = jsonDifference(JSON.stringify(input), JSON.stringify(result.value), operations);
    const before = shown(hunks.flatMap(({ left }) => left)).join('\n');
    expect(JSON.parse(before)).toEqual(input);
    expect(JSON.parse(applied(hunks))).toEqual(JSON.parse(JSON.stringify(result.value)));
    for (const { rule } of result.repairs) rules.add(rule);
    const marks = new Set(
      hunks.flatMap(({ left, right }) => [...left, ...right]).flatMap((line) => line.marks),
    );
    if (marks.size === 0) unmarked.push([input, result.value]);
  }
  expect(rules.size).toBeGreaterThan(25);
  expect(unmarked).toEqual([]);
});

describe('the shown difference, applied, gives the shown value', () => {
  const examples = [...textNearMisses, ...valueNearMisses];

  test('there is an example of every rule', () => {
    expect(ruleIds.filter((id) => examples.every(({ rule }) => rule !== id))).toEqual([]);
  });

  test.each(examples.map((example) => [example.rule, example] as const))('%s', (rule, example) => {
    const { schema, text, repaired, tool = {}, finishReason = null } = example;
    const options = { tool: { name: 'note', ...tool }, finishReason, output: 'json' } as const;
    const result = interpretArguments(schema, { text }, options);
    if (result.status === 'rejected') throw new Error(result.message);
    const used = argumentsText(result);
    const groups = repairGroups(result.repairs);
    expect(groups.map((group) => group.rule)).toContain(rule);
    if (isObjectText(text)) {
      const operations = groups.map(({ repairs }) => repairs.flatMap((one) => one.operations));
      const hunks = jsonDifference(text, used, operations);
      const before = shown(hunks.flatMap(({ left }) => left)).join('\n');
      expect(JSON.parse(before)).toEqual(JSON.parse(text));
      expect(JSON.parse(applied(hunks))).toEqual(repaired);
    } else {
      const { left, right } = textDifference(text, shown(jsonLines(used)).join('\n'));
      const joined = (pieces: typeof left) => pieces.map((piece) => piece.text).join('');
      expect(joined(left)).toBe(text);
      expect(JSON.parse(joined(right))).toEqual(repaired);
      const same = (pieces: typeof left) =>
        pieces.flatMap((piece) => (piece.isChanged ? [] : piece.text.split(/\s+/))).join('');
      expect(same(left)).toBe(same(right));
    }
  });
});

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
