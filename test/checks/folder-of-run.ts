// Work that several workers of a run need, done by the first of them.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';

/**
 * A folder of this name that one worker fills; the others wait for it. They fail with what it
 * failed with.
 */
export async function folderOfRun(name: string, fill: (folder: string) => void): Promise<string> {
  const folder = join(inject('runFolder'), name);
  const end = `${folder}.end`;
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    while (!existsSync(end)) await setTimeout(100);
    const failure = readFileSync(end, 'utf8');
    if (failure !== '') throw new Error(failure);
    return folder;
  }
  let failure = '';
  try {
    fill(folder);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
    throw error;
  } finally {
    // It has all of its text as soon as it is there.
    writeFileSync(`${end}.new`, failure);
    renameSync(`${end}.new`, end);
  }
  return folder;
}
