// Is there a text that breaks a law? Looked for near the recorded calls; what takes new ways is looked near to in turn.
import { judgeCall } from '../../test/laws/judge-trial.ts';
import { LawBroken } from '../../test/laws/law.ts';
import { finishReasons } from '../../test/laws/generators/text-mistakes.ts';
import { BranchMap } from './branch-map.ts';
import { bundleEngine, type Engine, type SourceChange } from '../../test/laws/bundle-engine.ts';
import { countBranches } from './count-branches.ts';
import { mutateText } from './mutate-text.ts';
import { Random } from './random.ts';
import { type FuzzInput, seedsFor } from './seeds.ts';

export interface FuzzRequest {
  /** An empty folder for the engine with counters. */
  readonly folder: string;
  readonly seconds: number;
  readonly seed: number;
  /** How many tools are called, at most. */
  readonly tools: number;
  /** A bug to plant. */
  readonly change?: SourceChange;
}

export interface FuzzOutcome {
  readonly runs: number;
  /** Inputs that took a new way. */
  readonly kept: number;
  readonly branches: { readonly taken: number; readonly all: number };
  readonly found: FoundBreach | undefined;
}

export interface FoundBreach {
  readonly law: string;
  readonly message: string;
  /** Made as short as the breach allows. */
  readonly input: FuzzInput;
}

/** Stops at the first breach, or when the time is over. */
export async function fuzz({ folder, seconds, seed, tools, change }: FuzzRequest): Promise<FuzzOutcome> {
  const map = new BranchMap();
  const engine = await bundleEngine(folder, withCounters(map, change));
  const random = new Random(seed);
  const seeds = seedsFor(engine, random, tools);
  const corpus: FuzzInput[] = [];
  const end = performance.now() + seconds * 1000;
  let runs = 0;
  let found: FoundBreach | undefined;
  while (found === undefined && (runs < seeds.length || performance.now() < end)) {
    const input = seeds[runs] ?? nextInput(corpus, random);
    const broken = brokenBy(input, engine);
    runs += 1;
    if (map.isNew()) corpus.push(input);
    if (broken !== undefined) found = shortened(input, broken, engine);
  }
  return { runs, kept: corpus.length, branches: { taken: map.taken, all: map.size }, found };
}

/** Code that is planted is counted too. */
const withCounters =
  (map: BranchMap, change: SourceChange | undefined): SourceChange =>
  (path, source) => {
    let counted = source;
    map.reserve((first) => {
      const { code, used } = countBranches(path, change?.(path, source) ?? source, first);
      counted = code;
      return used;
    });
    return counted;
  };

/** Half of the time from what was found last. */
function nextInput(corpus: readonly FuzzInput[], random: Random): FuzzInput {
  const parent = random.one(random.fraction() < 0.5 ? corpus.slice(-64) : corpus);
  const other = random.one(corpus);
  return {
    text: mutateText(parent.text, random, other.text),
    tool: random.fraction() < 0.05 ? other.tool : parent.tool,
    finishReason: random.fraction() < 0.1 ? random.one(finishReasons) : parent.finishReason,
  };
}

function brokenBy({ tool, text, finishReason }: FuzzInput, { interpret }: Engine): LawBroken | undefined {
  const around = { ...tool, interpret, isValid: false, meant: undefined, base: undefined };
  const end = finishReason === undefined ? {} : { finishReason };
  try {
    for (const sent of [text, ...valueIn(text)]) judgeCall({ ...around, sent: { arguments: sent, ...end } });
    return undefined;
  } catch (error) {
    if (error instanceof LawBroken) return error;
    throw error;
  }
}

/** What a provider would hand over that parses the text itself. */
function valueIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? [value] : [];
  } catch {
    return [];
  }
}

/** Parts are left out as long as the same law is broken. */
function shortened(input: FuzzInput, broken: LawBroken, engine: Engine): FoundBreach {
  let [shortest, breach] = [input, broken];
  for (let size = Math.ceil(input.text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < shortest.text.length;) {
      const text = shortest.text.slice(0, at) + shortest.text.slice(at + size);
      const next = brokenBy({ ...shortest, text }, engine);
      if (next?.law === broken.law) [shortest, breach] = [{ ...shortest, text }, next];
      else at += size;
    }
  }
  return { law: breach.law, message: breach.message, input: shortest };
}
