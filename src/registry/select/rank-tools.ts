// Which tools do a few words mean? Those whose name, description or arguments have them; names count most.
import type { ToolContract } from '../../contract/tool-contract.ts';

/** The tools that have at least one of the words, the best first; equally good ones in their order. */
export function rankTools(tools: readonly ToolContract[], query: string): readonly ToolContract[] {
  const wanted = new Set(wordsOf(query));
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ tool }) => tool);
}

const weights = { name: 4, description: 2, argument: 1 } as const;
/** Shorter beginnings of words mean nothing. */
const shortestStem = 3;

function scoreOf(
  { name, description, hints, inputSchema }: ToolContract,
  wanted: ReadonlySet<string>,
): number {
  const places = [
    [weights.name, wordsOf(name)],
    [weights.description, wordsOf([description, ...hints].join(' '))],
    [weights.argument, wordsOf(Object.keys(inputSchema.properties ?? {}).join(' '))],
  ] as const;
  let score = 0;
  for (const word of wanted) {
    for (const [weight, words] of places) {
      if (words.includes(word)) score += weight;
      else if (words.some((other) => isStem(word, other))) score += weight / 2;
    }
  }
  return score;
}

/** `file` and `files`, `search` and `searching`. */
const isStem = (left: string, right: string): boolean =>
  Math.min(left.length, right.length) >= shortestStem && (left.startsWith(right) || right.startsWith(left));

/** Of identifiers too: `readFiles`, `read_files`. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
