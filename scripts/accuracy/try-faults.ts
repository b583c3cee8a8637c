// Interprets generated calls with faults and compares the result with what they mean.
import { interpret } from '../../src/interpret/interpret-arguments.ts';
import type { Interpretation } from '../../src/interpret/interpretation.ts';
import { sameValue } from '../../src/json/value.ts';
import { type BrokenArguments, CallGenerator } from '../../src/testing/generate.ts';
import { Random } from '../../src/testing/sample-value.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import type { ToolContract } from '../../src/tool/tool-contract.ts';

/** `missed`: rejected. `wrong`: accepted with another value than the one that is meant. */
export type Verdict = 'right' | 'missed' | 'wrong';
type Counts = { [verdict in Verdict]: number };

export interface TriedFaults {
  readonly counts: Readonly<Counts>;
  readonly kinds: ReadonlyMap<string, Readonly<Counts>>;
  /** The first calls that did not come out right, described. */
  readonly odd: { readonly [verdict in 'missed' | 'wrong']: readonly string[] };
}

export interface FaultTrial {
  /** Calls to make. */
  readonly calls: number;
  readonly seed: number;
  /** Faults in each call. */
  readonly faults: readonly [fewest: number, most: number];
  /** Default: all of `faultKinds`. */
  readonly kinds?: readonly string[];
  /** Default: the library's. */
  readonly interpret?: (contract: ToolContract, call: BrokenArguments) => Interpretation;
}

/** Attempts for each call: some tools have no place for so many faults. */
const mostAttempts = 50;
const mostOdd = 100;

/** The same seed and tools make the same calls. */
export function tryFaults(contracts: readonly ToolContract[], trial: FaultTrial): TriedFaults {
  const { seed, calls, faults, kinds: chosen, interpret: read = interpretText } = trial;
  const random = new Random(seed);
  const generators = contracts.map((contract) => ({
    contract,
    generator: new CallGenerator(contract, random.integer(0, 2 ** 31), chosen),
  }));
  const counts: Counts = { right: 0, missed: 0, wrong: 0 };
  const kinds = new Map<string, Counts>();
  const odd = { missed: new Array<string>(), wrong: new Array<string>() };
  for (let attempt = 0, made = 0; made < calls && attempt < calls * mostAttempts; attempt += 1) {
    const { contract, generator } = random.pick(generators) ?? {};
    const call = generator?.brokenArguments(random.integer(...faults));
    if (contract === undefined || call === undefined) continue;
    made += 1;
    const result = read(contract, call);
    const verdict = verdictOf(call, result);
    counts[verdict] += 1;
    for (const kind of new Set(call.faults)) countIn(kinds, kind, verdict);
    if (verdict !== 'right' && odd[verdict].length < mostOdd)
      odd[verdict].push(describe(contract, call, result));
  }
  return { counts, kinds, odd };
}

/** Counts a call with a fault of a kind. */
export function countIn(kinds: Map<string, Counts>, kind: string, verdict: Verdict): void {
  const row = kinds.get(kind) ?? { right: 0, missed: 0, wrong: 0 };
  row[verdict] += 1;
  kinds.set(kind, row);
}

const interpretText = (contract: ToolContract, { text }: BrokenArguments): Interpretation =>
  interpret(contract, { arguments: text, finishReason: 'tool_calls' });

function verdictOf({ meant }: BrokenArguments, result: Interpretation): Verdict {
  if (result.status === 'rejected') return 'missed';
  return sameValue(result.value, meant) ? 'right' : 'wrong';
}

export const describe = (
  { name, inputSchema }: ToolContract,
  call: BrokenArguments,
  result: Interpretation,
): string =>
  [
    `${name}: ${call.faults.join(', ')}`,
    `  sent      ${call.text.slice(0, 600)}`,
    `  expected  ${JSON.stringify(call.meant).slice(0, 600)}`,
    `  got       ${JSON.stringify(result.status === 'rejected' ? result.issues : result.value).slice(0, 600)}`,
    `  schema    ${JSON.stringify(inputSchema).slice(0, 1200)}`,
  ].join('\n');

/** The contracts of a file's tools: a line each of `{ tool, schema }`. */
export const contractsOf = (lines: string): readonly ToolContract[] =>
  lines
    .trim()
    .split('\n')
    .map((line): { readonly tool: string; readonly schema: ToolContract['inputSchema'] } =>
      JSON.parse(line),
    )
    .map(({ tool, schema }) => contractFromSchema({ name: tool, inputSchema: schema }));
