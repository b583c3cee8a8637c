// What becomes of the calls in these files? Each is looked for first, then read, and all are reported together.
import { stat } from 'node:fs/promises';
import { harmless } from '../../issues/excerpt.ts';
import type { Streams } from '../streams.ts';
import { casesAsJson } from './cases-as-json.ts';
import { casesAsTables } from './cases-as-tables.ts';
import type { FileTally } from './file-tally.ts';
import { RecordInterpreter } from './interpret-record.ts';
import { tallyFile } from './tally-file.ts';

/** The exit code: 2 for a file that can't be read, 1 for wrong calls or bad lines, else 0. */
export async function runCases(
  files: readonly string[],
  form: 'json' | 'tables',
  streams: Streams,
): Promise<number> {
  const missing = await firstMissing(files);
  if (missing !== undefined) return refuse(streams, `there is no file ${harmless(missing, 400)}`);
  const interpreter = new RecordInterpreter();
  const tallies: FileTally[] = [];
  for (const file of files) {
    try {
      tallies.push(await tallyFile(file, interpreter, streams));
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return refuse(streams, `${harmless(file, 400)} can't be read (${error.code})`);
    }
  }
  streams.stdout.write(form === 'json' ? casesAsJson(tallies) : casesAsTables(tallies));
  return tallies.some(({ bad, verdicts }) => bad + verdicts.wrong > 0) ? 1 : 0;
}

async function firstMissing(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const isFile = await stat(file).then(
      (found) => !found.isDirectory(),
      () => false,
    );
    if (!isFile) return file;
  }
  return undefined;
}

const isSystemError = (error: unknown): error is { readonly code: string } =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  'syscall' in error &&
  typeof error.code === 'string';

function refuse({ stderr }: Streams, why: string): number {
  stderr.write(`toolmend: ${why}\n`);
  return 2;
}
