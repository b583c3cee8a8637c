// One folder for the temporary folders of a whole run, which is removed at its end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    runFolder: string;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'toolmend-'));

export const setup = (project: TestProject): void => project.provide('runFolder', folder);

export const teardown = (): void => rmSync(folder, { recursive: true, force: true });
