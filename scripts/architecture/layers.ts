// Which folder of src may import which? The rungs, from the top; imports go downwards only.

/** Folders on one rung do not see each other; each adapter and the root entry are layers of their own. */
const rungs: readonly (readonly string[])[] = [
  ['index'],
  ['cli'],
  ['adapters', 'testing'],
  ['registry'],
  ['execute'],
  ['interpret'],
  ['repair'],
  ['providers'],
  ['messages'],
  ['validate'],
  ['classes'],
  ['decorators'],
  ['tool'],
  ['schema'],
  ['telemetry'],
  ['errors'],
  ['json'],
];

/** The layer of a path relative to src: `json`, `adapters/openai`, or `index` for the root entry. */
export function layerOf(path: string): string {
  const [folder = '', inner] = path.split('/');
  if (inner === undefined) return folder.replace(/\.ts$/, '');
  return folder === 'adapters' ? `adapters/${inner}` : folder;
}

/** How far from the top a layer stands; -1 if no rung knows it. */
export function rungOf(layer: string): number {
  const [folder = ''] = layer.split('/');
  return rungs.findIndex((rung) => rung.includes(folder));
}

/** Files that other packages import: the only ones that may pass on what others export. */
export const isEntry = (path: string): boolean => /^(adapters\/[^/]+\/|testing\/)?index\.ts$/.test(path);
