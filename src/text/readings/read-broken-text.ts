import { endOfLooseBlanks } from '../../json/tokens.ts';
import { type Built, type ReadOptions, type TextReading, buildReading } from './build-reading.ts';
import * as edit from './edits.ts';
import { Grammar, type Look } from './grammar.ts';
import { Lattice, type Ways } from './lattice.ts';

/** Characters of text that is read in all ways. */
const maxSize = 256 * 1024;
/** Characters of text in which closers may be missing or surplus at places that fit. */
const maxClosersSize = 64 * 1024;
/** The most nodes: these, and some for each quote, bracket, comma and colon. */
const freeNodes = 256;
const maxNodes = (text: string): number =>
  freeNodes + 8 * (text.match(/["'{}[\],:]/g)?.length ?? 0);

/** `none`: no reading is whole. `refused`: no reading may be accepted. */
export type BrokenText =
  | { readonly kind: 'readings'; readonly readings: readonly TextReading[] }
  | Extract<Ways, { readonly kind: 'refused' }>
  | Exclude<Built, { readonly kind: 'built' }>;

/**
 * Reads text that is nearly JSON in every way that takes the fewest edits, and in those that take
 * one more.
 */
export function readBrokenText(text: string, options: ReadOptions): BrokenText {
  if (text.length > maxSize || !startsLikeJson.test(text)) return { kind: 'none' };
  const ways = findWays(text, options);
  if (ways.kind === 'refused') return ways;
  const builtReadings = ways.ways.map((way) => buildReading(text, way, options));
  const refusal = builtReadings.find((one) => one.kind === 'refused');
  const readings = builtReadings.flatMap((one) => (one.kind === 'built' ? [one.reading] : []));
  return refusal ?? (readings.length === 0 ? { kind: 'none' } : { kind: 'readings', readings });
}

const startsLikeJson = /^[\s\uFEFF]*[{["]/;

/** Looks everywhere only if the text can't be read otherwise, or has edits of closers. */
function findWays(text: string, options: ReadOptions): Ways {
  const near = explore(text, options, 'near');
  if (near.kind === 'refused' || text.length > maxClosersSize) return near;
  const isClear = near.ways.every(
    ({ edits }) => (edits & (edit.moving | edit.closersAfterRoot)) === 0,
  );
  return near.ways.length > 0 && isClear ? near : explore(text, options, 'everywhere');
}

function explore(text: string, options: ReadOptions, look: Look): Ways {
  const lattice = new Lattice(endOfLooseBlanks(text, 0, 'member'));
  const grammar = new Grammar(text, lattice, options, look);
  let limit: number | undefined;
  for (let node = lattice.next(); node !== undefined; node = lattice.next()) {
    grammar.expand(node);
    if (lattice.size > freeNodes && lattice.size > (limit ??= maxNodes(text)))
      return { kind: 'refused', reason: 'too_large' };
  }
  return lattice.ways();
}
