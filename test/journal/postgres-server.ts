// Starts a PostgreSQL server of its own on loopback, from the system's package.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresServer {
  readonly connectionString: string;
  /** The file of the server's messages. */
  readonly log: string;
  /** `kill`: ends it as a power cut does. */
  stop(how?: 'kill'): void;
  /** Starts it again after `stop`. */
  start(): void;
  /** Stops it and deletes its data. */
  remove(): void;
}

const installed = '/usr/lib/postgresql';

/** The folder with `initdb`; undefined if PostgreSQL is not installed. */
function programs(): string | undefined {
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  return versions
    .map((version) => join(installed, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** Why tests on PostgreSQL can't run; undefined if they can. In CI they must. */
export function whyWithoutPostgres(): string | undefined {
  if (programs() !== undefined) return undefined;
  const why = `PostgreSQL is not installed in ${installed}: apt-get install postgresql`;
  if (process.env['CI'] === 'true') throw new Error(why);
  return why;
}

/** `fsync`: without it, a crash of the server loses nothing, only one of the machine. */
export async function startPostgres(fsync: 'on' | 'off' = 'off'): Promise<PostgresServer> {
  const bin = programs();
  if (bin === undefined) throw new Error(whyWithoutPostgres());
  const home = mkdtempSync(join(tmpdir(), 'toolmend-postgres-'));
  const data = join(home, 'data');
  const owner = serverUser();
  chmodSync(home, 0o755);
  if (owner !== undefined) chownSync(home, owner.uid, owner.gid);
  const run = (program: string, ...args: readonly string[]): void => {
    const [command = '', ...rest] = [...(owner?.prefix ?? []), join(bin, program), ...args];
    const { status, stderr } = spawnSync(command, rest, {
      encoding: 'utf8',
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  };
  const port = await freePort();
  run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync');
  const log = join(home, 'log');
  const options = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c max_connections=50 -c fsync=${fsync}`;
  const control = (...args: readonly string[]): void =>
    run('pg_ctl', '-D', data, '-w', '-t', '250', ...args);
  const start = (): void => control('-o', options, '-l', log, 'start');
  const stop = (how?: 'kill'): void => control('-m', how === 'kill' ? 'immediate' : 'fast', 'stop');
  start();
  return {
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
    log,
    start,
    stop,
    remove: () => {
      stop('kill');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** initdb refuses root: then the server runs as the package's user. */
function serverUser() {
  if (process.getuid?.() !== 0) return undefined;
  const [uid = NaN, gid = NaN] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
  );
  return {
    uid,
    gid,
    prefix: ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', '--'],
  };
}

/**
 * Below those that systems give to connections and to servers that ask for any: the server is
 * started later, and again after each stop.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) =>
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    );
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/**
 * Tests that need PostgreSQL. Where it isn't installed they are skipped, with the reason in the
 * title; in CI that is an error.
 */
export function describeWithPostgres(tests: () => void): void {
  const why = whyWithoutPostgres();
  if (why === undefined) describe('PostgreSQL', tests);
  else describe.skip(`PostgreSQL (${why})`, tests);
}
