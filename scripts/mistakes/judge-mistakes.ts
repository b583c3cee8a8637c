// What becomes of generated calls with mistakes in them? Held against the valid calls that they were made from.
import { interpret } from '../../src/interpret/interpret.ts';
import type { Interpretation } from '../../src/interpret/interpretation.ts';
import { sameValue } from '../../src/json/value.ts';
import { type BrokenCall, CallGenerator, Random } from '../../src/testing/generate.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import type { ToolContract } from '../../src/tool/tool-contract.ts';

export type Verdict = 'right' | 'missed' | 'wrong';
type Counts = { [verdict in Verdict]: number };

export interface JudgedMistakes {
  readonly counts: Readonly<Counts>;
  readonly kinds: ReadonlyMap<string, Readonly<Counts>>;
  /** Calls that did not come out right, for a person to read; the first ones of each verdict. */
  readonly odd: { readonly [verdict in 'missed' | 'wrong']: readonly string[] };
}

export interface MistakeRun {
  /** Calls that are made. */
  readonly calls: number;
  readonly seed: number;
  /** Mistakes in one call. */
  readonly mistakes: readonly [fewest: number, most: number];
  /** Default: all of them. */
  readonly kinds?: readonly string[];
  /** Default: the seam. */
  readonly interpret?: (contract: ToolContract, call: BrokenCall) => Interpretation;
}

/** Attempts for one call: some tools have no place for so many mistakes. */
const mostAttempts = 50;
/** Odd calls that are kept. */
const mostOdd = 100;

/** Makes the same calls for the same seed and tools. */
export function judgeMistakes(contracts: readonly ToolContract[], run: MistakeRun): JudgedMistakes {
  const random = new Random(run.seed);
  const generators = contracts.map((contract) => {
    const generator = new CallGenerator(contract, random.whole(0, 2 ** 31), run.kinds);
    return { contract, generator };
  });
  const { interpret: seam = throughTheSeam } = run;
  const counts: Counts = { right: 0, missed: 0, wrong: 0 };
  const kinds = new Map<string, Counts>();
  const odd = { missed: new Array<string>(), wrong: new Array<string>() };
  for (let attempt = 0, made = 0; made < run.calls && attempt < run.calls * mostAttempts; attempt += 1) {
    const { contract, generator } = random.pick(generators) ?? {};
    const call = generator?.broken(random.whole(...run.mistakes));
    if (contract === undefined || call === undefined) continue;
    made += 1;
    const result = seam(contract, call);
    const verdict = verdictOf(call, result);
    counts[verdict] += 1;
    for (const kind of new Set(call.mistakes)) {
      const row = kinds.get(kind) ?? { right: 0, missed: 0, wrong: 0 };
      row[verdict] += 1;
      kinds.set(kind, row);
    }
    if (verdict !== 'right' && odd[verdict].length < mostOdd)
      odd[verdict].push(shown(contract, call, result));
  }
  return { counts, kinds, odd };
}

const throughTheSeam = (contract: ToolContract, { text }: BrokenCall): Interpretation =>
  interpret(contract, { arguments: text, finishReason: 'tool_calls' });

function verdictOf({ value }: BrokenCall, result: Interpretation): Verdict {
  if (result.status === 'rejected') return 'missed';
  return sameValue(result.value, value) ? 'right' : 'wrong';
}

const shown = ({ name, inputSchema }: ToolContract, call: BrokenCall, result: Interpretation): string =>
  [
    `${name}: ${call.mistakes.join(', ')}`,
    `  sent      ${call.text.slice(0, 600)}`,
    `  expected  ${JSON.stringify(call.value).slice(0, 600)}`,
    `  got       ${JSON.stringify(result.status === 'rejected' ? result.issues : result.value).slice(0, 600)}`,
    `  schema    ${JSON.stringify(inputSchema).slice(0, 1200)}`,
  ].join('\n');

/** Contracts of the tools in a file: a line each of `{ tool, schema }`. */
export const contractsOf = (lines: string): readonly ToolContract[] =>
  lines
    .trim()
    .split('\n')
    .map((line): { readonly tool: string; readonly schema: ToolContract['inputSchema'] } => JSON.parse(line))
    .map(({ tool, schema }) => contractFromSchema({ name: tool, inputSchema: schema }));
