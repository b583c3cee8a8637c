// The folder of the tools. No path and no link leads out of it.
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolRetry } from 'toolmend';

/** File contents by path, relative to the workspace, with `/` between folders. */
export type WorkspaceFiles = Readonly<Record<string, string>>;

export class Workspace {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** A new folder below the system's temporary one, with these files. */
  static async create(files: WorkspaceFiles): Promise<Workspace> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'toolmend-workspace-')));
    const workspace = new Workspace(root);
    for (const [path, text] of Object.entries(files)) await workspace.writeText(path, text);
    return workspace;
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  async readText(path: string): Promise<string> {
    const address = await this.addressOf(path);
    return orRetry(path, readFile(address, 'utf8'));
  }

  /** Writes a file, and the folders above it. */
  async writeText(path: string, text: string): Promise<void> {
    const address = await this.addressOf(path);
    await orRetry(path, mkdir(dirname(address), { recursive: true }));
    await orRetry(path, writeFile(address, text));
  }

  /** The entries of a folder, sorted; folders end in a slash. */
  async list(path: string): Promise<readonly string[]> {
    const entries = await orRetry(
      path,
      readdir(await this.addressOf(path), { withFileTypes: true }),
    );
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted();
  }

  /** All files below a folder, or the file itself, sorted. Links are not followed. */
  async filesBelow(path: string): Promise<readonly string[]> {
    const address = await this.addressOf(path);
    const entries = await readdir(address, { recursive: true, withFileTypes: true }).catch(
      () => undefined,
    );
    if (entries === undefined) return [this.pathOf(address)];
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => this.pathOf(join(parentPath, name))).toSorted();
  }

  /** All files. */
  async contents(): Promise<WorkspaceFiles> {
    const paths = await this.filesBelow('.');
    const texts = await Promise.all(paths.map((path) => this.readText(path)));
    return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? '']));
  }

  /** The absolute path. A path outside of the workspace is a `ToolRetry`. */
  private async addressOf(path: string): Promise<string> {
    const address = resolve(this.root, path);
    const isSafe =
      !path.includes('\0') && this.holds(address) && this.holds(await realAddress(address));
    if (isSafe) return address;
    throw new ToolRetry(
      `${path} leads out of the workspace: give a path relative to the workspace.`,
    );
  }

  private holds(address: string): boolean {
    const path = relative(this.root, address);
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  }

  private pathOf(address: string): string {
    return relative(this.root, address).split(sep).join('/');
  }
}

/** The real path; for a new file, the real path of its nearest existing folder. */
async function realAddress(address: string): Promise<string> {
  const real = await realpath(address).catch(() => undefined);
  if (real !== undefined) return real;
  const isBrokenLink = await lstat(address).then(
    () => true,
    () => false,
  );
  // A model must not create the target of a broken link.
  return isBrokenLink ? sep : realAddress(dirname(address));
}

/** A missing file, or a folder instead of a file, is a `ToolRetry`. */
async function orRetry<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isCoded = typeof error === 'object' && error !== null && 'code' in error;
    const reason = isCoded ? reasons.get(error.code) : undefined;
    if (reason === undefined) throw error;
    throw new ToolRetry(`${path} ${reason}.`, { cause: error });
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['EISDIR', 'is a folder'],
  ['ENOTDIR', 'is no folder'],
  ['EEXIST', 'is a file, not a folder'],
]);
