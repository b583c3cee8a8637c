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

/** True if the last word of a name, in any casing, is one of a path: `FILE_PATH`, `outputDir`, `fileName`. */
export function isPathName(name: string): boolean {
  const last = name.split(separators).findLast((part) => part !== '') ?? '';
  const lastHump = last.replace(/.*[a-z0-9](?=[A-Z])/, '');
  return [last, lastHump].some((word) => pathWords.has(word.toLowerCase()));
}

const separators = /[\s_.-]+/;
