// Folders that have a database of PGlite already. PGlite takes seconds of a processor to make one.
import { cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { inject } from 'vitest';

/** A new folder for a journal, with an empty database; removed at the end of the run. */
export async function pgliteFolder(): Promise<string> {
  const folder = newFolder();
  cpSync(await emptyDatabase(), folder, { recursive: true });
  return folder;
}

const newFolder = (): string => mkdtempSync(join(inject('runFolder'), 'pglite-'));

/** The folder that all others are copies of. */
async function emptyDatabase(): Promise<string> {
  const original = join(inject('runFolder'), 'empty-database');
  if (existsSync(original)) return original;
  const folder = newFolder();
  const database = await PGlite.create({ dataDir: folder });
  await database.close();
  try {
    renameSync(folder, original);
  } catch {
    // Another process of the run was faster.
    return folder;
  }
  return original;
}
