import {
  type Accepted,
  type Interpretation,
  type SentArguments,
  type ToolContract,
  interpret,
} from 'toolmend';
import type { Interpret } from './law.ts';
import { laws } from './laws.ts';
import { tryLaws } from './try-laws.ts';

type Change = (
  result: Interpretation,
  call: SentArguments,
  contract: ToolContract,
) => Interpretation;

/** The engine with a fault in what it gives back. */
const changing = (change: Change): Interpret => {
  return (contract, call) => change(interpret(contract, call), call, contract);
};

const ifRepaired = (
  change: (result: Accepted, contract: ToolContract) => Interpretation,
): Interpret =>
  changing((result, _call, contract) =>
    result.status === 'repaired' ? change(result, contract) : result,
  );

const ifUnchanged = (change: (result: Accepted) => Interpretation): Interpret =>
  changing((result) => (result.status === 'unchanged' ? change(result) : result));

const ifRejected = (change: (message: string) => string): Interpret =>
  changing((result) =>
    result.status === 'rejected' ? { ...result, message: change(result.message) } : result,
  );

const repairedValues = new WeakSet();

/** Another number than the model's, if the schema takes it, with a record that says so. */
function withOtherNumber(result: Accepted, contract: ToolContract): Accepted {
  for (const [key, number] of Object.entries(result.value)) {
    const value = { ...result.value, [key]: Number(number) + 5 };
    const isValid = interpret(contract, { arguments: value }).status === 'unchanged';
    if (typeof number !== 'number' || !isValid) continue;
    const path = `/${key}`;
    const operations = [{ op: 'replace', path, value: number + 5 }] as const;
    const planted = { rule: 'planted', path, was: '', shownToModel: false, operations };
    return { ...result, value, repairs: [...result.repairs, planted] };
  }
  return result;
}

const brokenEngines: readonly (readonly [law: string, Interpret])[] = [
  [
    'input_untouched',
    changing((result, { arguments: sent }) => {
      if (typeof sent === 'object' && sent !== null) Reflect.set(sent, 'read', true);
      return result;
    }),
  ],
  ['same_result', ifRejected((message) => `${message}${process.hrtime.bigint()}`)],
  ['valid_unchanged', ifUnchanged((result) => ({ ...result, status: 'repaired' }))],
  [
    'accepted_passes',
    changing((result, { arguments: sent }) =>
      result.status === 'rejected' && typeof sent === 'object'
        ? { ...result, status: 'unchanged', value: Object(sent), issues: [] }
        : result,
    ),
  ],
  [
    'repaired_once',
    changing((result, { arguments: sent }) => {
      if (result.status === 'repaired') repairedValues.add(result.value);
      const isSentAgain = result.status === 'unchanged' && repairedValues.has(Object(sent));
      return isSentAgain ? { ...result, value: { ...result.value } } : result;
    }),
  ],
  ['untouched_kept', ifRepaired((result) => ({ ...result, value: structuredClone(result.value) }))],
  ['records_say_all', ifRepaired((result) => ({ ...result, repairs: result.repairs.slice(1) }))],
  ['meant_is_accepted', ifRepaired(withOtherNumber)],
  ['message_names_all', ifRejected((message) => message.split('\n').slice(0, 2).join('\n'))],
  [
    'never_throws',
    changing((result, { arguments: sent }) => {
      if (JSON.stringify(sent).includes('unheard')) throw new RangeError();
      return result;
    }),
  ],
];

test.each(brokenEngines)('%s finds a broken engine', (law, engine) => {
  const { broken } = tryLaws({ interpret: engine, runs: 1000, seed: 20_261_121, onBreach: 'stop' });
  expect(broken?.law).toBe(law);
});

test('there is a broken engine for every law', () => {
  expect(brokenEngines.map(([law]) => law)).toEqual(
    expect.arrayContaining(laws.map(({ id }) => id)),
  );
});

test('a counterexample is found again by its seed', () => {
  const engine = ifRepaired((result) => ({ ...result, repairs: [] }));
  const { broken } = tryLaws({ interpret: engine, runs: 10, seed: 7 });
  const again = tryLaws({ interpret: engine, runs: 10, seed: broken?.seed ?? 0 });
  expect(broken?.law).toBe('records_say_all');
  expect(again.broken).toEqual(broken);
});
