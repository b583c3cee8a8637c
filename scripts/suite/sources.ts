// Where the cases come from, and what of it is in them.
import type { RecordedCase } from './recorded-case.ts';

/** What a source is. The licence of each is in suite/README.md. */
type SourceKind = 'thread' | 'tests' | 'package' | 'own';

interface Source {
  readonly kind: SourceKind;
  /** A repository on GitHub, a package on npm, or `toolmend`. */
  readonly name: string;
  readonly cases: number;
}

/** Projects whose tests state what becomes of a call. The others are known by what was reported. */
const tested = new Set([
  'docker/docker-agent',
  'docker/aijson',
  'yogthos/dirge',
  'dirge-code/dirge',
  'NousResearch/hermes-agent',
  'netclaw-dev/netclaw',
]);

/** Every source with the number of its cases. */
export function sourcesOf(cases: readonly RecordedCase[]): readonly Source[] {
  const byName = Map.groupBy(cases, ({ source }) => JSON.stringify(sourceOf(source)));
  return [...byName]
    .map(([key, some]): Source => ({ ...JSON.parse(key), cases: some.length }))
    .toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
}

function sourceOf(source: string): Omit<Source, 'cases'> {
  if (source === 'made' || source === 'ours') return { kind: 'own', name: 'toolmend' };
  const [, packageName] = /^npm (@?[^@\s]+)/.exec(source) ?? [];
  if (packageName !== undefined) return { kind: 'package', name: packageName };
  const [, name = source] = /^([\w.-]+(?:\/[\w.-]+)+)/.exec(source) ?? [];
  const isThread = source[name.length] === '#';
  return { kind: tested.has(name) && !isThread ? 'tests' : 'thread', name };
}
