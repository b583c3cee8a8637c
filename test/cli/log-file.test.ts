// The log of the gateway and of the MCP proxy while logs are rotated.
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from '../../src/cli/log-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('lines follow the name: into a new file after the old one was renamed or deleted', async () => {
  const path = join(folder, 'calls.jsonl');
  const errors: Error[] = [];
  const log = new LogFile(path, (error) => errors.push(error));
  log.write('one\n');
  log.write('two\n');
  renameSync(path, `${path}.1`);
  log.write('three\n');
  log.write('four\n');
  // No line waits in the process, which may be killed.
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('one\ntwo\n');
  expect(readFileSync(path, 'utf8')).toBe('three\nfour\n');
  rmSync(path);
  log.write('five\n');
  await log.close();
  log.write('after the end\n');

  expect(readFileSync(path, 'utf8')).toBe('five\n');
  expect(errors).toEqual([]);
});
