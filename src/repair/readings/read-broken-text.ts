import { endOfLooseBlanks } from '../../json/tokens.ts';
import { type Built, type TextReading, buildReading } from './build-reading.ts';
import * as edit from './edits.ts';
import { Grammar, type GrammarOptions } from './grammar.ts';
import { Lattice, type Ways } from './lattice.ts';

/** Characters of text that is read in all ways. */
const maxSize = 256 * 1024;
/** Characters of text in which closers may be missing or surplus at places that fit. */
const maxClosersSize = 64 * 1024;
/** The most nodes for each quote, bracket, comma and colon of the text. */
const nodesPerToken = 8;
/** Further nodes, so that short texts have enough. */
const freeNodes = 256;

/** `none`: no reading is whole. `refused`: no reading may be accepted. */
export type BrokenText =
  | { readonly kind: 'readings'; readonly readings: readonly TextReading[] }
  | Extract<Ways, { readonly kind: 'refused' }>
  | Exclude<Built, { readonly kind: 'built' }>;

interface BrokenTextOptions {
  readonly maxDepth: number;
  /** The provider says that the answer ended normally. */
  readonly isComplete: boolean;
  /** `arguments`: the argument text itself. `inside`: text inside a value. */
  readonly place: 'arguments' | 'inside';
}

/** Reads text that is nearly JSON in every way that takes the fewest edits, and in those that take one more. */
export function readBrokenText(text: string, options: BrokenTextOptions): BrokenText {
  if (text.length > maxSize || !startsLikeJson.test(text)) return { kind: 'none' };
  const found = findWays(text, options);
  if (found.kind === 'refused') return found;
  const readings: TextReading[] = [];
  for (const way of found.ways) {
    const built = buildReading(text, way, options);
    if (built.kind === 'refused') return built;
    if (built.kind === 'built') readings.push(built.reading);
  }
  return readings.length === 0 ? { kind: 'none' } : { kind: 'readings', readings };
}

const startsLikeJson = /^[\s\uFEFF]*[{["]/;

/** Looks everywhere only if the text can't be read otherwise, or has edits of closers. */
function findWays(text: string, { maxDepth, place }: BrokenTextOptions): Ways {
  const options = { maxDepth, bareWords: place === 'arguments' };
  const near = explore(text, { ...options, look: 'near' });
  if (near.kind === 'refused' || text.length > maxClosersSize) return near;
  const isClear = near.ways.every(({ edits }) => (edits & (edit.moving | edit.closersBehind)) === 0);
  return near.ways.length > 0 && isClear ? near : explore(text, { ...options, look: 'everywhere' });
}

function explore(text: string, options: GrammarOptions): Ways {
  const lattice = new Lattice(endOfLooseBlanks(text, 0, 'member'));
  const grammar = new Grammar(text, lattice, options);
  let maxNodes: number | undefined;
  for (let node = lattice.next(); node !== undefined; node = lattice.next()) {
    grammar.expand(node);
    if (lattice.size <= freeNodes) continue;
    maxNodes ??= freeNodes + nodesPerToken * (text.match(/["'{}[\],:]/g)?.length ?? 0);
    if (lattice.size > maxNodes) return { kind: 'refused', reason: 'too_large' };
  }
  return lattice.ways();
}
