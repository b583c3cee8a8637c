import { temporaryFolder } from '../checks/temporary-folder.ts';
import type { Interpret } from './law.ts';
import { laws } from './laws.ts';
import { mutantEngine, type SourceMutant } from './mutant-engine.ts';
import { tryLaws } from './try-laws.ts';

const seed = 20_261_121;

const brokenBy = (engine: Interpret): string | undefined =>
  tryLaws({ interpret: engine, runs: 1000, seed, onBreach: 'stop' }).broken?.law;

describe('an engine broken in its source', () => {
  const mutants: readonly (readonly [string, SourceMutant])[] = [
    [
      'input_untouched',
      {
        file: 'src/repair/edits.ts',
        original: 'of changes) defineKey(copy, key, value);',
        mutated: 'of changes) if (Reflect.set(object, key, value)) defineKey(copy, key, value);',
      },
    ],
    [
      'same_result',
      {
        file: 'src/messages/rejection-message.ts',
        original: '.map((issue) => lineOf(issue, subject));',
        mutated: '.map((issue) => lineOf(issue, subject) + process.hrtime.bigint());',
      },
    ],
    [
      'valid_unchanged',
      {
        file: 'src/interpret/validate-or-repair.ts',
        original: "status: records.length === 0 ? 'unchanged' : 'repaired'",
        mutated: "status: 'repaired'",
      },
    ],
    [
      'accepted_passes',
      {
        file: 'src/repair/repair-context.ts',
        original: '!this.accepts(location.schema, value)) return false',
        mutated: '(location.path !== "" && !this.accepts(location.schema, value))) return false',
      },
    ],
    [
      'repaired_once',
      {
        file: 'src/interpret/validate-or-repair.ts',
        original: 'const isFilled = records.length > 0 &&',
        mutated: 'const isFilled = records.length > 0 && valid.records.length === 0 &&',
      },
    ],
    [
      'untouched_kept',
      {
        file: 'src/repair/edits.ts',
        original: '  const copy = { ...object };\n',
        mutated: '  const copy = JSON.parse(JSON.stringify(object));\n',
      },
    ],
    [
      'records_say_all',
      {
        file: 'src/repair/repair-object.ts',
        original: 'for (const record of repair.records) this.records.push(record);',
        mutated: 'for (const record of repair.records.slice(1)) this.records.push(record);',
      },
    ],
    [
      'meant_is_accepted',
      {
        file: 'src/repair/read-text.ts',
        original: '? Number(literal)',
        mutated: '? Math.abs(Number(literal))',
      },
    ],
    [
      'message_names_all',
      {
        file: 'src/messages/rejection-message.ts',
        original: 'const mostIssues = 8;',
        mutated: 'const mostIssues = 1;',
      },
    ],
    [
      'never_throws',
      {
        file: 'src/json/nearest-name.ts',
        original:
          "if (left === '' || right === '' || deniedBy(wanted) !== deniedBy(known)) return undefined;",
        mutated: 'if (left.includes("unheard")) throw new RangeError();',
      },
    ],
  ];

  test.each(mutants)('%s catches it', async (law, mutant) => {
    const engine = await mutantEngine(temporaryFolder(), mutant);
    expect(brokenBy(engine.interpret)).toBe(law);
  });

  test('there is one for every law', () => {
    expect(mutants.map(([law]) => law)).toEqual(expect.arrayContaining(laws.map(({ id }) => id)));
  });
});

test('a counterexample is found again by its seed', () => {
  const rejected = { status: 'rejected', meta: {}, repairs: [], notes: [], issues: [], message: '' } as const;
  const rejecting: Interpret = () => rejected;
  const { broken } = tryLaws({ interpret: rejecting, runs: 10, seed: 7 });
  const again = tryLaws({ interpret: rejecting, runs: 10, seed: broken?.seed ?? 0 });

  expect(broken?.law).toBe('valid_unchanged');
  expect(again.broken).toEqual(broken);
});
