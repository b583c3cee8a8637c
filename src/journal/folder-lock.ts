import {
  mkdir,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolmendError } from '../errors/errors.ts';
import { parseJson } from '../json/parse.ts';
import { ownValue } from '../collections/objects.ts';
import { isJsonObject } from '../json/value.ts';

/** The file in the folder that names the process which uses it. */
const noteName = 'toolmend.pid';
/**
 * Milliseconds between signs of life. A note without one for `patience` is that of a process that
 * has died.
 */
const heartbeat = 2000;
const patience = 3 * heartbeat;

/** A process, as it names itself. */
interface Note {
  readonly pid: number;
  /** When the process started, in clock ticks since the machine did; '' if unknown. */
  readonly started: string;
  /**
   * The machine since its start, and the namespace of the pid: containers count their processes
   * from 1. '' if unknown.
   */
  readonly machine: string;
}

/** Folders that this process uses. */
const usedHere = new Set<string>();

/**
 * Notes in the folder that this process uses it: PGlite doesn't notice a second user, and both
 * would destroy the data. Throws if a living process uses it, also this one. A note of another
 * container or machine counts as long as it is renewed, which takes up to 6 s to see. Returns a
 * function that removes the note.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => !name.startsWith(noteName));
  if (names.length > 0 && !names.includes('PG_VERSION')) {
    const what = `The folder ${folder} has other files than those of a journal`;
    throw new ToolmendError('journal-foreign', `${what}: name a folder of its own.`);
  }
  const real = await realpath(folder);
  const file = join(real, noteName);
  if (usedHere.has(real)) throw inUseHere(folder);
  usedHere.add(real);
  try {
    await takeNote(folder, file);
  } catch (error) {
    usedHere.delete(real);
    throw error;
  }
  const timer = setInterval(() => void touch(file), heartbeat).unref();
  return async () => {
    clearInterval(timer);
    await rm(file, { force: true });
    usedHere.delete(real);
  };
}

const shareOne =
  'share one journal between the registries of a process, and use PostgreSQL for several processes';

const inUseHere = (folder: string): ToolmendError =>
  new ToolmendError(
    'journal-in-use',
    `The journal in ${folder} is in use by this process: ${shareOne}.`,
  );

function inUse(folder: string, file: string, { pid, machine }: Note, ownNote: Note): ToolmendError {
  const isOther = machine !== '' && machine !== ownNote.machine;
  if (pid === ownNote.pid && !isOther) return inUseHere(folder);
  const who = `the process ${pid}${isOther ? ' of another container or machine' : ''}`;
  const instead = `${shareOne}, or delete ${file} if that process is not one of toolmend`;
  return new ToolmendError(
    'journal-in-use',
    `The journal in ${folder} is in use by ${who}: ${instead}.`,
  );
}

async function takeNote(folder: string, file: string): Promise<void> {
  const ownNote = await noteOf(process.pid);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) {
    const other = readNote(text);
    if (await isAlive(other, ownNote, file)) throw inUse(folder, file, other, ownNote);
    await removeStale(folder, file, text, ownNote);
  }
  try {
    await writeFile(file, JSON.stringify(ownNote), { flag: 'wx' });
  } catch (error) {
    // Another process was faster.
    if (Reflect.get(Object(error), 'code') === 'EEXIST')
      throw inUse(folder, file, readNote(await readFile(file, 'utf8')), ownNote);
    throw error;
  }
}

/** Of two processes that find the same stale note, one removes it. */
async function removeStale(
  folder: string,
  file: string,
  text: string,
  ownNote: Note,
): Promise<void> {
  const aside = `${file}.${crypto.randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  const movedText = await readFile(aside, 'utf8').catch(() => text);
  if (movedText !== text) {
    await rename(aside, file);
    throw inUse(folder, file, readNote(movedText), ownNote);
  }
  await rm(aside, { force: true });
}

/** Older versions wrote the pid alone. */
function readNote(text: string): Note {
  const reading = parseJson(text, 4);
  const value = reading.kind === 'read' ? reading.value : undefined;
  if (!isJsonObject(value)) return { pid: Number(text), started: '', machine: '' };
  const textOf = (name: string): string => {
    const member = ownValue(value, name);
    return typeof member === 'string' ? member : '';
  };
  return {
    pid: Number(ownValue(value, 'pid')),
    started: textOf('started'),
    machine: textOf('machine'),
  };
}

async function noteOf(pid: number): Promise<Note> {
  const [startTime, boot, namespace] = await Promise.all([
    startOf(pid),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return { pid, started: startTime, machine: `${boot.trim()} ${namespace}`.trim() };
}

/** The 22nd field; the second one, in parentheses, may hold anything. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

async function isAlive(other: Note, ownNote: Note, file: string): Promise<boolean> {
  if (other.machine !== '' && other.machine !== ownNote.machine) return isRenewed(file);
  if (other.pid === ownNote.pid) return other.started !== '' && other.started === ownNote.started;
  if (!hasProcess(other.pid)) return false;
  return other.started === '' || other.started === (await startOf(other.pid));
}

/** Whether the process that wrote the note gives a sign of life. Clocks are not compared. */
async function isRenewed(file: string): Promise<boolean> {
  const timeBefore = await timeOf(file);
  for (let waited = 0; waited < patience; waited += 500) {
    await sleep(500);
    if ((await timeOf(file)) !== timeBefore) return true;
  }
  return false;
}

const timeOf = async (file: string): Promise<number | undefined> =>
  (await stat(file).catch(() => undefined))?.mtimeMs;

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

function hasProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return Reflect.get(Object(error), 'code') === 'EPERM';
  }
}
