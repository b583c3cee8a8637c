// Which names of undocumented parameters say that the value is a file system path?

const pathWords: ReadonlySet<string> = new Set(
  ['path', 'file', 'filename', 'filepath', 'dir', 'directory', 'folder'].flatMap((word) => [
    word,
    plural(word),
  ]),
);

function plural(word: string): string {
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** True if the last word of a name, in any casing, is one of a path. */
export function isPathName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
  const last = words.at(-1)?.toLowerCase();
  return last !== undefined && pathWords.has(last);
}
