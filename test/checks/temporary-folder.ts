import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { inject } from 'vitest';

/** File contents by relative path. */
export type Files = Readonly<Record<string, string>>;

/** A new folder with these files, removed at the end of the run. */
export function temporaryFolder(files: Files = {}): string {
  const folder = mkdtempSync(inject('runFolder') + sep);
  writeFiles(folder, files);
  return folder;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
