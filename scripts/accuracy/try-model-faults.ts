// Reads generated calls with faults as models make them, and compares the result with what they mean.
import { interpret } from '../../src/interpret/interpret-arguments.ts';
import type { Interpretation } from '../../src/interpret/interpretation.ts';
import { parseJson } from '../../src/json/parse.ts';
import { sameValue } from '../../src/json/value.ts';
import { valueFaults } from '../../src/testing/faults.ts';
import { CallGenerator } from '../../src/testing/generate.ts';
import { Random } from '../../src/testing/sample-value.ts';
import type { ToolContract } from '../../src/tool/tool-contract.ts';
import { validatorOf } from '../../src/validate/validator.ts';
import { type FaultyText, modelFaults, objectIn } from './model-faults.ts';
import { type FaultTrial, type TriedFaults, countIn, describe } from './try-faults.ts';

const mostAttempts = 50;
const mostOdd = 100;

/** The same seed and tools make the same calls. One of the faults is in the text. */
export function tryModelFaults(
  contracts: readonly ToolContract[],
  { seed, calls, faults }: FaultTrial,
): TriedFaults {
  const random = new Random(seed);
  const generators = contracts.map((contract) => ({
    contract,
    generator: new CallGenerator(contract, random.integer(0, 2 ** 31), Object.keys(valueFaults)),
  }));
  const counts = { right: 0, missed: 0, wrong: 0 };
  const kinds = new Map<string, typeof counts>();
  const odd = { missed: new Array<string>(), wrong: new Array<string>() };
  const names = Object.keys(modelFaults);
  for (let attempt = 0, made = 0; made < calls && attempt < calls * mostAttempts; attempt += 1) {
    const { contract, generator } = random.pick(generators) ?? {};
    const name = random.pick(names) ?? '';
    const others = random.integer(...faults) - 1;
    const base = others === 0 ? validCall(generator) : generator?.brokenArguments(others);
    const sent = base && objectIn(base.text);
    if (contract === undefined || base === undefined || sent === undefined) continue;
    const call = { contract, sent, json: JSON.stringify(sent), meant: base.meant };
    const faulty = modelFaults[name]?.make(call, random);
    if (faulty === undefined || isValid(contract, faulty.text)) continue;
    made += 1;
    const result = read(contract, faulty);
    const verdict = verdictOf(faulty, result);
    counts[verdict] += 1;
    countIn(kinds, name, verdict);
    if (verdict === 'right') continue;
    const isExpected = verdict === 'missed' && modelFaults[name]?.readings === 'several';
    const meant = faulty.meant === 'nothing' ? {} : faulty.meant;
    if (!isExpected && odd[verdict].length < mostOdd)
      odd[verdict].push(
        describe(contract, { text: faulty.text, meant, faults: [...base.faults, name] }, result),
      );
  }
  return { counts, kinds, odd };
}

function validCall(generator: CallGenerator | undefined) {
  const meant = generator?.valid();
  return meant === undefined ? undefined : { text: JSON.stringify(meant), meant, faults: [] };
}

function isValid(contract: ToolContract, text: string): boolean {
  const reading = parseJson(text);
  return reading.kind === 'read' && validatorOf(contract).accepts(reading.value);
}

function read(contract: ToolContract, { text, finishReason }: FaultyText): Interpretation {
  return interpret(contract, {
    arguments: text,
    ...(finishReason === 'unknown' ? {} : { finishReason: finishReason ?? 'tool_calls' }),
  });
}

function verdictOf({ meant }: FaultyText, result: Interpretation): 'right' | 'missed' | 'wrong' {
  if (result.status === 'rejected') return meant === 'nothing' ? 'right' : 'missed';
  return meant !== 'nothing' && sameValue(result.value, meant) ? 'right' : 'wrong';
}
