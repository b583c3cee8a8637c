import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lockFolder } from '../../src/journal/folder-lock.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolmend-lock-'));
  file = join(folder, 'toolmend.pid');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('locks a folder once in a process, under each of its names, until it is unlocked', async () => {
  const unlock = await lockFolder(folder);
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  await expect(lockFolder(folder)).rejects.toThrow('is in use by this process');
  await expect(lockFolder(link)).rejects.toThrow('is in use by this process');
  rmSync(link);
  await unlock();
  await (
    await lockFolder(folder)
  )();
});

it('tells a process that has died from another one that has its pid now', async () => {
  const unlock = await lockFolder(folder);
  const note = readFileSync(file, 'utf8');
  await unlock();
  for (const pid of [process.pid, process.ppid]) {
    const before = note
      .replace(/"started":"\d*"/, '"started":"1"')
      .replace(/"pid":\d+/, `"pid":${pid}`);
    writeFileSync(file, before);
    await (
      await lockFolder(folder)
    )();
  }
});

it('locks the folder of another container only if that gives no sign of life', async () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, started: '1', machine: 'another one' }));
  const renew = (): void => utimesSync(file, Date.now() / 1000, Date.now() / 1000);
  const alive = setInterval(renew, 1000);
  await expect(lockFolder(folder)).rejects.toThrow('of another container');
  clearInterval(alive);
  await (
    await lockFolder(folder)
  )();
});

it('renews its note', async () => {
  const unlock = await lockFolder(folder);
  utimesSync(file, 1, 1);
  const timeOfNote = (): number => statSync(file).mtimeMs;
  const before = timeOfNote();
  while (timeOfNote() === before) await delay(20);
  expect(timeOfNote()).toBeGreaterThan(before);
  await unlock();
});
