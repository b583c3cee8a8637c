// Does every recorded call become what it must? Right, missed and wrong are counted per file.
import { readFileSync } from 'node:fs';
import { interpretCase, type RecordedCase, type Verdict, verdictOf } from './run-case.ts';

/** The rules that exist; a call that needs another one may be missed, never wrong. */
const rules: ReadonlySet<string> = new Set([
  'json_text_to_array',
  'json_text_to_object',
  'keyed_object_to_array',
  'empty_object_to_array',
  'wrap_in_array',
  'drop_null',
  'fill_default',
  'md_link_to_path',
  'pairs',
  'rename_key',
  'text_to_number',
  'text_to_integer',
  'text_to_boolean',
  'empty_text',
  'double_encoded',
  'single_root',
  'code_fence',
  'call_syntax',
  'loose_json',
  'repeated_object',
  'surrounding_text',
  'literal_to_text', 'enum_spelling', 'unwrap_envelope', 'drop_placeholder', 'null_word', 'unflatten_keys', 'fold_into_element', 'echoed_schema', 'unwrap_single', 'split_enum_list', 'drop_empty_key',
  'meta_key',
]);

const read = (file: string): readonly RecordedCase[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): RecordedCase => JSON.parse(line));

const isWithinRules = ({ expect: { outcome, rules: needed = [] } }: RecordedCase): boolean =>
  outcome === 'unchanged' || (outcome === 'repaired' && needed.length > 0 && needed.every((rule) => rules.has(rule)));

describe.each(['systems.jsonl', 'reported.jsonl', 'mutants.jsonl'])('%s', (file) => {
  const judged = read(file).map((recorded) => ({ recorded, verdict: verdictOf(recorded, interpretCase(recorded)) }));
  const idsOf = (verdict: Verdict): readonly string[] =>
    judged.filter((row) => row.verdict === verdict).map(({ recorded }) => recorded.id);

  test('counts', () => {
    const [right, missed, wrong] = [idsOf('right').length, idsOf('missed').length, idsOf('wrong').length];
    process.stdout.write(`${file}: ${right} right, ${missed} missed, ${wrong} wrong\n`);
    expect(right + missed + wrong).toBe(judged.length);
    expect(judged.length).toBeGreaterThan(200);
  });

  test('nothing is wrong', () => {
    expect(idsOf('wrong')).toEqual([]);
  });

  test('no valid call and no call within the rules is missed', () => {
    const missed = judged.filter(({ recorded, verdict }) => verdict === 'missed' && isWithinRules(recorded));
    expect(missed.map(({ recorded }) => recorded.id)).toEqual([]);
  });
});
